/** How long the store is waited for: as long as the one who asked does. */

import type { AbortOptions, StorageEngine } from '@listwatch/storage';
import type { ApiRequest } from '../http/exchange.ts';

/** The end of a request, as far as the store is concerned. */
export type Patience = Pick<ApiRequest, 'signal' | 'throwIfAborted'>;

const UNTIL_DONE: AbortOptions = {};

/**
 * The options that end a call of the engine with its request. Throws the reason when the request is over already. An
 * engine within the process looks at the signal no later than that, and so needs none: a signal is slow to make, and its
 * garbage waits for a full collection (measured: 3 us and 700 bytes).
 */
export function untilRequestEnds({ capabilities }: StorageEngine, request: Patience): AbortOptions {
  request.throwIfAborted();
  return capabilities.shared ? { signal: request.signal } : UNTIL_DONE;
}
