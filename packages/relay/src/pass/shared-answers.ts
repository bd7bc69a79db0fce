/** Requests that ask the same share one answer, but never one that was asked for before they came. */

/** A question, and those who wait for its answer. */
class Batch<V> {
  readonly answer: Promise<V>;
  /** With the last one gone the question is not asked, or given up. */
  waiting = 0;
  readonly abort: AbortController = new AbortController();
  readonly #send: (signal: AbortSignal) => Promise<V>;
  #resolve: (answer: Promise<V>) => void = nothing;

  constructor(send: (signal: AbortSignal) => Promise<V>) {
    this.#send = send;
    this.answer = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    // Those who wait hear of it themselves; all of them may have left.
    this.answer.catch(nothing);
  }

  /** Never rejects. */
  async run(): Promise<void> {
    const answer = (async () => this.#send(this.abort.signal))();
    this.#resolve(answer);
    await answer.then(nothing, nothing);
  }
}

interface Line<V> {
  readonly running: Batch<V>;
  next: Batch<V> | undefined;
}

/** One question of each key is running at most, and one is next. */
export class SharedAnswers<K, V> {
  readonly #lines = new Map<K, Line<V>>();

  /** The number of keys that are being asked for. */
  get size(): number {
    return this.#lines.size;
  }

  /** Is somebody's question under way? */
  isAsking(key: K): boolean {
    return this.#lines.has(key);
  }

  /**
   * Answers with what `send` gives: that of this call, or of another one for this key that was not sent when this call came. Rejects
   * with the reason of `signal`; the others go on waiting.
   */
  ask(key: K, send: (signal: AbortSignal) => Promise<V>, signal?: AbortSignal): Promise<V> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const line = this.#lines.get(key);
    if (line === undefined) {
      const first = new Batch(send);
      this.#begin(key, first);
      return wait(first, signal);
    }
    // One that everybody has left will not be asked.
    if (line.next === undefined || line.next.abort.signal.aborted) line.next = new Batch(send);
    return wait(line.next, signal);
  }

  #begin(key: K, batch: Batch<V>): void {
    const line: Line<V> = { running: batch, next: undefined };
    this.#lines.set(key, line);
    void batch.run().finally(() => {
      const { next } = line;
      if (next === undefined || next.abort.signal.aborted) this.#lines.delete(key);
      else this.#begin(key, next);
    });
  }
}

function wait<V>(batch: Batch<V>, signal: AbortSignal | undefined): Promise<V> {
  batch.waiting += 1;
  return new Promise<V>((resolve, reject) => {
    const leave = (): void => {
      batch.waiting -= 1;
      if (batch.waiting === 0) batch.abort.abort(signal?.reason);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    void batch.answer.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
  });
}

function nothing(): void {}
