/** How a read of what is true now is answered: the steps of one request, pure. Times are monotonic. */

/** What a request waits for. */
export type Freshness =
  /** The upstream is asked how far it is. */
  | { readonly type: 'probing'; readonly until: number }
  /** The feed may bring that version by itself: on a busy kind it does. */
  | { readonly type: 'waiting'; readonly revision: bigint; readonly until: number }
  /** A second watch is asked for a bookmark, which proves it. */
  | { readonly type: 'beating'; readonly revision: bigint; readonly until: number }
  | FreshnessEnd;

/** How it ends. */
export type FreshnessEnd =
  /** The cache has every write that was acknowledged before the request. */
  | { readonly type: 'proven'; readonly revision: bigint }
  /**
   * `quiet`: nothing proves it yet, and the upstream answers the request as cheaply. `no proof`: nothing did. `away`: it did not
   * answer. `doubt`: it refused to, or is behind what it has shown.
   */
  | { readonly type: 'unproven'; readonly why: 'away' | 'doubt' | 'no proof' | 'quiet' };

/** What happens to it. */
export type FreshnessInput =
  /** The upstream was at this version when the question came, or after; at `before` the cache was when it was asked. */
  | { readonly type: 'probed'; readonly revision: bigint; readonly before: bigint }
  | { readonly type: 'failed'; readonly isAnswered: boolean }
  /** The cache has the version. */
  | { readonly type: 'reached' }
  /** Its time is over. */
  | { readonly type: 'elapsed' };

/** A probe is a read of nothing: an upstream that takes longer is in trouble. */
export const PROBE_MS = 2500;
const WAIT_MS = 100;
/** kube-apiserver sends a bookmark 1 to 2.3 s after a watch of 3 s has begun. */
const BEAT_MS = 2500;

export function newFreshness(now: number): Freshness {
  return { type: 'probing', until: now + PROBE_MS };
}

/** `isSmall`: what the request asks for costs the upstream no more than a proof. */
export function stepFreshness(state: Freshness, input: FreshnessInput, now: number, isSmall: boolean): Freshness {
  switch (state.type) {
    case 'probing':
      if (input.type !== 'probed')
        return { type: 'unproven', why: input.type === 'failed' && input.isAnswered ? 'doubt' : 'away' };
      // An upstream that is behind what has been seen of it is another one, or was restored.
      if (input.revision < input.before) return { type: 'unproven', why: 'doubt' };
      return { type: 'waiting', revision: input.revision, until: now + WAIT_MS };
    case 'waiting':
      if (input.type === 'reached') return { type: 'proven', revision: state.revision };
      if (isSmall) return { type: 'unproven', why: 'quiet' };
      return { type: 'beating', revision: state.revision, until: now + BEAT_MS };
    case 'beating':
      if (input.type === 'reached') return { type: 'proven', revision: state.revision };
      return { type: 'unproven', why: 'no proof' };
    case 'proven':
    case 'unproven':
      return state;
  }
}

export function isFreshnessEnd(state: Freshness): state is FreshnessEnd {
  return state.type === 'proven' || state.type === 'unproven';
}
