/** The promise of a complete state, which can be broken more than once before it is kept. */

interface Attempt {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Each rejection is for those who wait now; who asks afterwards waits for the next outcome. */
export class SyncGate {
  #attempt: Attempt = newAttempt();
  #state: 'closed' | 'open' | 'shut' = 'shut';

  get promise(): Promise<void> {
    return this.#attempt.promise;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  open(): void {
    if (this.#state !== 'shut') return;
    this.#state = 'open';
    this.#attempt.resolve();
  }

  /** It did not work this time. */
  fail(reason: unknown): void {
    if (this.#state !== 'shut') return;
    this.#attempt.reject(reason);
    this.#attempt = newAttempt();
  }

  /** It will not work any more. */
  close(reason: unknown): void {
    if (this.#state !== 'shut') return;
    this.#state = 'closed';
    this.#attempt.reject(reason);
  }
}

function newAttempt(): Attempt {
  const settle: { resolve?: () => void; reject?: (reason: unknown) => void } = {};
  const promise = new Promise<void>((resolve, reject) => {
    settle.resolve = resolve;
    settle.reject = reject;
  });
  // An informer whose `synced` nobody reads must not end the process when it fails.
  promise.catch(() => {});
  return { promise, resolve: () => settle.resolve?.(), reject: (reason) => settle.reject?.(reason) };
}
