/** Counts what was sent to the watchers of a kind. */

/** Plain numbers, because they are updated for every event. */
export class WatchTraffic {
  #events = 0;
  #bytes = 0;
  #states = 0;
  /** Watchers of one channel get the same array one after another: it is measured once. */
  #last: readonly Buffer[] = [];
  #lastBytes = 0;

  /** Frames sent, bookmarks and errors included. */
  get events(): number {
    return this.#events;
  }

  /** Their bytes, without those of the transport. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Watches that began with all objects of their scope. */
  get states(): number {
    return this.#states;
  }

  /** Counts a watch that begins with all objects of its scope. */
  addState(): void {
    this.#states += 1;
  }

  /** Counts frames that were written to a sink; `events` is their number when they come in pieces. */
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

/** What has been counted of a kind's watches since the start, across generations of its cache. Plain numbers, read by the metrics. */
export class WatchStats {
  readonly traffic: WatchTraffic = new WatchTraffic();
  /** Watches that ended because they fell behind the window or held too many unsent events. */
  terminated = 0;
}
