/** A second watch of a kind that is quiet: kube-apiserver sends it a bookmark before its end, which says how far the feed is, too. */

import { resourceVersionOf, sleep } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { Cluster } from '@listwatch/client';
import type { RelayedKind } from '../kinds/relayed-kind.ts';
import type { FedCache } from './fed-cache.ts';

export interface BeatParts {
  readonly cluster: Pick<Cluster, 'clock' | 'watch'>;
  readonly kind: RelayedKind;
  readonly fed: Pick<FedCache, 'reached' | 'revision' | 'witness'>;
  /** Throws when the upstream is another cluster than before. */
  readonly verify: () => Promise<void>;
}

/** Numbers since the start. */
export interface BeatCounts {
  /** Watches that were opened. */
  opened: number;
  /** Those that brought a bookmark. */
  proven: number;
}

/** The bookmark comes 2 s before the deadline, on a timer of a second or more: with 1 s or 2 s none comes. */
const BEAT_SECONDS = 3;
/** Between beats that end at once. */
const SHORTEST_MS = 1000;
/** A beat that ends earlier, because nobody waits any more, says nothing about the next one. */
const WHOLE_MS = 2000;
/** So many beats in a row without a bookmark: this upstream sends none for the kind. It is tried again later. */
const HOPELESS = 3;
const HOPELESS_MS = 60_000;

/** One is open at most, and only while somebody waits. */
export class Beats {
  readonly counts: BeatCounts = { opened: 0, proven: 0 };
  readonly #parts: BeatParts;
  #waiting = 0;
  #stop: AbortController | undefined;
  /** Beats in a row that brought nothing, and when the last of them ended. */
  #fruitless = 0;
  #ended = 0;

  constructor(parts: BeatParts) {
    this.#parts = parts;
  }

  /** Has the upstream shown that it sends no bookmarks in time? As kube-apiserver for Events, of which it keeps no cache. */
  get isHopeless(): boolean {
    return this.#fruitless >= HOPELESS && monotonicMs(this.#parts.cluster.clock) - this.#ended < HOPELESS_MS;
  }

  /** Resolves with true when the cache has this version, with false after `ms` or when it ends. */
  async reached(revision: bigint, signal: AbortSignal, ms: number): Promise<boolean> {
    if (this.isHopeless) return false;
    this.#waiting += 1;
    if (this.#stop === undefined) {
      this.#stop = new AbortController();
      void this.#run(this.#stop.signal);
    }
    try {
      return await this.#parts.fed.reached(revision, signal, ms);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) {
        this.#stop?.abort(new Error('nobody waits'));
        this.#stop = undefined;
      }
    }
  }

  /** One after the other until nobody waits. Never rejects. */
  async #run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts.cluster;
    while (!signal.aborted) {
      const begun = monotonicMs(clock);
      // What a watch cannot prove is answered by the upstream itself.
      const isProven = await this.#beat(signal).catch(() => false);
      this.#ended = monotonicMs(clock);
      const lived = this.#ended - begun;
      if (isProven) this.#fruitless = 0;
      else if (!signal.aborted || lived >= WHOLE_MS) this.#fruitless += 1;
      const rest = SHORTEST_MS - lived;
      if (rest > 0) await sleep(clock, rest, signal).catch(() => {});
    }
  }

  /** Has it brought a bookmark? */
  async #beat(signal: AbortSignal): Promise<boolean> {
    const { cluster, kind, fed, verify } = this.#parts;
    const { revision } = fed;
    if (revision === undefined) return false;
    const witness = fed.witness();
    const stream = cluster.watch(kind.resource, {
      resourceVersion: resourceVersionOf(revision),
      allowWatchBookmarks: true,
      listwatchProgress: true,
      timeoutSeconds: BEAT_SECONDS,
      projection: 'metadata',
      signal,
    });
    this.counts.opened += 1;
    // What comes over another connection may come from another cluster.
    const isSame = verify();
    isSame.catch(() => {});
    let last = revision;
    let isProven = false;
    try {
      for await (const event of stream) {
        if (event.type === 'ERROR') break;
        const version = BigInt(event.object.metadata.resourceVersion ?? '');
        if (event.type === 'BOOKMARK') {
          await isSame;
          if (!isProven) this.counts.proven += 1;
          isProven = true;
          void witness(last, version);
        } else if (version > last) last = version;
      }
    } catch (error) {
      if (!isProven) throw error;
    }
    return isProven;
  }
}
