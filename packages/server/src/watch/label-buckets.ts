/** Channels by a label that their selector wants exactly: `app=web`, in all namespaces or in one. */

import type { CachedObject } from '../cache/cached-object.ts';
import type { WatchScope } from '../cache/watch-scope.ts';
import type { Channel } from './channel.ts';
import { NamedBuckets } from './channel-buckets.ts';

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
