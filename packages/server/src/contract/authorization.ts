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

/** What a user may do with resources; `*` stands for all. As in a SelfSubjectRulesReview. */
export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Default: objects of every name. */
  readonly resourceNames?: readonly string[] | undefined;
}

/** What a user may do with paths that are no resources; `*` at the end of a path stands for anything. */
export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** All that a user may do in a namespace. */
export interface AccessRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  /** May the user do more than is listed? Default: false. */
  readonly incomplete?: boolean | undefined;
  /** What went wrong with the list. */
  readonly evaluationError?: string | undefined;
}

/** Decides who may do what. */
export interface Authorizer {
  authorize(attributes: AccessAttributes): AccessDecision | Promise<AccessDecision>;
  /** Lists what a user may do, for `kubectl auth can-i --list`. Absent: the list is answered as incomplete. */
  rules?(user: UserInfo, namespace: string): AccessRules | Promise<AccessRules>;
}
