/** What a feed is doing: the states, and the steps between them. Times are monotonic. */

/** Only a feed that has been live has a cache that can be read. */
export type FeedState =
  /** It has not loaded its kind yet. */
  | { readonly type: 'loading'; readonly since: number; readonly error: string | undefined }
  /** Changes come as they happen. */
  | { readonly type: 'live'; readonly since: number }
  /** The upstream does not answer, or refuses: the cache keeps what it had at `since`. */
  | { readonly type: 'away'; readonly since: number; readonly error: string }
  | { readonly type: 'stopped' };

/** What happens to a feed. */
export type FeedInput =
  | { readonly type: 'proven' }
  | { readonly type: 'failed'; readonly error: string }
  | { readonly type: 'lost'; readonly error: string }
  | { readonly type: 'stopped' };

export function newFeedState(now: number): FeedState {
  return { type: 'loading', since: now, error: undefined };
}

/** `proven`: something has come, so that the cache is as the upstream. */
export function stepFeed(state: FeedState, input: FeedInput, now: number): FeedState {
  if (state.type === 'stopped') return state;
  switch (input.type) {
    case 'proven':
      return state.type === 'live' ? state : { type: 'live', since: now };
    case 'failed':
      if (state.type === 'loading') return { ...state, error: input.error };
      return { type: 'away', since: state.type === 'away' ? state.since : now, error: input.error };
    case 'lost':
      return { type: 'loading', since: now, error: input.error };
    case 'stopped':
      return { type: 'stopped' };
  }
}
