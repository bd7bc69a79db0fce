/** The failures of create, update, patch and delete beyond the general ones. */

import type { GroupKind, GroupResource } from '../objects/resource.ts';
import { NAMESPACE_FIELD } from '../paths/wire-names.ts';
import {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  invalid,
  requestEntityTooLarge,
  unknownError,
} from './failures.ts';
import { fieldInvalid } from './field-error.ts';
import type { StatusCause } from './status.ts';
import { failure, type StatusError } from './status-error.ts';

/** The body is larger than `maxBytes`. */
export function bodyTooLarge(maxBytes: number): StatusError {
  return requestEntityTooLarge(`limit is ${maxBytes}`);
}

/** The object, as it would be stored, is larger than etcd takes: 500 without a reason, as Kubernetes answers it. */
export function objectTooLarge(): StatusError {
  return unknownError('etcdserver: request is too large');
}

/** The body's `apiVersion` is not the one of the path. */
export function apiVersionMismatch(actual: string, expected: string): StatusError {
  return badRequest(`the API version in the data (${actual}) does not match the expected API version (${expected})`);
}

/** The body's name is not the one of the path. */
export function nameMismatch(actual: string, expected: string): StatusError {
  return badRequest(`the name of the object (${actual}) does not match the name on the URL (${expected})`);
}

/** The body has no name, and the path has one. */
export function nameMissing(expected: string): StatusError {
  return badRequest(`the name of the object (${expected} based on URL) was undeterminable: name must be provided`);
}

/** The body's namespace is not the one of the path. */
export function namespaceMismatch(): StatusError {
  return badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** A create whose object already has a resource version: 500 without a reason, as Kubernetes answers it. */
export function versionOnCreate(): StatusError {
  return unknownError('resourceVersion should not be set on objects to be created');
}

/** An update without a resource version, of a kind that wants one. */
export function versionRequired(kind: GroupKind, name: string): StatusError {
  return invalid(kind, name, [fieldInvalid('metadata.resourceVersion', 0, 'must be specified for an update')]);
}

/** A create of a name whose object is still being deleted. */
export function alreadyExistsDeleting(resource: GroupResource, name: string): StatusError {
  const { status } = alreadyExists(resource, name);
  return failure({
    code: 409,
    reason: 'AlreadyExists',
    message: `object is being deleted: ${status.message}`,
    ...(status.details === undefined ? {} : { details: status.details }),
  });
}

/** A create with `generateName` for which no free name was found. Default delay: 1 second. */
export function generateNameConflict(resource: GroupResource, name: string, retryAfterSeconds = 1): StatusError {
  const { status } = alreadyExists(resource, name);
  return failure({
    code: 409,
    reason: 'AlreadyExists',
    message: `${status.message}, the server was not able to generate a unique name for the object`,
    details: { ...status.details, retryAfterSeconds },
  });
}

/** A delete whose precondition names another uid. */
export function uidPreconditionFailed(kind: GroupKind, name: string, wanted: string, actual: string): StatusError {
  return conflict(
    { group: kind.group, plural: kind.kind },
    name,
    `the UID in the precondition (${wanted}) does not match the UID in record (${actual}). The object might have been deleted and then recreated`,
  );
}

/** A delete whose precondition names another resource version. */
export function versionPreconditionFailed(kind: GroupKind, name: string, wanted: string, actual: string): StatusError {
  return conflict(
    { group: kind.group, plural: kind.kind },
    name,
    `the ResourceVersion in the precondition (${wanted}) does not match the ResourceVersion in record (${actual}). The object might have been modified`,
  );
}

/** A server-side apply of fields that other managers own: one cause for each. */
export function applyConflict(message: string, causes: readonly StatusCause[]): StatusError {
  return failure({ code: 409, reason: 'Conflict', message, details: { causes } });
}

/** A create in a namespace that is going away. */
export function namespaceTerminating(resource: GroupResource, name: string, namespace: string): StatusError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: NAMESPACE_FIELD,
  };
  return forbidden(resource, name, why, [cause]);
}
