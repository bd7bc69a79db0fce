/** How an informer is doing. */

import type { WatcherError } from '../watcher-error.ts';

/**
 * - `syncing`: the cache is being filled, or was filled from a checkpoint and is catching up.
 * - `live`: the cache follows the cluster.
 * - `degraded`: something failed and is being tried again; the cache serves what it has.
 * - `stopped`: closed; `reason` says why, when it was not the informer's own `close`.
 */
export type InformerPhase = 'degraded' | 'live' | 'stopped' | 'syncing';

export interface InformerStatus {
  readonly phase: InformerPhase;
  /** Why, in words. */
  readonly reason?: string | undefined;
  /** What failed, when `degraded`. */
  readonly error?: WatcherError | undefined;
  /** When the phase began, in milliseconds since 1970. */
  readonly since: number;
}

/** One of several sources of an informer. */
export type SourceStatus = Omit<InformerStatus, 'since'>;

const ORDER: readonly InformerPhase[] = ['stopped', 'degraded', 'syncing', 'live'];

/** The status of the whole is that of the worst. */
export function worstOf(sources: Iterable<SourceStatus>): SourceStatus {
  let worst: SourceStatus = { phase: 'live' };
  for (const status of sources) if (ORDER.indexOf(status.phase) < ORDER.indexOf(worst.phase)) worst = status;
  return worst;
}
