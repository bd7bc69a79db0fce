/** The lifetime of a request: it ends when the answer has been read, at the deadline, or when the client has gone. */
import { monotonicMs } from '@listwatch/api/internal';
import type { Clock } from '@listwatch/storage';

/**
 * The abort signal, the deadline and the in-flight place of one request. The controller and the reason are created on
 * first use: most requests end before that, and both are slow to create.
 */
export class RequestLifetime {
  #controller: AbortController | undefined;
  #reason: (() => unknown) | undefined;
  #cancelDeadline: (() => void) | undefined;
  #leavePlace: (() => void) | undefined;
  #leaveSeat: (() => void) | undefined;
  #worked = false;
  #listener: (() => void) | undefined;
  #endsAt: number | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason());
    }
    return this.#controller.signal;
  }

  /** The deadline in monotonic time; undefined when there is none. */
  get endsAt(): number | undefined {
    return this.#endsAt;
  }

  /** Has it ended? */
  get over(): boolean {
    return this.#reason !== undefined;
  }

  /** Throws the reason of its end when it has ended: what a signal does, without one. */
  throwIfOver(): void {
    if (this.#reason !== undefined) this.signal.throwIfAborted();
  }

  /** `listener` is called when it ends, instead of the last one, and at once when it has ended; undefined: nobody is. */
  listen(listener: (() => void) | undefined): void {
    // The client may have gone while it was authenticated.
    if (this.over) listener?.();
    else this.#listener = listener;
  }

  /** Rejects with `reason()` after `ms`, and aborts the signal with it; never resolves. */
  deadline(clock: Clock, ms: number, reason: () => Error): Promise<never> {
    this.#endsAt = monotonicMs(clock) + ms;
    return new Promise((_, reject) => {
      this.#cancelDeadline = clock.after(ms, () => {
        const error = reason();
        reject(error);
        this.end(() => error);
      });
    });
  }

  /** `leave` gives back the in-flight place of the request; called once, when the work is done or the request ends. */
  holdPlace(leave: () => void): void {
    // The client may have gone while authorization was under way.
    if (this.over) leave();
    else this.#leavePlace = leave;
  }

  /** The work is done: another request may take the place. */
  leavePlace(): void {
    this.#leavePlace?.();
    this.#leavePlace = undefined;
  }

  /** `leave` gives back the seats of flow control; called once, as that of the place. */
  holdSeat(leave: () => void): void {
    if (this.over) leave();
    else this.#leaveSeat = leave;
  }

  /** The request holds nothing any more that flow control counts. */
  leaveSeat(): void {
    this.#leaveSeat?.();
    this.#leaveSeat = undefined;
  }

  /** The request has no deadline any more: it has become a watch, or its answer only has to be read. */
  cancelDeadline(): void {
    this.#cancelDeadline?.();
    this.#cancelDeadline = undefined;
    this.#endsAt = undefined;
  }

  /** Another server answers the request: it counts here no longer, and has no deadline. */
  liftLimits(): void {
    this.cancelDeadline();
    this.leavePlace();
    this.leaveSeat();
  }

  /** Only bytes are left to send: when the request ends, there is no work to abort. */
  finishWork(): void {
    this.#worked = true;
  }

  /** Ends it; later calls change nothing. */
  end(reason: () => unknown): void {
    this.liftLimits();
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    if (!this.#worked) this.#controller?.abort(reason());
    this.#listener?.();
  }
}
