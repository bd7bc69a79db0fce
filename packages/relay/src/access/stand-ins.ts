/** Ends what stood in for the answers of the upstream as soon as it can be asked again. */

import type { DecisionCounts } from './decision-cache.ts';
import type { WatchRights } from './watch-rights.ts';

export interface StandInsParts {
  /** Of the caches whose decisions may stand in. */
  readonly counts: () => readonly Pick<DecisionCounts, 'stretched'>[];
  readonly rights: Pick<WatchRights, 'returned'>;
}

export class StandIns {
  readonly #parts: StandInsParts;
  #ended = 0;

  constructor(parts: StandInsParts) {
    this.#parts = parts;
  }

  /** The upstream was away and is back. Each kind says so; whoever came by the answers of its own time is not asked about. */
  readonly returned = (): void => {
    const used = this.#parts.counts().reduce((sum, { stretched }) => sum + stretched, 0);
    if (used === this.#ended) return;
    this.#ended = used;
    this.#parts.rights.returned();
  };
}
