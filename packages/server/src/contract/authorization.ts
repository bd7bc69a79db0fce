/** Authorization: the attributes of a request, and the authorizer that decides. */

import type { UserInfo } from './api-request.ts';

/** The attributes of a request. For a non-resource path all but `user`, `verb` and `path` are `''`. */
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
  /** Of a list, watch or deletecollection, as far as it can be parsed. Default: there is none. */
  readonly fieldSelector?: readonly SelectorRequirement[] | undefined;
  /** The label selector, likewise. */
  readonly labelSelector?: readonly SelectorRequirement[] | undefined;
}

/** One requirement of a selector, as in a SubjectAccessReview. */
export interface SelectorRequirement {
  readonly key: string;
  readonly operator: 'DoesNotExist' | 'Exists' | 'In' | 'NotIn';
  /** None with `Exists` and `DoesNotExist`. */
  readonly values: readonly string[];
}

/** A decision. The `reason` of a refusal is shown to the user, that of a permission to auditors and in reviews. */
export type AccessDecision =
  | { readonly allowed: true; readonly reason?: string | undefined }
  | {
      readonly allowed: false;
      readonly reason?: string | undefined;
      /** No other authorizer is asked. Default: this one has no opinion. */
      readonly denied?: boolean | undefined;
    };

/** An authorizer failed and denies because of it: no other authorizer is asked. Any other error counts as no opinion. */
export class DenyingFailure extends Error {
  override readonly name: string = 'DenyingFailure';
  /** For reviews. */
  readonly reason: string | undefined;

  constructor(message: string, options?: ErrorOptions & { readonly reason?: string | undefined }) {
    super(message, options);
    this.reason = options?.reason;
  }
}

/** An authorizer failed, none decided, and some said why they have no opinion. */
export class UndecidedFailure extends Error {
  override readonly name: string = 'UndecidedFailure';
  readonly reason: string;

  constructor(message: string, reason: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The reasons of the authorizers that were asked before a failure; `''`: they gave none. */
export function failureReason(error: unknown): string {
  return error instanceof DenyingFailure || error instanceof UndecidedFailure ? (error.reason ?? '') : '';
}

/** A permission on resources; `*` stands for all. As in a SelfSubjectRulesReview. */
export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Default: objects of every name. */
  readonly resourceNames?: readonly string[] | undefined;
}

/** A permission on non-resource paths; `*` at the end of a path stands for anything. */
export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** All permissions of a user in a namespace. */
export interface AccessRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  /** May the user do more than is listed? Default: false. */
  readonly incomplete?: boolean | undefined;
  /** The error that occurred while listing. */
  readonly evaluationError?: string | undefined;
}

/** Authorizes requests. Throws or rejects when it cannot decide. */
export interface Authorizer {
  authorize(attributes: AccessAttributes): AccessDecision | Promise<AccessDecision>;
  /** Lists what a user may do, for `kubectl auth can-i --list`. Absent: the list is answered as incomplete. */
  rules?(user: UserInfo, namespace: string): AccessRules | Promise<AccessRules>;
}
