/** What a manager says about the lease that it wants: each thing once. */

import type { Logger } from '../controller/logger.ts';
import type { LeaderElectionOptions, LeaseWait } from '../leader/leader-election.ts';

/** Hears of every attempt, a few in ten seconds. */
export class LeaseReport {
  readonly #logger: Logger;
  readonly #lease: string;
  #holder: string | undefined;
  #failure: string | undefined;

  constructor(logger: Logger, { namespace, name }: LeaderElectionOptions['lease']) {
    this.#logger = logger;
    this.#lease = `${namespace}/${name}`;
  }

  /** Somebody else holds it. */
  waiting({ holder, until }: LeaseWait): void {
    this.#recovered();
    if (holder === this.#holder) return;
    this.#holder = holder;
    const facts = { lease: this.#lease, holder, until: new Date(until).toISOString() };
    this.#logger.info(facts, `waiting for the lease: ${holder} holds it, until then if it is not renewed`);
  }

  /** It could not be read or written. */
  failed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.#failure) return;
    this.#failure = message;
    this.#logger.warn({ lease: this.#lease, error }, 'the lease could not be read or written');
  }

  /** This process has it. */
  leads(identity: string): void {
    this.#recovered();
    this.#holder = undefined;
    this.#logger.info({ lease: this.#lease, identity }, 'this process leads');
  }

  #recovered(): void {
    this.#failure = undefined;
  }
}
