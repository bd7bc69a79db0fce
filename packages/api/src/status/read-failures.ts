/** The failures of GET, LIST and WATCH beyond the general ones: versions too old or too new, caches that are not ready. */

import { quote } from '../names/quote.ts';
import { NAME_FIELD, NAMESPACE_FIELD } from '../paths/wire-names.ts';
import type { ResourceVersionError } from '../versions/resource-version.ts';
import { badRequest, expired, timeout, tooManyRequests, unknownError } from './failures.ts';
import { failure, type StatusError } from './status-error.ts';

/** A watch from a version before the oldest change that is kept. `oldest` is the version of that change. */
export function expiredWatch(requested: bigint, oldest: bigint): StatusError {
  return expired(`too old resource version: ${requested} (${oldest - 1n})`);
}

/** A watch from a version that the storage has compacted. */
export function compactedWatch(): StatusError {
  return expired('The resourceVersion for the provided watch is too old.');
}

/** A list at an exact version that the storage has compacted. */
export function expiredList(): StatusError {
  return expired('The resourceVersion for the provided list is too old.');
}

const CONTINUE_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter';
const CONTINUE_INCONSISTENT =
  ', or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** A page of a list whose version is gone. `fresh` is a token that goes on at the latest version, if there can be one. */
export function expiredContinue(fresh?: string): StatusError {
  return fresh === undefined
    ? expired(`${CONTINUE_EXPIRED}.`)
    : expired(`${CONTINUE_EXPIRED}${CONTINUE_INCONSISTENT}`, fresh);
}

/** A version that this server has not reached. Default delay: 1 second; 0 names none. */
export function tooLargeResourceVersion(requested: bigint, current: bigint, retryAfterSeconds = 1): StatusError {
  const message = `Timeout: Too large resource version: ${requested}, current: ${current}`;
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return failure({ code: 504, reason: 'Timeout', message, details: { causes, retryAfterSeconds } });
}

/** The cache has been empty for `downSeconds` and is being filled; `lastError` says why it has not been yet. */
export function cacheInitializing(downSeconds: number, lastError = ''): StatusError {
  const message = `storage is (re)initializing${lastError === '' ? '' : `: ${lastError}`}`;
  return tooManyRequests(message, cacheRetryAfterSeconds(downSeconds));
}

/** The cache is shut down. */
export function cacheStopped(downSeconds: number): StatusError {
  return tooManyRequests('apiserver cacher is stopped', cacheRetryAfterSeconds(downSeconds));
}

/** How long to send clients away: 1 second at first, growing with the outage to 30. */
function cacheRetryAfterSeconds(downSeconds: number): number {
  return Math.trunc(Math.min(30, Math.max(1, Math.exp(0.06 * downSeconds))));
}

/** The request took longer than the server allows. */
export function requestTimeout(): StatusError {
  return timeout('request did not complete within the allotted timeout');
}

/** A LIST with a bad resource version: 400. */
export function badListVersion(error: ResourceVersionError): StatusError {
  return badRequest(`invalid resource version: ${error.message}`, error);
}

/** A GET or a WATCH with a bad resource version: 500 without a reason, as Kubernetes answers it. */
export function badReadVersion(error: ResourceVersionError): StatusError {
  return unknownError(error.message);
}

/** A continue token together with a resource version other than `''` and `'0'`. */
export function versionWithContinue(): StatusError {
  return badRequest('specifying resource version is not allowed when using continue');
}

/** A field that a kind with its own list of selectable fields does not have in that list. */
export function unsupportedField(field: string): StatusError {
  return badRequest(`field label not supported: ${field}`);
}

/** A field other than the two that any kind can be selected by, on a kind that has no others. */
export function unknownField(field: string): StatusError {
  return badRequest(
    `${quote(field)} is not a known field selector: only ${quote(NAME_FIELD)}, ${quote(NAMESPACE_FIELD)}`,
  );
}

/** A request for one object with a field selector that asks for another. */
export function nameSelectorMismatch(): StatusError {
  return badRequest(`fieldSelector ${NAME_FIELD} doesn't match requested name`);
}
