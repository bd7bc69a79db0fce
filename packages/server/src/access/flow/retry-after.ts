/** What a level's 429 says in `Retry-After`: longer while rejections go on, shorter when they end. */

const MAX_SECONDS = 32;
/** Rejections in a second, on average, from which the time doubles. */
const MANY_PER_SECOND = 3;

/** The state of one level. */
export interface RetryAfter {
  readonly seconds: number;
  /** The second of the last rejection; -1: there was none. */
  readonly second: number;
  /** When the time was last raised. */
  readonly raised: number;
  /** Rejections by second, oldest first: at most 32 seconds. */
  readonly counts: readonly SecondCount[];
}

interface SecondCount {
  readonly second: number;
  readonly count: number;
}

/** No rejection yet. */
export const NO_REJECTIONS: RetryAfter = { seconds: 1, second: -1, raised: 0, counts: [] };

/** Counts a rejection in this second. Only the first of a second changes the time, by the whole seconds before it. */
export function afterRejection(state: RetryAfter, second: number): RetryAfter {
  const last = state.counts.at(-1);
  if (last?.second === second) {
    return { ...state, counts: [...state.counts.slice(0, -1), { second, count: last.count + 1 }] };
  }
  const { seconds, raised } = next(state, second);
  const kept = state.counts.filter((one) => one.second >= second - MAX_SECONDS);
  return { seconds, raised, second, counts: [...kept, { second, count: 1 }] };
}

function next(
  { seconds, raised, counts, second: last }: RetryAfter,
  second: number,
): Pick<RetryAfter, 'raised' | 'seconds'> {
  if (last < 0) return { seconds, raised: second };
  const recent = counts
    .filter((one) => one.second >= second - seconds && one.second < second)
    .reduce((sum, { count }) => sum + count, 0);
  if (recent >= MANY_PER_SECOND * seconds && second - raised >= seconds) {
    return { seconds: Math.min(MAX_SECONDS, seconds * 2), raised: second };
  }
  return { seconds: recent < seconds ? Math.max(1, seconds - 1) : seconds, raised };
}
