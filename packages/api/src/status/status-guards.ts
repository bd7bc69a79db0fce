/** Questions about an error: is it this kind of failure? They look at codes and reasons, never at classes. */
import { isRecord } from '../values/json-value.ts';
import { STATUS_REASONS, type StatusCause } from './status.ts';
import type { StatusError } from './status-error.ts';

const KNOWN: ReadonlySet<string> = new Set(STATUS_REASONS);

/** Is it a StatusError, of this copy of the package or of another? */
export function isStatusError(error: unknown): error is StatusError {
  return isRecord(error) && error['code'] === 'STATUS' && isRecord(error['status']);
}

/** The first StatusError among an error and its causes; `undefined` when there is none. */
export function findStatusError(error: unknown): StatusError | undefined {
  const seen = new Set<unknown>();
  for (let current = error; isRecord(current) && !seen.has(current); current = current['cause']) {
    if (isStatusError(current)) return current;
    seen.add(current);
  }
  return undefined;
}

/** 400: the request cannot be understood. */
export function isBadRequest(error: unknown): error is StatusError {
  return says(error, 'BadRequest', 400);
}

/** 401: the server does not know who asks. */
export function isUnauthorized(error: unknown): error is StatusError {
  return says(error, 'Unauthorized', 401);
}

/** 403: the server knows who asks, and refuses. */
export function isForbidden(error: unknown): error is StatusError {
  return says(error, 'Forbidden', 403);
}

/** 404: no such object or no such path. */
export function isNotFound(error: unknown): error is StatusError {
  return says(error, 'NotFound', 404);
}

/** 405: the resource does not have this verb. */
export function isMethodNotAllowed(error: unknown): error is StatusError {
  return says(error, 'MethodNotAllowed', 405);
}

/** 406: the server speaks no media type that the client accepts. */
export function isNotAcceptable(error: unknown): error is StatusError {
  return says(error, 'NotAcceptable', 406);
}

/** 409: an object of this name exists. */
export function isAlreadyExists(error: unknown): error is StatusError {
  return says(error, 'AlreadyExists');
}

/** 409: someone else changed the object; read it again and try again. */
export function isConflict(error: unknown): error is StatusError {
  return says(error, 'Conflict', 409);
}

/** 410, whichever reason it gives: this version or this token is too old; list again. */
export function isGone(error: unknown): error is StatusError {
  return says(error, 'Gone', 410) || says(error, 'Expired', 410);
}

/** 410 with the reason that today's servers give. Prefer `isGone`. */
export function isExpired(error: unknown): error is StatusError {
  return says(error, 'Expired');
}

/** 413: the body is too large. */
export function isRequestEntityTooLarge(error: unknown): error is StatusError {
  return says(error, 'RequestEntityTooLarge') || hasCode(error, 413);
}

/** 415: the server does not read this media type. */
export function isUnsupportedMediaType(error: unknown): error is StatusError {
  return says(error, 'UnsupportedMediaType', 415);
}

/** 422: the object or the options break a rule. */
export function isInvalid(error: unknown): error is StatusError {
  return says(error, 'Invalid', 422);
}

/** 429, whichever reason it gives: wait and try again. */
export function isTooManyRequests(error: unknown): error is StatusError {
  return says(error, 'TooManyRequests') || hasCode(error, 429);
}

/** 500: the server failed. */
export function isInternalError(error: unknown): error is StatusError {
  return says(error, 'InternalError', 500);
}

/** 500 of the kind that another attempt may cure. */
export function isServerTimeout(error: unknown): error is StatusError {
  return says(error, 'ServerTimeout');
}

/** 503: the server cannot take requests now. */
export function isServiceUnavailable(error: unknown): error is StatusError {
  return says(error, 'ServiceUnavailable', 503);
}

/** 504: no answer in time; the request may still take effect. */
export function isTimeout(error: unknown): error is StatusError {
  return says(error, 'Timeout', 504);
}

const TOO_LARGE = 'Too large resource version';

/** The server has not seen this resource version yet. Servers before 1.19 say so only in the message. */
export function isTooLargeResourceVersion(error: unknown): error is StatusError {
  if (hasCause(error, 'ResourceVersionTooLarge')) return true;
  return (
    isTimeout(error) &&
    (error.message.includes(TOO_LARGE) || causesOf(error).some(({ message }) => message === TOO_LARGE))
  );
}

/** The answer was not one of the API: a proxy's page, for example. */
export function isUnexpectedResponse(error: unknown): error is StatusError {
  return hasCause(error, 'UnexpectedServerResponse');
}

/** Does the failure name this cause? */
export function hasCause(error: unknown, reason: string): error is StatusError {
  return isStatusError(error) && causesOf(error).some((cause) => cause.reason === reason);
}

/** The reason decides; the code decides only when the reason is none that we know. */
function says(error: unknown, reason: string, code?: number): error is StatusError {
  if (!isStatusError(error)) return false;
  const actual = error.status.reason ?? '';
  return actual === reason || (code !== undefined && error.status.code === code && !KNOWN.has(actual));
}

function hasCode(error: unknown, code: number): error is StatusError {
  return isStatusError(error) && error.status.code === code;
}

function causesOf(error: StatusError): readonly StatusCause[] {
  return error.status.details?.causes ?? [];
}
