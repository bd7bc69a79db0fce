/** Consistent lists through one server after the other: they never go back in time, and show what was committed. */

import type { Cluster } from '@listwatch/client';
import type { SeededRandom } from '../server/seeded-random.ts';
import { objectView, type StoredChange } from '../server/stored-change.ts';
import { tokenMaps } from './recorded-watcher.ts';

interface RecordedList {
  readonly server: number;
  readonly calledAt: number;
  readonly returnedAt: number;
  readonly revision: bigint;
  /** The content by key. */
  readonly objects: ReadonlyMap<string, string>;
}

const PAUSE_MS = 100;

/** Lists until it is stopped; a list that fails says nothing. */
export class RecordedLists {
  readonly #clusters: readonly Cluster[];
  readonly #random: SeededRandom;
  readonly #lists: RecordedList[] = [];
  readonly #stop = new AbortController();
  #running: readonly Promise<void>[] = [];

  /** One cluster for each server. */
  constructor(clusters: readonly Cluster[], random: SeededRandom) {
    this.#clusters = clusters;
    this.#random = random;
  }

  get count(): number {
    return this.#lists.length;
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
      await new Promise((resolve) => {
        setTimeout(resolve, PAUSE_MS);
      });
    }
  }

  /** What is wrong with the lists; `written` has the time and revision of acknowledged writes. */
  violations(
    truth: readonly StoredChange[],
    written: readonly { readonly returnedAt: number; readonly revision: bigint }[],
  ): readonly string[] {
    return [...this.#backInTime(written), ...this.#wrongContents(truth)];
  }

  /** What was known when a list was called: the newest list and the newest write that had returned by then. */
  #backInTime(written: readonly { readonly returnedAt: number; readonly revision: bigint }[]): readonly string[] {
    const known = [...this.#lists, ...written].toSorted((a, b) => a.returnedAt - b.returnedAt);
    const calls = this.#lists.toSorted((a, b) => a.calledAt - b.calledAt);
    const violations: string[] = [];
    let newest = 0n;
    let at = 0;
    for (const { calledAt, revision, server } of calls) {
      for (let one = known[at]; one !== undefined && one.returnedAt < calledAt; one = known[at]) {
        if (one.revision > newest) newest = one.revision;
        at += 1;
      }
      if (revision < newest) violations.push(`a list of server ${server} is at ${revision}, after ${newest} was known`);
    }
    return violations;
  }

  #wrongContents(truth: readonly StoredChange[]): readonly string[] {
    const violations: string[] = [];
    const state = new Map<string, string>();
    let at = 0;
    for (const { revision, objects, server } of this.#lists.toSorted((a, b) => (a.revision < b.revision ? -1 : 1))) {
      for (let change = truth[at]; change !== undefined && change.revision <= revision; change = truth[at]) {
        if (change.object === undefined) state.delete(change.key);
        else state.set(change.key, change.object.content);
        at += 1;
      }
      const isSame = objects.size === state.size && [...state].every(([key, content]) => objects.get(key) === content);
      if (!isSame)
        violations.push(
          `a list of server ${server} at ${revision} has ${objects.size} objects, the store had ${state.size}, or others`,
        );
    }
    return violations;
  }
}
