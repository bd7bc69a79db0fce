/** The failures of the API, one function per reason. Each message has the exact shape that Kubernetes gives it. */

import { quote } from '../names/quote.ts';
import { type GroupKind, type GroupResource, groupKindText, groupResourceText } from '../objects/resource.ts';
import { quoteCut } from './bounded-text.ts';
import { type FieldError, fieldErrorReport } from './field-error.ts';
import { NAME_MAX, type StatusCause, type StatusDetails } from './status.ts';
import { failure, type StatusError } from './status-error.ts';

/** 400: the request cannot be understood. `cause` is the underlying error, for the server's log. */
export function badRequest(message: string, cause?: Error): StatusError {
  return failure({ code: 400, reason: 'BadRequest', message }, cause && { cause });
}

/** 401: no valid credentials. */
export function unauthorized(message = 'Unauthorized'): StatusError {
  return failure({ code: 401, reason: 'Unauthorized', message });
}

/** 403: refused, and `why`. Without a resource the message names none; `name` may be `''`. */
export function forbidden(
  resource: GroupResource | undefined,
  name: string,
  why: string,
  causes: readonly StatusCause[] = [],
): StatusError {
  const subject =
    resource === undefined ? '' : `${groupResourceText(resource)}${name === '' ? '' : ` ${quote(name)}`} is `;
  return failure({
    code: 403,
    reason: 'Forbidden',
    message: `${subject}forbidden: ${why}`,
    details: { ...detailsOf(resource, name), causes },
  });
}

/** 404: no object of this name. For a path or a resource that the server lacks use `genericFailure(404)`. */
export function notFound(resource: GroupResource, name: string): StatusError {
  const message = `${groupResourceText(resource)} ${quote(name)} not found`;
  return failure({ code: 404, reason: 'NotFound', message, details: detailsOf(resource, name) });
}

/** 405: the resource exists and lacks this verb. For a method that no path has use `genericFailure(405)`. */
export function methodNotAllowed(resource: GroupResource, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind ${quote(groupResourceText(resource))}`;
  return failure({ code: 405, reason: 'MethodNotAllowed', message, details: detailsOf(resource, '') });
}

/** 406: the client accepts none of the media types that the server can write. */
export function notAcceptable(mediaTypes: readonly string[]): StatusError {
  const message = `only the following media types are accepted: ${mediaTypes.join(', ')}`;
  return failure({ code: 406, reason: 'NotAcceptable', message });
}

/** 409: the name is taken. */
export function alreadyExists(resource: GroupResource, name: string): StatusError {
  const message = `${groupResourceText(resource)} ${quote(name)} already exists`;
  return failure({ code: 409, reason: 'AlreadyExists', message, details: detailsOf(resource, name) });
}

/** Why an update with an old resource version is refused. */
export const OBJECT_MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

/** 409: the change does not fit the object as it now is. Default `why`: the object was modified. */
export function conflict(resource: GroupResource, name: string, why: string = OBJECT_MODIFIED): StatusError {
  const message = `Operation cannot be fulfilled on ${groupResourceText(resource)} ${quote(name)}: ${why}`;
  return failure({ code: 409, reason: 'Conflict', message, details: detailsOf(resource, name) });
}

/** 410 with the reason of old servers. New code answers `expired`. */
export function gone(message: string): StatusError {
  return failure({ code: 410, reason: 'Gone', message });
}

/** 410: the wanted state is too old to be had. */
export function expired(message: string, continueToken?: string): StatusError {
  const metadata = continueToken === undefined ? {} : { continue: continueToken };
  return failure({ code: 410, reason: 'Expired', message, metadata });
}

/** 413: the body is too large. */
export function requestEntityTooLarge(message: string): StatusError {
  return failure({ code: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: ${message}` });
}

/** 415: the body has a media type that the server cannot read. */
export function unsupportedMediaType(mediaTypes: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${mediaTypes.join(', ')}`;
  return failure({ code: 415, reason: 'UnsupportedMediaType', message });
}

/** 422: the fields break rules. Each error becomes a cause, up to a hundred; the message shows each text once. */
export function invalid(kind: GroupKind, name: string, errors: readonly FieldError[]): StatusError {
  const { message, causes } = fieldErrorReport(errors);
  return failure({
    code: 422,
    reason: 'Invalid',
    message: `${groupKindText(kind)} ${quoteCut(name, NAME_MAX)} is invalid${message === '' ? '' : `: ${message}`}`,
    details: { group: kind.group, kind: kind.kind, name, causes },
  });
}

/** 429: not now. Without `retryAfterSeconds` the answer names no delay. */
export function tooManyRequests(message: string, retryAfterSeconds = 0): StatusError {
  return failure({ code: 429, reason: 'TooManyRequests', message, details: { retryAfterSeconds } });
}

/** 500: the server failed, and `why`. */
export function internalError(why: string): StatusError {
  const message = `Internal error occurred: ${why}`;
  return failure({ code: 500, reason: 'InternalError', message, details: { causes: [{ message: why }] } });
}

/** 500 without a reason: what a server answers for an error that it did not foresee. */
export function unknownError(message: string): StatusError {
  return failure({ code: 500, reason: '', message });
}

/** 500 that another attempt may cure: the storage did not answer `operation`. Default delay: 2 seconds. */
export function serverTimeout(resource: GroupResource, operation: string, retryAfterSeconds = 2): StatusError {
  const subject = groupResourceText(resource);
  return failure({
    code: 500,
    reason: 'ServerTimeout',
    message: `The ${operation} operation against ${subject} could not be completed at this time, please try again.`,
    details: { ...detailsOf(resource, operation), retryAfterSeconds },
  });
}

/** 503: the server cannot take requests now. */
export function serviceUnavailable(message: string): StatusError {
  return failure({ code: 503, reason: 'ServiceUnavailable', message });
}

/** 504: no answer in time. */
export function timeout(message: string, retryAfterSeconds = 0): StatusError {
  return failure({ code: 504, reason: 'Timeout', message: `Timeout: ${message}`, details: { retryAfterSeconds } });
}

function detailsOf(resource: GroupResource | undefined, name: string): StatusDetails {
  return { name, group: resource?.group ?? '', kind: resource?.plural ?? '' };
}
