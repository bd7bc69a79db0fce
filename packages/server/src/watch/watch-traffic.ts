/** How much the watchers of a kind have been sent. */

/** Plain numbers: they are added to on the way of every event, and read when somebody looks. */
export class WatchTraffic {
  #events = 0;
  #bytes = 0;
  /** Watchers of one channel are handed the same array one after another: it is measured once. */
  #last: readonly Buffer[] = [];
  #lastBytes = 0;

  /** Frames sent, bookmarks and errors included. */
  get events(): number {
    return this.#events;
  }

  /** Their bytes, before the transport adds its own. */
  get bytes(): number {
    return this.#bytes;
  }

  /** These frames have been handed to a socket; `events` says how many they are where they come in pieces. */
  add(frames: readonly Buffer[], events: number = frames.length): void {
    if (frames !== this.#last) {
      let bytes = 0;
      for (const frame of frames) bytes += frame.length;
      this.#last = frames;
      this.#lastBytes = bytes;
    }
    this.#events += events;
    this.#bytes += this.#lastBytes;
  }
}
