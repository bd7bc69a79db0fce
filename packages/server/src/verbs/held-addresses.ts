/** The addresses of Services that are on their way through the store: the cache does not know them yet. */

import type { Clock, Revision } from '@listwatch/storage';
import type { ServiceAddresses } from '../resources/service-network.ts';
import type { LetGo, WriteEnd } from './held-commit.ts';

/** What a store that gave no answer has done after all is in the cache by then. */
const UNKNOWN_MS = 60_000;

interface Held {
  readonly addresses: ServiceAddresses;
  /** Undefined while the store has it. */
  end?: WriteEnd;
  /** When that was. */
  endedAt?: number;
}

/** The state between the choice of an address and the cache that shows it. */
export class HeldAddresses {
  readonly #held = new Set<Held>();
  readonly #clock: Clock;
  readonly #seen: () => Revision;

  /** `seen` is the revision that the cache has come to. */
  constructor(clock: Clock, seen: () => Revision) {
    this.#clock = clock;
    this.#seen = seen;
  }

  get size(): number {
    return this.#held.size;
  }

  /** To be called in the turn in which they were chosen: a turn later somebody else has chosen them too. */
  hold(addresses: ServiceAddresses): LetGo {
    this.#sweep();
    const held: Held = { addresses };
    this.#held.add(held);
    return (end) => {
      held.end = end;
      held.endedAt = this.#clock.now();
      if (end.type === 'nothing') this.#held.delete(held);
    };
  }

  /** All that is held. */
  addresses(): readonly ServiceAddresses[] {
    this.#sweep();
    return [...this.#held].map(({ addresses }) => addresses);
  }

  /** Forgets what the cache knows by itself. A committed address is held until then: nobody else says that it is taken. */
  #sweep(): void {
    const seen = this.#seen();
    const now = this.#clock.now();
    for (const held of this.#held) {
      const { end, endedAt = now } = held;
      const known = end?.type === 'committed' ? end.revision <= seen : end !== undefined && now - endedAt >= UNKNOWN_MS;
      if (known) this.#held.delete(held);
    }
  }
}
