/** Consistent lists through each server, written down for `checkLists`. */

import type { Cluster } from '@listwatch/client';
import type { SeededRandom } from '../server/seeded-random.ts';
import { objectView } from '../server/stored-change.ts';
import type { RecordedList } from './check-lists.ts';
import { tokenMaps } from './recorded-watcher.ts';

const PAUSE_MS = 100;

/** Lists until it is stopped; a list that fails says nothing. */
export class RecordedLists {
  readonly #clusters: readonly Cluster[];
  readonly #random: SeededRandom;
  readonly #lists: RecordedList[] = [];
  readonly #stop = new AbortController();
  /** Readers that wait for the next write. */
  readonly #waiting = new Set<() => void>();
  #running: readonly Promise<void>[] = [];

  /** One cluster for each server. */
  constructor(clusters: readonly Cluster[], random: SeededRandom) {
    this.#clusters = clusters;
    this.#random = random;
  }

  get lists(): readonly RecordedList[] {
    return this.#lists;
  }

  /** A write was acknowledged. */
  wrote(): void {
    for (const go of this.#waiting) go();
    this.#waiting.clear();
  }

  start(): void {
    // One reader for each: a server that hangs must not hold the others up.
    this.#running = this.#clusters.map((cluster, server) => this.#run(cluster, server));
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  async #run(cluster: Cluster, server: number): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const limit = this.#random.chance(0.3) ? 7 : 0;
      const calledAt = performance.now();
      try {
        const objects = new Map<string, string>();
        let revision = 0n;
        for await (const page of cluster.pages(tokenMaps, { ...(limit === 0 ? {} : { limit }), signal })) {
          const items = await page.items();
          revision ||= BigInt(page.metadata.resourceVersion ?? 0);
          for (const item of items) {
            objects.set(`${item.metadata.namespace}/${item.metadata.name}`, objectView(item).content);
          }
        }
        this.#lists.push({ server, calledAt, returnedAt: performance.now(), revision, objects });
      } catch {
        // The server is down, or a page has expired.
      }
      await pause(PAUSE_MS);
      // A list right after a write through another server is the one that a stale cache would fail.
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
        setTimeout(resolve, PAUSE_MS);
      });
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
