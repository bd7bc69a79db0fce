/** Ties storage calls to the lifetime of the request. */

import type { AbortOptions, StorageEngine } from '@listwatch/storage';
import type { ApiRequest } from '../contract/api-request.ts';

/** The part of a request that tells storage calls when to stop. */
export type RequestSignal = Pick<ApiRequest, 'signal' | 'throwIfAborted'>;

const UNTIL_DONE: AbortOptions = {};

/**
 * Options that end a storage call with its request. Throws the abort reason when the request is already over. An
 * in-process engine gets no signal: it checks nothing later than this call does, and an AbortSignal costs 3 us and 700
 * bytes that only a full collection frees (measured).
 */
export function endWithRequest({ capabilities }: StorageEngine, request: RequestSignal): AbortOptions {
  request.throwIfAborted();
  return capabilities.shared ? { signal: request.signal } : UNTIL_DONE;
}
