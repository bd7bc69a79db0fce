/** Channels by what they select, and by a label that their selector wants exactly: `app=web`, in all namespaces or in one. */

import type { CachedObject } from '../cache/cached-object.ts';
import type { WatchScope } from '../cache/watch-scope.ts';
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

/** Where a channel is. */
interface Home {
  readonly label: string;
  readonly place: string;
}

/** Without it, a thousand watchers of a thousand labels would each be asked about every change. */
export class LabelBuckets {
  /** By label, then by namespace and value. */
  readonly #byLabel = new NamedBuckets();
  /** The choice of a bucket depends on those that were there. */
  readonly #homes = new Map<Channel, Home>();

  /** What is in memory: buckets and channels. */
  get size(): number {
    return this.#byLabel.size + this.#homes.size;
  }

  /** Its selector must have an exact term. */
  add(channel: Channel): void {
    const home = this.#smallest(channel.scope);
    if (home === undefined) throw new RangeError('the selector has no exact term');
    this.#byLabel.add(home.label, home.place, channel);
    this.#homes.set(channel, home);
  }

  remove(channel: Channel): void {
    const home = this.#homes.get(channel);
    if (home === undefined) return;
    this.#homes.delete(channel);
    this.#byLabel.remove(home.label, home.place, channel);
  }

  /** Calls `visit` with each channel whose term the object has or had; no channel twice. */
  visit(object: CachedObject | undefined, previous: CachedObject | undefined, visit: (channel: Channel) => void): void {
    if (this.#homes.size === 0) return;
    this.#visitLabels(object, undefined, visit);
    // Watchers of the previous value get DELETED.
    this.#visitLabels(previous, object, visit);
  }

  #visitLabels(
    object: CachedObject | undefined,
    visited: CachedObject | undefined,
    visit: (channel: Channel) => void,
  ): void {
    if (object?.labels === undefined) return;
    for (const label of Object.keys(object.labels)) {
      const buckets = this.#byLabel.get(label);
      if (buckets === undefined) continue;
      const value: unknown = object.labels[label];
      if (typeof value !== 'string' || (visited !== undefined && labelOf(visited, label) === value)) continue;
      buckets.visit(placeOf('', value), visit);
      if (object.namespace !== '') buckets.visit(placeOf(object.namespace, value), visit);
    }
  }

  /** Of a selector with several terms the one that the fewest others chose: `pod-template-hash` rather than `app`. */
  #smallest({ namespace, labels }: WatchScope): Home | undefined {
    let home: Home | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const { key, value } of labels.exactTerms) {
      const place = placeOf(namespace, value);
      const count = this.#byLabel.get(key)?.count(place) ?? 0;
      if (count >= least) continue;
      least = count;
      home = { label: key, place };
    }
    return home;
  }
}

/** Neither a namespace nor a label's value has a slash. */
function placeOf(namespace: string, value: string): string {
  return `${namespace}/${value}`;
}

function labelOf({ labels }: CachedObject, label: string): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, label) ? labels[label] : undefined;
}
