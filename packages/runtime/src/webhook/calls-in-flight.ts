/** Bounds how many calls are answered at once, and how many bytes their bodies have together. */

/** One call's share. */
export interface InFlightShare {
  /** False: there is no room for so many bytes more. */
  grow(bytes: number): boolean;
  /** Safe to call twice. */
  release(): void;
}

export interface CallLimits {
  readonly calls: number;
  readonly bytes: number;
}

export class CallsInFlight {
  readonly #limits: CallLimits;
  #calls = 0;
  #bytes = 0;

  constructor(limits: CallLimits) {
    this.#limits = limits;
  }

  /** Undefined: as many as may run do. */
  take(): InFlightShare | undefined {
    if (this.#calls >= this.#limits.calls) return undefined;
    this.#calls++;
    let own = 0;
    let isReleased = false;
    return {
      grow: (bytes) => {
        if (this.#bytes + bytes > this.#limits.bytes) return false;
        own += bytes;
        this.#bytes += bytes;
        return true;
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        this.#calls--;
        this.#bytes -= own;
      },
    };
  }
}
