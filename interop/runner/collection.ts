/** The ConfigMaps of the scenario: written and read past the proxy. */

import { type ApiObject, isConflict, isNotFound, isStatusError } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { configMaps } from '@listwatch/kinds';

export const NAMESPACE = 'interop';
/** The selector of half of the objects. */
export const SELECTOR = 'color=blue';

/** Keys with their versions. */
export type Versions = ReadonlyMap<string, string>;

type Color = 'blue' | 'red';

/** Writes through one cluster, in the namespace of the scenario. */
export class Collection {
  readonly #cluster: Cluster;
  /** The version of the last acknowledged write of each object that was not deleted since. */
  readonly #acknowledged = new Map<string, bigint>();
  #writes = 0;
  #reads = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Writes that the server has acknowledged. */
  get writes(): number {
    return this.#writes;
  }

  /** Lists that were read, each by one request. */
  get reads(): number {
    return this.#reads;
  }

  async create(name: string, color: Color): Promise<void> {
    await this.#write(name, () =>
      this.#cluster.create(configMaps, {
        metadata: { name, namespace: NAMESPACE, labels: { color } },
        data: { text: 'x'.repeat(200), count: '0' },
      }),
    );
  }

  async change(name: string, labels?: { readonly color: Color }): Promise<void> {
    const body = { data: { count: String(this.#writes) }, ...(labels && { metadata: { labels } }) };
    const patch = { type: 'merge', body } as const;
    await this.#write(name, () => this.#cluster.patch(configMaps, { name, namespace: NAMESPACE }, patch));
  }

  async delete(name: string): Promise<void> {
    await this.#write(name, async () => {
      await this.#cluster.delete(configMaps, { name, namespace: NAMESPACE });
      return undefined;
    });
  }

  /**
   * What the server has acknowledged and does not have: objects that are gone, or older than their last write. An empty
   * text when there is nothing. Of writers that race for one object the order is not known: ask before they start.
   */
  lostIn(versions: Versions): string {
    const lost = [...this.#acknowledged].filter(([key, version]) => BigInt(versions.get(key) ?? 0) < version);
    return lost.map(([key, version]) => `${key} at ${version}`).join(', ');
  }

  /** The newest state, and the version of the list. */
  async read(labelSelector?: string): Promise<{ readonly versions: Versions; readonly version: string }> {
    this.#reads += 1;
    const { items, metadata } = await this.#cluster.list(configMaps, { namespace: NAMESPACE, labelSelector });
    const versions = items.map(({ metadata: { name, resourceVersion = '' } }) => {
      return [`${NAMESPACE}/${name}`, resourceVersion] as const;
    });
    return { versions: new Map(versions), version: metadata.resourceVersion ?? '' };
  }

  /** Whether a watch from this version gets 410. */
  async isExpired(version: string): Promise<boolean> {
    const query = { namespace: NAMESPACE, resourceVersion: version, timeoutSeconds: 1 };
    for await (const event of this.#cluster.watch(configMaps, query)) {
      if (event.type === 'ERROR') return event.object.code === 410;
    }
    return false;
  }

  /** Writers race for the same objects: a missing or changed one is no failure. */
  async #write(name: string, write: () => Promise<ApiObject | undefined>): Promise<void> {
    try {
      const written = await write();
      this.#writes += 1;
      const key = `${NAMESPACE}/${name}`;
      if (written === undefined) this.#acknowledged.delete(key);
      else this.#acknowledged.set(key, BigInt(written.metadata.resourceVersion ?? 0));
    } catch (error) {
      const raced =
        isNotFound(error) || isConflict(error) || (isStatusError(error) && error.reason === 'AlreadyExists');
      if (!raced) throw error;
    }
  }
}

/** Names the first few differences of a view; an empty text when there are none. */
export function difference(view: Versions, truth: Versions): string {
  const missing = [...truth.keys()].filter((key) => !view.has(key));
  const extra = [...view.keys()].filter((key) => !truth.has(key));
  const stale = [...truth].filter(([key, version]) => view.has(key) && view.get(key) !== version).map(([key]) => key);
  const parts = [
    ['missing', missing],
    ['should be gone', extra],
    ['of another version', stale],
  ] as const;
  return parts
    .filter(([, keys]) => keys.length > 0)
    .map(([what, keys]) => `${keys.length} ${what} (${keys.slice(0, 3).join(', ')})`)
    .join('; ');
}
