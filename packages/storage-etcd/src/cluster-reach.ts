/** Tells when the cluster has not answered for a while, and when it does again: what an operator looks for in a log. */

import type { Clock, StorageError } from '@listwatch/storage';

/** A change that is worth a line in a log. */
export type EtcdReachEvent =
  | { readonly type: 'lost'; readonly error: StorageError }
  | { readonly type: 'back'; readonly endpoint: string; readonly afterMs: number };

/** An election takes a second, and a member that is replaced by another one less. */
const LOST_AFTER_MS = 3000;

/** Answers and failures, in the order in which they come. */
export class ClusterReach {
  readonly #clock: Clock;
  readonly #tell: (event: EtcdReachEvent) => void;
  #failingSince: number | undefined;
  #isTold = false;

  constructor(clock: Clock, tell: (event: EtcdReachEvent) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** A member did not serve. `error` is asked for only when it is told. */
  failed(error: () => StorageError): void {
    const now = this.#clock.now();
    this.#failingSince ??= now;
    if (this.#isTold || now - this.#failingSince < LOST_AFTER_MS) return;
    this.#isTold = true;
    this.#tell({ type: 'lost', error: error() });
  }

  /** A member answered. */
  answered(endpoint: string): void {
    const since = this.#failingSince;
    if (since === undefined) return;
    this.#failingSince = undefined;
    if (!this.#isTold) return;
    this.#isTold = false;
    this.#tell({ type: 'back', endpoint, afterMs: this.#clock.now() - since });
  }
}
