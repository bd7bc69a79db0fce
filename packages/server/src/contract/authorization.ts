/** Authorization: what is asked, and who decides. */

import type { UserInfo } from './api-request.ts';

/** What a user wants to do. For a path that is no resource all but `user`, `verb` and `path` are `''`. */
export interface AccessAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResource: boolean;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Percent-decoded. */
  readonly path: string;
}

/** A decision; `reason` is shown to the user that is refused. */
export type AccessDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason?: string | undefined };

/** Decides who may do what. */
export interface Authorizer {
  authorize(attributes: AccessAttributes): AccessDecision | Promise<AccessDecision>;
}
