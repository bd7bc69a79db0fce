/** What a manager says about the lease that it wants: each thing once. */

import type { Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { Logger } from '../controller/logger.ts';
import type { LeaderElectionOptions, LeaseWait } from '../leader/leader-election.ts';

/** Hears of every attempt, a few in ten seconds. */
export class LeaseReport {
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #lease: string;
  #holder: string | undefined;
  /** Since when attempts fail, and why: every reason is told once until one succeeds. */
  #failing: { readonly since: number; readonly reasons: Set<string> } | undefined;

  constructor(logger: Logger, clock: Clock, { namespace, name }: LeaderElectionOptions['lease']) {
    this.#logger = logger;
    this.#clock = clock;
    this.#lease = `${namespace}/${name}`;
  }

  /** Somebody else holds it. */
  waiting({ holder, until }: LeaseWait): void {
    if (holder === this.#holder) return;
    this.#holder = holder;
    const facts = { lease: this.#lease, holder, until: new Date(until).toISOString() };
    this.#logger.info(facts, `waiting for the lease: ${holder} holds it, until then if it is not renewed`);
  }

  /** It could not be read or written. */
  failed(error: unknown): void {
    this.#failing ??= { since: monotonicMs(this.#clock), reasons: new Set() };
    const { reasons } = this.#failing;
    const message = error instanceof Error ? error.message : String(error);
    if (reasons.has(message)) return;
    reasons.add(message);
    this.#logger.warn({ lease: this.#lease, error }, 'the lease could not be read or written');
  }

  /** It could, after attempts that failed. */
  recovered(): void {
    if (this.#failing === undefined) return;
    const seconds = (monotonicMs(this.#clock) - this.#failing.since) / 1000;
    this.#failing = undefined;
    this.#logger.info({ lease: this.#lease }, `the lease can be read and written again, after ${seconds.toFixed(1)} s`);
  }

  /** This process has it. */
  leads(identity: string): void {
    this.#holder = undefined;
    this.#logger.info({ lease: this.#lease, identity }, 'this process leads');
  }
}
