/** The turns that processes take at compacting a shared cluster: the scheme, and the key, of kube-apiserver. */

import { type CancelTimer, type Clock, isStorageError } from '@listwatch/storage';
import { isAnswer } from './etcd-error.ts';

/** The key whose version is the token. Outside every root, as Kubernetes has it, so that both take the same turns. */
export const COMPACTION_KEY = 'compact_rev_key';

/** After a failure the turn is tried again this soon, for a turn can be a day long. */
const RETRY_MS = 60_000;

/** What the turn was answered with. */
export interface CompactionTurn {
  /** Nobody else has taken a turn since the version that was given. */
  readonly won: boolean;
  /** The token's version now. */
  readonly version: number;
  /** The store's revision now. */
  readonly revision: number;
}

/** What the compactor needs. */
export interface CompactorOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  /** Writes `revision` into the token if its version is `version`. */
  readonly takeTurn: (version: number, revision: number) => Promise<CompactionTurn>;
  readonly compact: (revision: number) => Promise<void>;
}

/**
 * Every interval: whoever finds the token as it was one interval ago owns the turn, and compacts to the revision that it
 * saw one interval ago. So what is younger than the interval always stays, and nothing stays longer than two.
 */
export class Compactor {
  readonly #options: CompactorOptions;
  #version = 0;
  #revision = 0;
  #cancel: CancelTimer;
  #stopped = false;

  constructor(options: CompactorOptions) {
    this.#options = options;
    this.#cancel = this.#schedule(options.intervalMs);
  }

  /** No more turns. One under way ends by itself. */
  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #schedule(ms: number): CancelTimer {
    return this.#options.clock.after(ms, () => void this.#turnAndSchedule());
  }

  async #turnAndSchedule(): Promise<void> {
    const next = await this.#turn();
    if (!this.#stopped) this.#cancel = this.#schedule(next);
  }

  /** One turn; resolves with the time to the next. */
  async #turn(): Promise<number> {
    const { intervalMs, takeTurn, compact } = this.#options;
    const target = this.#revision;
    try {
      const turn = await takeTurn(this.#version, target);
      this.#version = turn.version;
      this.#revision = turn.revision;
      // 0: the first turn only learns where the store stands.
      if (turn.won && target > 0) await compact(target);
      return intervalMs;
    } catch (error) {
      // Someone else has compacted further: just as well.
      if (isAnswer(error, 'compacted') || isStorageError(error, 'COMPACTED')) return intervalMs;
      return Math.min(RETRY_MS, intervalMs);
    }
  }
}
