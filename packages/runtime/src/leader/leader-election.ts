/** Leader election on a Lease: of several processes one leads, and the next one takes over when it goes. */

import type { CancelTimer, Clock } from '@listwatch/api';
import { type AbortOptions, isAlreadyExists, isConflict, isNotFound, ListWatchError, sleep } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { linkSignal } from '@listwatch/client/internal';
import { type Lease, type LeaseSpec, leases, microTime, readLeaseSpec } from './election-lease.ts';
import { type ElectionInput, type ElectionState, electionStep, mayAcquire } from './election-state.ts';

/** Options of {@link leaderElection}. */
export interface LeaderElectionOptions {
  /** The Lease. It is created when it is missing. */
  readonly lease: { readonly namespace: string; readonly name: string };
  /** The name of this candidate. Must differ from all others. Default: random. */
  readonly identity?: string | undefined;
  /** How long the others wait after the last renewal. Default: 15 000 (client-go). */
  readonly leaseDurationMs?: number | undefined;
  /** Without a renewal for so long the leader gives up. Must be shorter than the lease. Default: 10 000 (client-go). */
  readonly renewDeadlineMs?: number | undefined;
  /** Between attempts; with up to as much again and a fifth at random while waiting. Default: 2 000 (client-go). */
  readonly retryMs?: number | undefined;
  /** Gives the lease up when it stops, so that the next candidate need not wait. Default: true. */
  readonly releaseOnStop?: boolean | undefined;
  /** Told whenever somebody else is seen to hold the lease: at first, at each renewal, and when the holder changes. */
  readonly onWaiting?: ((wait: LeaseWait) => void) | undefined;
  /** Told when a failed attempt will be repeated. Default: nobody. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Told when an attempt succeeds after others that failed. Default: nobody. */
  readonly onRecovered?: (() => void) | undefined;
}

/** What a candidate waits for. */
export interface LeaseWait {
  /** Who holds the lease. */
  readonly holder: string;
  /** When the lease can be taken unless it is renewed, in milliseconds since 1970 by the clock of this candidate. */
  readonly until: number;
}

/** Why leading has ended. */
export class LeaderElectionError extends ListWatchError {
  override readonly code = 'LEADERSHIP_LOST';
}

/** A candidate. */
export interface LeaderElection {
  readonly identity: string;
  readonly state: ElectionState;
  /**
   * Does this candidate lead? Unlike the signal it also notices a deadline that passed while the process could not run: a
   * process that was stopped may run other callbacks before its timers. Gives up at once if so. Call it before each write.
   */
  checkLease(): boolean;
  /**
   * Waits until this candidate leads, then calls `lead` once. Its signal is aborted when the lease is lost or `signal` is aborted;
   * nothing that must be done by the leader alone may go on after that. Resolves when `lead` has returned and the lease is given
   * up. Rejects with `LEADERSHIP_LOST` when the lease was lost, after `lead` has returned, and with what `lead` throws.
   */
  run(lead: (signal: AbortSignal) => Promise<void>, options?: AbortOptions): Promise<void>;
}

/**
 * Makes a candidate. Two leaders at once are possible only when a leader cannot run for longer than `leaseDurationMs -
 * renewDeadlineMs`, such as a stopped process, and only until it runs again and sees its signal.
 *
 * @example
 * await leaderElection(cluster, { lease: { namespace: 'default', name: 'web' } }).run(
 *   (signal) => controller(cluster, options).run({ signal }),
 *   { signal: stop.signal },
 * );
 */
export function leaderElection(cluster: LeaseCluster, options: LeaderElectionOptions): LeaderElection {
  return new LeaseElection(cluster, resolveElectionOptions(options));
}

/** The part of a cluster that an election needs. */
export type LeaseCluster = Pick<Cluster, 'clock' | 'create' | 'get' | 'update'>;

interface ElectionConfig {
  readonly lease: LeaderElectionOptions['lease'];
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
  readonly releaseOnStop: boolean;
  readonly onError: ((error: unknown) => void) | undefined;
  readonly onRecovered: (() => void) | undefined;
  readonly onWaiting: ((wait: LeaseWait) => void) | undefined;
}

/** client-go's: a candidate waits one to 2.2 retry periods. */
const JITTER = 1.2;

