/** Whether a cache may be read: the states of a cache and the steps between them. */

import type { CacheGeneration } from './cache-generation.ts';

/** Only a cache that is ready has a generation, so nothing can be opened on one that has ended. */
export type CacheState =
  | { readonly type: 'pending'; readonly since: number; readonly error: string | undefined }
  | { readonly type: 'ready'; readonly generation: CacheGeneration }
  | { readonly type: 'stopped'; readonly since: number };

/** What happens to a cache. */
export type CacheInput =
  | { readonly type: 'loaded'; readonly generation: CacheGeneration }
  | { readonly type: 'lost'; readonly error: string | undefined }
  | { readonly type: 'stopped' };

/** The state of a cache that has not been loaded yet. */
export function newCacheState(now: number): CacheState {
  return { type: 'pending', since: now, error: undefined };
}

/** The state after an input. A stopped cache stays stopped; losing the store again does not restart the clock. */
export function stepCache(state: CacheState, input: CacheInput, now: number): CacheState {
  if (state.type === 'stopped') return state;
  switch (input.type) {
    case 'loaded':
      return { type: 'ready', generation: input.generation };
    case 'lost':
      if (state.type === 'pending') return { ...state, error: input.error ?? state.error };
      return { type: 'pending', since: now, error: input.error };
    case 'stopped':
      return { type: 'stopped', since: now };
  }
}
