/** What one fault does, at which point of an exchange. */

import type { TransportRequest, TransportResponse } from '@listwatch/client';
import type { EndOfBody, Fault, FaultOptions } from './fault.ts';

/** What becomes of a frame. */
export type FrameVerdict =
  | { readonly type: 'drop' }
  /** It goes out, and after it the body ends. */
  | { readonly type: 'endAfter'; readonly how: EndOfBody }
  | { readonly type: 'pass' }
  /** A half of it goes out, and then the body ends. */
  | { readonly type: 'tear'; readonly how: EndOfBody };

/** The points at which a fault can strike; each is left out where it does not. */
export interface FaultEffect {
  /** Answers in place of the server; undefined lets the request pass. */
  readonly answer?: (request: TransportRequest) => TransportResponse | undefined;
  /** Holds a request back for this long before it is sent. */
  readonly delayMs?: number;
  /** Requests and bodies vanish, for good. */
  readonly swallows?: boolean;
  /** Bodies fall silent, for as long as it lasts. */
  readonly stalls?: boolean;
  /** Looks at every frame of a watch; `number` counts those of this watch since the fault began to look at it. */
  readonly frame?: (frame: Uint8Array, number: number) => FrameVerdict;
}

/** A fault in place. */
export class FaultRule implements Fault {
  readonly effect: FaultEffect;
  readonly #match: (request: TransportRequest) => boolean;
  readonly #times: number;
  readonly #onRestore: (rule: FaultRule) => void;
  #hits = 0;
  #restored = false;

  constructor(effect: FaultEffect, options: FaultOptions, onRestore: (rule: FaultRule) => void) {
    const { match = () => true, times = Number.POSITIVE_INFINITY } = options;
    if (!(times >= 1)) throw new RangeError(`times must be 1 or more, not ${times}`);
    this.effect = effect;
    this.#match = match;
    this.#times = times;
    this.#onRestore = onRestore;
  }

  get hits(): number {
    return this.#hits;
  }

  get active(): boolean {
    return !this.#restored;
  }

  matches(request: TransportRequest): boolean {
    return !this.#restored && this.#match(request);
  }

  /** Counts; the last time takes the fault away. */
  strike(): void {
    this.#hits += 1;
    if (this.#hits >= this.#times) this.restore();
  }

  restore(): void {
    if (this.#restored) return;
    this.#restored = true;
    this.#onRestore(this);
  }

  [Symbol.dispose](): void {
    this.restore();
  }
}
