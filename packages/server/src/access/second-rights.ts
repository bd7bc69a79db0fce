/** Rights that a request needs besides its own: to act as another user, to create what an update names, to grant a role. */

import { accessDenied, internalError, StatusError } from '@listwatch/api';
import { type AccessAttributes, type Authorizer, failureReason } from '../contract/authorization.ts';
import { authorize } from './authorizer.ts';

/** Hears of an authorizer that failed: the answer to the client does not depend on it alone. */
export type FailureListener = (error: unknown) => void;

/** An authorizer whose failure gives no right, for admission: kube-apiserver goes on there, too. */
export function lenientAuthorizer(
  authorizer: Pick<Authorizer, 'authorize'>,
  onFailure: FailureListener,
): Pick<Authorizer, 'authorize'> {
  const refuse = (error: unknown): { readonly allowed: false } => {
    onFailure(error);
    return { allowed: false };
  };
  return {
    authorize(attributes) {
      try {
        const answer = authorizer.authorize(attributes);
        return answer instanceof Promise ? answer.catch(refuse) : answer;
      } catch (error) {
        return refuse(error);
      }
    },
  };
}

/** Throws the 403 `StatusError` unless it is allowed; with the error when the authorizer failed. */
export async function requireRight(
  authorizer: Authorizer,
  attributes: AccessAttributes,
  onFailure: FailureListener,
): Promise<void> {
  try {
    await authorize(authorizer, attributes);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    onFailure(error);
    const { user, verb, group, resource, subresource, namespace, name, isResource, path } = attributes;
    const target = isResource ? { resource: { group, plural: resource }, subresource, namespace, name } : { path };
    const reason = failureReason(error);
    const why = reason === '' ? messageOf(error) : `${messageOf(error)}: ${reason}`;
    throw accessDenied({ user: user.name, verb, ...target }, why);
  }
}

/** Throws the 403 `StatusError` unless a write may create its object, and 500 when the authorizer failed. */
export async function requireCreation(
  authorizer: Authorizer,
  attributes: AccessAttributes,
  onFailure: FailureListener,
): Promise<void> {
  try {
    await authorize(authorizer, { ...attributes, verb: 'create' });
  } catch (error) {
    if (error instanceof StatusError) throw error;
    onFailure(error);
    throw internalError(messageOf(error));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
