/** How many calls wait for an answer, and how long calls have waited since the start. */

/** Adds up the time without an object for each call: the sum grows by the time that passes, times the calls that wait. */
export class CallTimes {
  readonly #now: () => number;
  #calls = 0;
  #waiting = 0;
  #waitedMs = 0;
  #at: number;

  /** `now` is in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#at = now();
  }

  /** Calls since the start. */
  get calls(): number {
    return this.#calls;
  }

  /** Calls that have no answer yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Seconds that calls have waited, all of them together, those that still wait included. */
  get seconds(): number {
    this.#pass();
    return this.#waitedMs / 1000;
  }

  /** Counts a call until it has its answer. */
  watch(call: Promise<unknown>): void {
    this.begin();
    call.then(this.#end, this.#end);
  }

  /** A call begins. */
  begin(): void {
    this.#pass();
    this.#calls += 1;
    this.#waiting += 1;
  }

  /** A call has its answer. */
  end(): void {
    this.#pass();
    this.#waiting -= 1;
  }

  readonly #end = (): void => this.end();

  #pass(): void {
    const now = this.#now();
    this.#waitedMs += this.#waiting * (now - this.#at);
    this.#at = now;
  }
}
