/** Whether a cache may be read. */

/** `generation` counts how often the cache began anew: what was opened in an earlier one is void. */
export type CacheState =
  | {
      readonly type: 'pending';
      readonly since: number;
      readonly generation: number;
      readonly error: string | undefined;
    }
  | { readonly type: 'ready'; readonly generation: number }
  | { readonly type: 'stopped'; readonly since: number; readonly generation: number };

/** What happens to a cache. */
export type CacheInput =
  | { readonly type: 'loaded' }
  | { readonly type: 'failed'; readonly error: string }
  | { readonly type: 'lost'; readonly error: string | undefined }
  | { readonly type: 'stopped' };

/** The state of a cache that has not been filled yet. */
export function newCacheState(now: number): CacheState {
  return { type: 'pending', since: now, generation: 0, error: undefined };
}

/** What an input makes of a state. A stopped cache stays stopped; losing the store again does not restart the clock. */
export function stepCache(state: CacheState, input: CacheInput, now: number): CacheState {
  if (state.type === 'stopped') return state;
  switch (input.type) {
    case 'loaded':
      return { type: 'ready', generation: state.generation };
    case 'failed':
      return state.type === 'pending' ? { ...state, error: input.error } : state;
    case 'lost':
      if (state.type === 'pending') return { ...state, error: input.error ?? state.error };
      return { type: 'pending', since: now, generation: state.generation + 1, error: input.error };
    case 'stopped':
      return { type: 'stopped', since: now, generation: state.generation + 1 };
  }
}
