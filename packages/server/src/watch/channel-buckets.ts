/** Channels by what they select. */

import type { Channel } from './channel.ts';

/** A bucket goes with its last channel: watchers that select by ever new values would fill the memory with empty ones. */
export class ChannelBuckets {
  readonly #buckets = new Map<string, Set<Channel>>();

  /** How many buckets there are. */
  get size(): number {
    return this.#buckets.size;
  }

  /** How many channels select the same. */
  count(key: string): number {
    return this.#buckets.get(key)?.size ?? 0;
  }

  add(key: string, channel: Channel): void {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) this.#buckets.set(key, new Set([channel]));
    else bucket.add(channel);
  }

  remove(key: string, channel: Channel): void {
    const bucket = this.#buckets.get(key);
    bucket?.delete(channel);
    if (bucket?.size === 0) this.#buckets.delete(key);
  }

  visit(key: string, visit: (channel: Channel) => void): void {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) for (const channel of bucket) visit(channel);
  }
}

/** Buckets for each name of something that has values: a label or a field. */
export class NamedBuckets {
  readonly #byName = new Map<string, ChannelBuckets>();

  /** How many buckets all names have together. */
  get size(): number {
    return Array.from(this.#byName.values()).reduce((sum, { size }) => sum + Math.max(1, size), 0);
  }

  [Symbol.iterator](): IterableIterator<readonly [string, ChannelBuckets]> {
    return this.#byName.entries();
  }

  get(name: string): ChannelBuckets | undefined {
    return this.#byName.get(name);
  }

  add(name: string, key: string, channel: Channel): void {
    let buckets = this.#byName.get(name);
    if (buckets === undefined) this.#byName.set(name, (buckets = new ChannelBuckets()));
    buckets.add(key, channel);
  }

  remove(name: string, key: string, channel: Channel): void {
    const buckets = this.#byName.get(name);
    buckets?.remove(key, channel);
    if (buckets?.size === 0) this.#byName.delete(name);
  }
}
