/** Requests that stay open for long and end when their user could not send them again. Start here. */

import { isForbidden, isUnauthorized } from '@listwatch/api';
import type { CancelTimer, Clock } from '@listwatch/storage';
import { Expirations } from './expirations.ts';

/** Something that was taken away from users: their rights, or what makes their credentials count. */
export type Loss = 'credential' | 'rights';

/** A watch or stream that is open. */
export interface OpenRequest {
  /** What it depends on: see `subjectKeys` and `credentialBasis`. */
  readonly keys: Iterable<string>;
  /** When its credentials expire, milliseconds since the epoch. Default: never. */
  readonly expirations?: readonly number[] | undefined;
  /** Decides once more, as when it came. Rejects with the 401 or 403 `StatusError`. */
  readonly decide: (loss: Loss) => Promise<void>;
  /** May be called again: a connection that is being set up cannot be ended yet. */
  readonly end: () => void;
}

/** Keeps requests while they are open. */
export interface HeldRequests {
  /** How many losses there were. Read it before a request is decided, and give it to `hold`. */
  readonly losses: number;
  /** Keeps a request, until the function is called. `since`: its decision may not have known of rights that were lost after that time. */
  hold(request: OpenRequest, since: number): () => void;
}

/** Numbers since the start. */
export interface RevocationCounts {
  checks: number;
  ended: number;
}

/** A binding may name a group that everybody is in: other requests must be answered in between. */
const DECISIONS_PER_TURN = 100;
/** Decisions that wait for a webhook or the store. */
const DECISIONS_AT_ONCE = 100;
/** When nobody could decide, it is tried again after this time. */
const AGAIN_MS = 1000;

interface Held {
  readonly request: OpenRequest;
  readonly expirations: readonly number[] | undefined;
  /** `ending`: it was told to end. `gone`: it has ended. */
  state: 'ending' | 'gone' | 'open';
}

/**
 * Finds the requests that a loss concerns by their keys, and decides them anew: a few in each turn of the event loop, each once
 * however many losses there were meanwhile.
 */
export class OpenRequests implements HeldRequests {
  readonly counts: RevocationCounts = { checks: 0, ended: 0 };
  readonly #clock: Clock;
  readonly #byKey = new Map<string, Set<Held>>();
  readonly #doubtful = new Map<Held, Loss>();
  /** To be decided again later. */
  readonly #later = new Map<Held, Loss>();
  readonly #expirations: Expirations<Held>;
  #losses = 0;
  #deciding = 0;
  #isScheduled = false;
  #cancelAgain: CancelTimer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#expirations = new Expirations(clock, (held) => this.#doubt(held, 'credential'));
  }

  get losses(): number {
    return this.#losses;
  }

  /** Requests that are to be decided anew. */
  get waiting(): number {
    return this.#doubtful.size + this.#later.size + this.#deciding;
  }

  hold(request: OpenRequest, since: number): () => void {
    const held: Held = { request, expirations: request.expirations, state: 'open' };
    const keys = new Set(request.keys);
    for (const key of keys) {
      const others = this.#byKey.get(key);
      if (others === undefined) this.#byKey.set(key, new Set([held]));
      else others.add(held);
    }
    this.#expirations.add(held);
    if (since !== this.#losses) this.#doubt(held, 'credential');
    return () => {
      held.state = 'gone';
      this.#doubtful.delete(held);
      this.#later.delete(held);
      this.#expirations.delete(held);
      for (const key of keys) this.#release(key, held);
    };
  }

  /** Something with these keys is gone, or has changed. */
  lost(loss: Loss, keys: Iterable<string>): void {
    this.#losses += 1;
    for (const key of keys) for (const held of this.#byKey.get(key) ?? []) this.#doubt(held, loss);
  }

  /** Anything may have been lost. */
  lostAny(loss: Loss): void {
    this.lost(loss, [...this.#byKey.keys()]);
  }

  close(): void {
    this.#cancelAgain?.();
    this.#expirations.close();
    this.#doubtful.clear();
    this.#later.clear();
  }

  #release(key: string, held: Held): void {
    const others = this.#byKey.get(key);
    others?.delete(held);
    if (others?.size === 0) this.#byKey.delete(key);
  }

  #doubt(held: Held, loss: Loss): void {
    const known = this.#doubtful.get(held);
    // A lost credential is the larger question: it asks for the rights as well.
    this.#doubtful.set(held, known === 'credential' ? known : loss);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#doubtful.size === 0 || this.#deciding >= DECISIONS_AT_ONCE) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#turn();
    });
  }

  #turn(): void {
    let left = Math.min(DECISIONS_PER_TURN, DECISIONS_AT_ONCE - this.#deciding);
    for (const [held, loss] of this.#doubtful) {
      if (left === 0) break;
      left -= 1;
      this.#doubtful.delete(held);
      void this.#decide(held, loss);
    }
    this.#schedule();
  }

  async #decide(held: Held, loss: Loss): Promise<void> {
    this.#deciding += 1;
    this.counts.checks += 1;
    try {
      await held.request.decide(loss);
    } catch (error) {
      if (isUnauthorized(error) || isForbidden(error)) this.#end(held);
      // Nobody could decide, or the connection is not up yet.
      this.#decideLater(held, loss);
    } finally {
      this.#deciding -= 1;
      this.#schedule();
    }
  }

  #end(held: Held): void {
    if (held.state === 'gone') return;
    if (held.state === 'open') this.counts.ended += 1;
    held.state = 'ending';
    held.request.end();
  }

  #decideLater(held: Held, loss: Loss): void {
    if (held.state === 'gone') return;
    this.#later.set(held, loss);
    this.#cancelAgain ??= this.#clock.after(AGAIN_MS, () => {
      this.#cancelAgain = undefined;
      const later = [...this.#later];
      this.#later.clear();
      for (const [one, what] of later) this.#doubt(one, what);
    });
  }
}
