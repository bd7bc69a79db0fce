/** How long anybody cares for a request: until its answer is out, its time is up, or its client has gone. */
import type { Clock } from '@listwatch/storage';

/**
 * The abort signal of one request. The controller and the reason are made only for those who look: most requests are
 * over before anybody does, and both are slow to make.
 */
export class RequestLifetime {
  #controller: AbortController | undefined;
  #reason: (() => unknown) | undefined;
  #cancelDeadline: (() => void) | undefined;
  #worked = false;
  #listener: (() => void) | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason());
    }
    return this.#controller.signal;
  }

  /** Has it ended? */
  get over(): boolean {
    return this.#reason !== undefined;
  }

  /** Throws the reason of its end when it has ended: what a signal does, without one. */
  throwIfOver(): void {
    if (this.#reason !== undefined) this.signal.throwIfAborted();
  }

  /** `listener` is called when it ends, instead of the last one; undefined: nobody is. */
  listen(listener: (() => void) | undefined): void {
    this.#listener = listener;
  }

  /** Rejects with `reason()` after `ms`, and aborts the signal with it; never resolves. */
  deadline(clock: Clock, ms: number, reason: () => Error): Promise<never> {
    return new Promise((_, reject) => {
      this.#cancelDeadline = clock.after(ms, () => {
        const error = reason();
        reject(error);
        this.end(() => error);
      });
    });
  }

  /** Lets the request take as long as it wants: it has become a watch. */
  cancelDeadline(): void {
    this.#cancelDeadline?.();
    this.#cancelDeadline = undefined;
  }

  /** Its work is done and only bytes are left to send: when it ends, nobody is there to be told. */
  finishWork(): void {
    this.#worked = true;
  }

  /** Ends it; later calls change nothing. */
  end(reason: () => unknown): void {
    this.cancelDeadline();
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    if (!this.#worked) this.#controller?.abort(reason());
    this.#listener?.();
  }
}
