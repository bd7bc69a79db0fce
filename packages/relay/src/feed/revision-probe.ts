/** Asks the upstream how far a kind is, by a list of one name that nobody has. */

import type { Clock } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import type { RelayedKind } from '../kinds/relayed-kind.ts';
import { SharedAnswers } from '../pass/shared-answers.ts';
import { PROBE_MS } from './freshness.ts';

/** Is no name of an object: no server has to look further. */
const NOBODY = 'listwatch-relay-probe';

export interface RevisionProbeParts {
  readonly cluster: Pick<Cluster, 'clock' | 'list'>;
  readonly kind: RelayedKind;
}

/** Numbers since the start. */
export interface RevisionProbeCounts {
  /** Questions that were answered. */
  answered: number;
  failed: number;
}

/** What an upstream said, and how far the cache was when it was asked. */
export interface RevisionAnswer {
  readonly revision: bigint;
  readonly before: bigint;
}

/** One question is under way; requests that come meanwhile share the next one, for this one may have been answered before they came. */
export class RevisionProbe {
  readonly counts: RevisionProbeCounts = { answered: 0, failed: 0 };
  readonly #parts: RevisionProbeParts;
  readonly #shared = new SharedAnswers<'', RevisionAnswer>();

  constructor(parts: RevisionProbeParts) {
    this.#parts = parts;
  }

  /** `seen`: how far the cache is. Rejects with the reason of the signal, or when the upstream does not answer in time. */
  ask(seen: () => bigint, signal: AbortSignal): Promise<RevisionAnswer> {
    return this.#shared.ask('', (ended) => this.#send(seen(), ended), signal);
  }

  async #send(before: bigint, signal: AbortSignal): Promise<RevisionAnswer> {
    const { cluster, kind } = this.#parts;
    const ended = new AbortController();
    const end = (): void => ended.abort(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    const cancel = after(cluster.clock, ended);
    try {
      const { metadata } = await cluster.list(kind.resource, {
        ...(kind.resource.namespaced ? { namespace: NOBODY } : {}),
        fieldSelector: `metadata.name=${NOBODY}`,
        signal: ended.signal,
      });
      const revision = BigInt(metadata.resourceVersion ?? '');
      this.counts.answered += 1;
      return { revision, before };
    } catch (error) {
      this.counts.failed += 1;
      throw error;
    } finally {
      cancel();
      signal.removeEventListener('abort', end);
    }
  }
}

function after(clock: Clock, ended: AbortController): () => void {
  return clock.after(PROBE_MS, () => ended.abort(new Error(`no answer to a probe within ${PROBE_MS} ms`)));
}
