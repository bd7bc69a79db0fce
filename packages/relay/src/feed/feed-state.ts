/** What a feed is doing: the states, and the steps between them. Times are monotonic. */

/** Only a feed that has been live has a cache that can be read. */
export type FeedState =
  /** It has not loaded its kind yet. */
  | { readonly type: 'loading'; readonly since: number; readonly error: string | undefined }
  /** Changes come as they happen; at `heard` something came last. */
  | { readonly type: 'live'; readonly since: number; readonly heard: number }
  /** The upstream does not answer, or refuses: the cache keeps what it had at `since`, when something came last. */
  | { readonly type: 'away'; readonly since: number; readonly error: string }
  | { readonly type: 'stopped' };

/** What happens to a feed. */
export type FeedInput =
  | { readonly type: 'proven' }
  /** What was kept while the process was gone can be read; something came last `ageMs` ago. */
  | { readonly type: 'restored'; readonly ageMs: number }
  | { readonly type: 'failed'; readonly error: string }
  | { readonly type: 'lost'; readonly error: string }
  | { readonly type: 'stopped' };

/** A bookmark comes each minute. Without one the line may have been dead since the last, and nobody has noticed yet. */
export const QUIET_MS = 75_000;

export function newFeedState(now: number): FeedState {
  return { type: 'loading', since: now, error: undefined };
}

/** `proven`: something has come, so that the cache is as the upstream. */
export function stepFeed(state: FeedState, input: FeedInput, now: number): FeedState {
  if (state.type === 'stopped') return state;
  switch (input.type) {
    case 'proven':
      return { type: 'live', since: state.type === 'live' ? state.since : now, heard: now };
    case 'restored':
      return {
        type: 'away',
        since: now - input.ageMs,
        error: 'the upstream server has not been heard since the start',
      };
    case 'failed':
      if (state.type === 'loading') return { ...state, error: input.error };
      // A line that is cut is noticed late: the cache is as old as the last thing that came over it.
      return { type: 'away', since: state.type === 'live' ? state.heard : state.since, error: input.error };
    case 'lost':
      return { type: 'loading', since: now, error: input.error };
    case 'stopped':
      return { type: 'stopped' };
  }
}

/** How old the cache may be, in milliseconds, where that has to be said. */
export function oldAge(state: FeedState, now: number): number | undefined {
  const age = silenceOf(state, now);
  return state.type === 'away' || age > QUIET_MS ? age : undefined;
}

/** How long ago something came last, in milliseconds. */
export function silenceOf(state: FeedState, now: number): number {
  if (state.type === 'away') return now - state.since;
  return state.type === 'live' ? now - state.heard : 0;
}
