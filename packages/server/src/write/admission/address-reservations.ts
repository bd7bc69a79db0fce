/** Addresses of Services that are being written: the cache does not show them yet. */

import type { ServiceAddresses } from '@listwatch/rules/internal';
import type { Clock, Revision } from '@listwatch/storage';
import type { Allocation, WriteOutcome } from '../../contract/admission.ts';

/** A write whose outcome is unknown shows in the cache within this time if it was committed. */
const UNKNOWN_MS = 60_000;

interface Reservation {
  readonly addresses: ServiceAddresses;
  /** Undefined while the write is under way. */
  outcome?: WriteOutcome;
  endedAt?: number;
}

/** Keeps an address from the moment it is chosen until the cache shows it, so that no other Service gets it. */
export class AddressReservations {
  readonly #reservations = new Set<Reservation>();
  readonly #clock: Clock;
  readonly #seen: () => Revision;

  /** `seen` is the revision that the cache has reached. */
  constructor(clock: Clock, seen: () => Revision) {
    this.#clock = clock;
    this.#seen = seen;
  }

  get size(): number {
    return this.#reservations.size;
  }

  /** Reserves addresses. Call it in the same turn as the choice: a turn later another request may choose them too. */
  reserve(addresses: ServiceAddresses): Allocation['release'] {
    this.#sweep();
    const reservation: Reservation = { addresses };
    this.#reservations.add(reservation);
    return (outcome) => {
      reservation.outcome = outcome;
      reservation.endedAt = this.#clock.now();
      if (outcome.type === 'nothing') this.#reservations.delete(reservation);
    };
  }

  /** All reserved addresses. */
  addresses(): readonly ServiceAddresses[] {
    this.#sweep();
    return [...this.#reservations].map(({ addresses }) => addresses);
  }

  /** Drops reservations that the cache now covers. */
  #sweep(): void {
    const seen = this.#seen();
    const now = this.#clock.now();
    for (const reservation of this.#reservations) {
      const { outcome, endedAt = now } = reservation;
      const covered =
        outcome?.type === 'committed' ? outcome.revision <= seen : outcome !== undefined && now - endedAt >= UNKNOWN_MS;
      if (covered) this.#reservations.delete(reservation);
    }
  }
}
