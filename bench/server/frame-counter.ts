/** Counts the events of a watch without looking into them. */

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Every event ends with a line feed, and JSON holds no bare one. The lines of HTTP/1.1's chunked encoding end with a
 * carriage return before it, so they are told apart.
 */
export class FrameCounter {
  #last = 0;

  /** How many events end in this chunk. */
  count(chunk: Buffer): number {
    let events = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) {
      if ((at === 0 ? this.#last : chunk[at - 1]) !== CARRIAGE_RETURN) events += 1;
    }
    this.#last = chunk[chunk.length - 1] ?? this.#last;
    return events;
  }
}
