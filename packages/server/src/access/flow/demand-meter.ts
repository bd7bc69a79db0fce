/** How many seats a level wants, over a period: average, deviation and maximum by time. */

/** What was seen in a period. */
export interface Demand {
  readonly average: number;
  readonly deviation: number;
  readonly highest: number;
}

/** Integrates a number over time. Times are in milliseconds. */
export class DemandMeter {
  #value = 0;
  #highest = 0;
  #sum = 0;
  #squares = 0;
  #since: number;
  #last: number;

  constructor(now: number) {
    this.#since = now;
    this.#last = now;
  }

  get value(): number {
    return this.#value;
  }

  set(value: number, now: number): void {
    this.#advance(now);
    this.#value = value;
    if (value > this.#highest) this.#highest = value;
  }

  /** The period that ends now; the next one begins. */
  take(now: number): Demand {
    this.#advance(now);
    const elapsed = now - this.#since;
    const average = elapsed > 0 ? this.#sum / elapsed : this.#value;
    const variance = elapsed > 0 ? this.#squares / elapsed - average * average : 0;
    const demand = { average, deviation: Math.sqrt(Math.max(0, variance)), highest: this.#highest };
    this.#since = now;
    this.#sum = 0;
    this.#squares = 0;
    this.#highest = this.#value;
    return demand;
  }

  #advance(now: number): void {
    const elapsed = Math.max(0, now - this.#last);
    this.#sum += this.#value * elapsed;
    this.#squares += this.#value * this.#value * elapsed;
    this.#last = Math.max(now, this.#last);
  }
}
