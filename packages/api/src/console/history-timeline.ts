/** The shape of `GET /debug/history`: which versions exist, and when they were made. */

/** The answer of `GET /debug/history`. With `?watch=true` a stream: the whole, then a line for each new point. */
export interface HistoryTimeline {
  /** The first version that an exact list or a watch can begin at. */
  readonly oldest: HistoryPoint;
  readonly newest: HistoryPoint;
  /** Versions between them with their times, ascending; at most 1000. Between two points time is interpolated. */
  readonly points: readonly HistoryPoint[];
}

/** A version and its time. */
export interface HistoryPoint {
  readonly resourceVersion: string;
  /** RFC 3339 with milliseconds; null when the store does not know. */
  readonly at: string | null;
}