function resolveElectionOptions(options: LeaderElectionOptions): ElectionConfig {
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryMs = 2000, identity = randomIdentity() } = options;
  if (identity === '') throw new TypeError('identity must not be empty: an empty holder means that nobody leads');
  if (!(leaseDurationMs >= 1000)) throw new RangeError(`leaseDurationMs must be 1000 or more, not ${leaseDurationMs}`);
  if (!(leaseDurationMs > renewDeadlineMs)) {
    throw new RangeError(`renewDeadlineMs (${renewDeadlineMs}) must be below leaseDurationMs (${leaseDurationMs})`);
  }
  if (!(retryMs > 0 && renewDeadlineMs > JITTER * retryMs)) {
    throw new RangeError(`retryMs (${retryMs}) must be above 0, and renewDeadlineMs more than ${JITTER} times as long`);
  }
  const { lease, releaseOnStop = true, onError, onRecovered, onWaiting } = options;
  return { lease, identity, leaseDurationMs, renewDeadlineMs, retryMs, releaseOnStop, onError, onRecovered, onWaiting };
}

class LeaseElection implements LeaderElection {
  readonly #cluster: LeaseCluster;
  readonly #clock: Clock;
  readonly #config: ElectionConfig;
  #state: ElectionState = { type: 'waiting', holder: '', expired: false };
  /** The lease as it was last seen or written. */
  #seen: Lease | undefined;
  /** Ends the wait for changes of a lease that others hold. */
  #cancelExpiry: CancelTimer | undefined;
  #cancelDeadline: CancelTimer | undefined;
  #onChange: (() => void) | undefined;
  /** The latest attempt has failed. */
  #isFailing = false;
  /** The deadline, on a clock that cannot be set. */
  #heldUntil = -Infinity;

  constructor(cluster: LeaseCluster, config: ElectionConfig) {
    this.#cluster = cluster;
    this.#clock = cluster.clock;
    this.#config = config;
  }

  get identity(): string {
    return this.#config.identity;
  }

  get state(): ElectionState {
    return this.#state;
  }

  checkLease(): boolean {
    if (this.#state.type === 'leading' && this.#time() > this.#heldUntil) this.#input({ type: 'deadline' });
    return this.#state.type === 'leading';
  }

  async run(lead: (signal: AbortSignal) => Promise<void>, { signal }: AbortOptions = {}): Promise<void> {
    const stop = linkSignal(signal);
    try {
      if (!(await this.#acquire(stop.signal))) return;
      // A stop may come while the write is under way.
      if (stop.signal.aborted) return await this.#release();
      await this.#lead(lead, stop.signal);
    } finally {
      this.#cancelExpiry?.();
      this.#cancelDeadline?.();
      stop.unlink();
    }
    if (this.#state.type === 'lost') throw new LeaderElectionError(`${this.#leaseText()}: ${this.#state.reason}`);
  }

  /** False: it was stopped before it could lead. */
  async #acquire(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      if (signal.aborted) {
        this.#input({ type: 'stop' });
        return false;
      }
      await this.#attempt(signal);
      if (this.#state.type === 'leading') return true;
      const { retryMs } = this.#config;
      await sleep(this.#clock, retryMs + Math.random() * JITTER * retryMs, signal).catch(() => undefined);
    }
  }

  async #lead(lead: (signal: AbortSignal) => Promise<void>, stop: AbortSignal): Promise<void> {
    const leading = linkSignal(stop);
    this.#onChange = () => {
      if (this.#state.type === 'lost') leading.abort(new LeaderElectionError(this.#state.reason));
    };
    // Not with the stop: what `lead` still does after it is protected by the lease as well.
    const returned = new AbortController();
    const renewing = this.#renew(returned.signal);
    try {
      await lead(leading.signal);
    } finally {
      this.#onChange = undefined;
      leading.abort();
      leading.unlink();
      returned.abort();
      await renewing;
      if (this.#state.type === 'leading') await this.#release();
    }
  }

  async #renew(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#state.type === 'leading') {
      await sleep(this.#clock, this.#config.retryMs, signal).catch(() => undefined);
      if (!signal.aborted && this.#state.type === 'leading') await this.#attempt(signal);
    }
  }

  /** One look at the lease, and a write if this candidate may. Never rejects. */
  async #attempt(signal: AbortSignal): Promise<void> {
    // A request that hangs must not outlive the deadline, or the next attempt would come too late.
    const limit = linkSignal(signal);
    const cancel = this.#clock.after(this.#config.renewDeadlineMs / 2, () =>
      limit.abort(new Error('no answer in time')),
    );
    try {
      // A leader writes at once: nobody else may have changed the lease, and a conflict shows if somebody has.
      if (this.#state.type !== 'leading') this.#observe(await this.#read(limit.signal));
      if (mayAcquire(this.#state)) await this.#write(limit.signal);
      this.#succeeded();
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error)) await this.#lookAgain(limit.signal);
      else if (!signal.aborted) this.#failed(error);
    } finally {
      cancel();
      limit.unlink();
    }
  }

  async #lookAgain(signal: AbortSignal): Promise<void> {
    try {
      this.#observe(await this.#read(signal));
      this.#succeeded();
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#isFailing = true;
    this.#config.onError?.(error);
  }

  /** After the write, too: a candidate that may read the lease and not write it has not recovered. */
  #succeeded(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#config.onRecovered?.();
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    try {
      return await this.#cluster.get(leases, this.#config.lease, { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Only a change that this candidate sees itself starts the wait anew: the times in a lease are of another machine's clock. */
  #observe(lease: Lease | undefined): void {
    const { holderIdentity = '', leaseDurationSeconds } = readLeaseSpec(lease);
    const isChanged = lease?.metadata.resourceVersion !== this.#seen?.metadata.resourceVersion || lease === undefined;
    this.#seen = lease;
    // A leader of this name: this process before it was restarted, whose lease it may take over.
    const holder = holderIdentity === this.identity ? '' : holderIdentity;
    if (!isChanged) return;
    if (this.#state.type === 'leading' && holderIdentity === this.identity) return;
    this.#cancelExpiry?.();
    this.#input({ type: 'observed', holder });
    const waitMs = leaseDurationSeconds === undefined ? this.#config.leaseDurationMs : leaseDurationSeconds * 1000;
    if (holder === '') return;
    this.#cancelExpiry = this.#clock.after(waitMs, () => this.#input({ type: 'expired' }));
    if (this.#state.type === 'waiting') this.#config.onWaiting?.({ holder, until: this.#clock.now() + waitMs });
  }

  async #write(signal: AbortSignal): Promise<void> {
    // The deadline counts from before the request: the others count from when they see it, which is later.
    let isLate = false;
    const sentAt = this.#time();
    const cancel = this.#clock.after(this.#config.renewDeadlineMs, () => {
      isLate = true;
      this.#input({ type: 'deadline' });
    });
    try {
      this.#seen = await this.#put(this.#heldSpec(), signal);
    } catch (error) {
      cancel();
      throw error;
    }
    // A process that was stopped may read its answer when the lease has long gone to another, and before its timers run.
    if (isLate || this.#time() > sentAt + this.#config.renewDeadlineMs) {
      cancel();
      return this.#input({ type: 'deadline' });
    }
    this.#heldUntil = sentAt + this.#config.renewDeadlineMs;
    this.#cancelExpiry?.();
    this.#cancelDeadline?.();
    this.#cancelDeadline = cancel;
    this.#input({ type: 'written' });
  }

  /** Time that cannot be set. Without it the timers alone decide. */
  #time(): number {
    return this.#clock.monotonic?.() ?? 0;
  }

