/** How every operation that waits is told to stop waiting. */

/** Options of an operation that waits; an abort rejects it with the signal's own reason. */
export interface AbortOptions {
  readonly signal?: AbortSignal | undefined;
}
