/** The values behind `authorizer`: each call of an expression makes one that knows a little more of what is asked. */
import { type CelType, objectType } from '../types/cel-type.ts';
import type { CelOpaque, CelValue } from '../values/cel-value.ts';

/** The type of `authorizer`. */
export const AUTHORIZER_TYPE: CelType = objectType('kubernetes.authorization.Authorizer');
/** The type of `authorizer.requestResource`. */
export const RESOURCE_CHECK_TYPE: CelType = objectType('kubernetes.authorization.ResourceCheck');
export const PATH_CHECK_TYPE: CelType = objectType('kubernetes.authorization.PathCheck');
export const GROUP_CHECK_TYPE: CelType = objectType('kubernetes.authorization.GroupCheck');
export const DECISION_TYPE: CelType = objectType('kubernetes.authorization.Decision');

/** The resource that a check is about. */
export interface CheckedResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** `''`: none. */
  readonly fieldSelector: string;
  /** `''`: none. */
  readonly labelSelector: string;
}

/** What an expression asks: may the user do this? */
export interface AccessCheck {
  readonly verb: string;
  /** The resource, or the path that is no resource. */
  readonly target: CheckedResource | string;
  /** The service account to ask about. Undefined: the user of the request. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
}

/** The answer. */
export interface AccessVerdict {
  readonly allowed: boolean;
  readonly reason: string;
  /** Why there is no decision; `''` when there is one. */
  readonly error: string;
}

/** Answers at once. It may throw to end the evaluation, for instance because the answer must be waited for. */
export type AskAccess = (check: AccessCheck) => AccessVerdict;

/** A value that only the functions of the library can use. */
class ReceiverValue implements CelOpaque {
  readonly opaqueType: CelType;

  constructor(type: CelType) {
    this.opaqueType = type;
  }

  equals(other: CelValue): boolean {
    return this === other;
  }
}

/** `authorizer`. */
export class AuthorizerValue extends ReceiverValue {
  readonly ask: AskAccess;
  readonly serviceAccount: AccessCheck['serviceAccount'];

  constructor(ask: AskAccess, serviceAccount?: AccessCheck['serviceAccount']) {
    super(AUTHORIZER_TYPE);
    this.ask = ask;
    this.serviceAccount = serviceAccount;
  }
}

/** `authorizer.path(p)`. */
export class PathCheckValue extends ReceiverValue {
  readonly authorizer: AuthorizerValue;
  readonly path: string;

  constructor(authorizer: AuthorizerValue, path: string) {
    super(PATH_CHECK_TYPE);
    this.authorizer = authorizer;
    this.path = path;
  }
}

/** `authorizer.group(g)`. */
export class GroupCheckValue extends ReceiverValue {
  readonly authorizer: AuthorizerValue;
  readonly group: string;

  constructor(authorizer: AuthorizerValue, group: string) {
    super(GROUP_CHECK_TYPE);
    this.authorizer = authorizer;
    this.group = group;
  }
}

/** `authorizer.group(g).resource(r)`. */
export class ResourceCheckValue extends ReceiverValue {
  readonly authorizer: AuthorizerValue;
  readonly target: CheckedResource;

  constructor(authorizer: AuthorizerValue, target: CheckedResource) {
    super(RESOURCE_CHECK_TYPE);
    this.authorizer = authorizer;
    this.target = target;
  }
}

/** The result of `check(verb)`. */
export class DecisionValue extends ReceiverValue {
  readonly verdict: AccessVerdict;

  constructor(verdict: AccessVerdict) {
    super(DECISION_TYPE);
    this.verdict = verdict;
  }
}
