/** Limits the calls of one webhook: a number in flight, and a bounded queue. */

/** The maximum of calls in flight. */
const IN_FLIGHT_MAX = 64;
/** The maximum of waiting calls. */
const WAITING_MAX = 1000;

/** The queue is full. */
export class TooManyCalls extends Error {
  override readonly name = 'TooManyCalls';

  constructor() {
    super(`${IN_FLIGHT_MAX} calls of this webhook are in flight and ${WAITING_MAX} wait`);
  }
}

/** The in-flight limit of one webhook. */
export class CallPlaces {
  readonly #waiting = new Set<() => void>();
  #inFlight = 0;

  get inFlight(): number {
    return this.#inFlight;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Waits for a free place and takes it. Rejects with {@link TooManyCalls} and with the signal's reason. */
  async enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#inFlight >= IN_FLIGHT_MAX) await this.#wait(signal);
    else this.#inFlight += 1;
  }

  /** Passes the place to the next waiting call. */
  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#inFlight -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= WAITING_MAX) return Promise.reject(new TooManyCalls());
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#waiting.delete(enter);
        reject(signal.reason);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      this.#waiting.add(enter);
      signal.addEventListener('abort', abort, { once: true });
    });
  }
}