  #heldSpec(): LeaseSpec {
    const now = microTime(this.#clock.now());
    const { holderIdentity = '', acquireTime = now, leaseTransitions = 0 } = readLeaseSpec(this.#seen);
    const isMine = holderIdentity === this.identity;
    return {
      holderIdentity: this.identity,
      leaseDurationSeconds: Math.ceil(this.#config.leaseDurationMs / 1000),
      acquireTime: isMine ? acquireTime : now,
      renewTime: now,
      leaseTransitions: isMine || this.#seen === undefined ? leaseTransitions : leaseTransitions + 1,
    };
  }

  #put(spec: LeaseSpec, signal?: AbortSignal): Promise<Lease> {
    const seen = this.#seen;
    const options = signal === undefined ? {} : { signal };
    if (seen === undefined) return this.#cluster.create(leases, { metadata: this.#config.lease, spec }, options);
    return this.#cluster.update(leases, { ...seen, spec }, options);
  }

  /** Lets the next candidate in at once. That it fails costs the others the lease's duration, and no more. */
  async #release(): Promise<void> {
    this.#cancelDeadline?.();
    this.#input({ type: 'stop' });
    if (!this.#config.releaseOnStop) return;
    const limit = linkSignal();
    const cancel = this.#clock.after(this.#config.retryMs, () => limit.abort(new Error('no answer in time')));
    try {
      const { leaseTransitions = 0 } = readLeaseSpec(this.#seen);
      const now = microTime(this.#clock.now());
      const spec = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions };
      await this.#put(spec, limit.signal);
    } catch (error) {
      this.#config.onError?.(error);
    } finally {
      cancel();
      limit.unlink();
    }
  }

  #input(input: ElectionInput): void {
    this.#state = electionStep(this.#state, input);
    this.#onChange?.();
  }

  #leaseText(): string {
    const { namespace, name } = this.#config.lease;
    return `lease ${namespace}/${name}`;
  }
}

function randomIdentity(): string {
  return `listwatch-${globalThis.crypto.randomUUID()}`;
}
