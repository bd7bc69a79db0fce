/** Leases for keys that expire: one lease for many keys of about the same end, as Kubernetes does. */

import { monotonicMs } from '@listwatch/api/internal';
import type { Clock } from '@listwatch/storage';

/** A lease costs etcd a raft entry and memory; one per event object would double the write load. */
const LONGEST_REUSE_SECONDS = 60;
const REUSE_SHARE = 0.05;

/** A commit may take this long after its lease was chosen without its key expiring early. */
const MARGIN_SECONDS = 1;

/** What the pool needs. */
export interface LeasePoolOptions {
  /** How many keys may share a lease. */
  readonly maxKeys: number;
  readonly clock: Clock;
  /** Asks etcd for a lease and returns its id. */
  readonly grant: (ttlSeconds: number) => Promise<bigint>;
}

interface SharedLease {
  readonly id: bigint;
  /** When it runs out at the earliest, by the clock: counted from before it was asked for. */
  readonly expiresAt: number;
  keys: number;
}

/** For how many seconds new keys of this TTL may join a lease: 5 % of the TTL, from 1 s to 60 s. */
export function reuseSeconds(ttlSeconds: number, maxKeys: number): number {
  if (maxKeys === 1) return 0;
  return Math.max(1, Math.min(LONGEST_REUSE_SECONDS, Math.floor(ttlSeconds * REUSE_SHARE)));
}

/** Gives each key a lease that lasts at least its TTL, and not much longer. */
export class LeasePool {
  readonly #options: LeasePoolOptions;
  readonly #leases = new Map<number, SharedLease>();
  readonly #grants = new Map<number, Promise<void>>();

  constructor(options: LeasePoolOptions) {
    this.#options = options;
  }

  /** The lease for one key with this TTL. */
  async lease(ttlSeconds: number): Promise<bigint> {
    if (this.#options.maxKeys === 1) return (await this.#request(ttlSeconds)).id;
    for (;;) {
      const lease = this.#leases.get(ttlSeconds);
      if (lease !== undefined && this.#hasRoom(lease, ttlSeconds)) {
        lease.keys += 1;
        return lease.id;
      }
      await this.#grantOnce(ttlSeconds);
    }
  }

  /** Do not use this lease again: etcd does not know it any more. */
  forget(id: bigint): void {
    for (const [ttlSeconds, lease] of this.#leases) if (lease.id === id) this.#leases.delete(ttlSeconds);
  }

  #hasRoom(lease: SharedLease, ttlSeconds: number): boolean {
    const needed = monotonicMs(this.#options.clock) + (ttlSeconds + MARGIN_SECONDS) * 1000;
    return lease.keys < this.#options.maxKeys && needed <= lease.expiresAt;
  }

  /** All who wait for a lease of the same TTL wait for the same one. */
  #grantOnce(ttlSeconds: number): Promise<void> {
    const running = this.#grants.get(ttlSeconds);
    if (running !== undefined) return running;
    const grant = this.#share(ttlSeconds).finally(() => this.#grants.delete(ttlSeconds));
    this.#grants.set(ttlSeconds, grant);
    return grant;
  }

  async #share(ttlSeconds: number): Promise<void> {
    const lease = await this.#request(ttlSeconds);
    this.#dropExpired();
    this.#leases.set(ttlSeconds, lease);
  }

  async #request(ttlSeconds: number): Promise<SharedLease> {
    const { clock, grant, maxKeys } = this.#options;
    const asked = monotonicMs(clock);
    const granted = ttlSeconds + reuseSeconds(ttlSeconds, maxKeys) + MARGIN_SECONDS;
    const id = await grant(granted);
    return { id, expiresAt: asked + granted * 1000, keys: 0 };
  }

  #dropExpired(): void {
    const now = monotonicMs(this.#options.clock);
    for (const [ttlSeconds, lease] of this.#leases) if (lease.expiresAt <= now) this.#leases.delete(ttlSeconds);
  }
}
