/** Sorts what was thrown into the kinds that the machine knows. */

import {
  findStatusError,
  isBadRequest,
  isGone,
  isInvalid,
  isMethodNotAllowed,
  isNotAcceptable,
  isTooLargeResourceVersion,
  isTooManyRequests,
} from '@listwatch/api';
import { isTransportError } from '@listwatch/client/internal';
import type { FailureKind } from './watcher-input.ts';

/** The kind of a failed request. A 410 is one wherever it comes: as an answer, on a page, or in a stream. */
export function failureKind(error: unknown): FailureKind {
  if (isTransportError(error, 'CONNECT')) return 'unreachable';
  if (isTransportError(error, 'PROTOCOL')) return 'protocol';
  if (isTransportError(error)) return 'broken';
  if (isTooLargeResourceVersion(error)) return 'tooLarge';
  if (isGone(error)) return 'expired';
  if (isTooManyRequests(error)) return 'throttled';
  if (isBadRequest(error) || isInvalid(error) || isMethodNotAllowed(error) || isNotAcceptable(error))
    return 'unsupported';
  return 'refused';
}

/** The kind of an ERROR event: whatever it is, this watch cannot go on. */
export function errorEventKind(error: unknown): FailureKind {
  const kind = failureKind(error);
  return kind === 'refused' || kind === 'unsupported' ? 'serverError' : kind;
}

/** How long the server asks to wait, if it does. */
export function retryAfterMs(error: unknown): number | undefined {
  return findStatusError(error)?.retryAfterMs;
}
