/** Channels by a label that their selector wants exactly: `app=web`, in all namespaces or in one. */

import type { CachedObject } from '../cache/cached-object.ts';
import type { WatchScope } from '../cache/watch-scope.ts';
import type { Channel } from './channel.ts';

/** Where a channel is. */
interface Home {
  readonly label: string;
  readonly place: string;
}

/** Without it, a thousand watchers of a thousand labels would each be asked about every change. */
export class LabelBuckets {
  /** By label, then by namespace and value. */
  readonly #byLabel = new Map<string, Map<string, Set<Channel>>>();
  readonly #homes = new Map<Channel, Home>();

  /** Its selector must have an exact term. */
  add(channel: Channel): void {
    const home = this.#smallest(channel.scope);
    if (home === undefined) throw new RangeError('the selector has no exact term');
    let byPlace = this.#byLabel.get(home.label);
    if (byPlace === undefined) this.#byLabel.set(home.label, (byPlace = new Map()));
    const bucket = byPlace.get(home.place);
    if (bucket === undefined) byPlace.set(home.place, new Set([channel]));
    else bucket.add(channel);
    this.#homes.set(channel, home);
  }

  remove(channel: Channel): void {
    const home = this.#homes.get(channel);
    if (home === undefined) return;
    this.#homes.delete(channel);
    const byPlace = this.#byLabel.get(home.label);
    const bucket = byPlace?.get(home.place);
    bucket?.delete(channel);
    if (bucket?.size === 0) byPlace?.delete(home.place);
    if (byPlace?.size === 0) this.#byLabel.delete(home.label);
  }

  /** Calls `visit` with each channel whose term the object has or had; no channel twice. */
  visit(object: CachedObject | undefined, previous: CachedObject | undefined, visit: (channel: Channel) => void): void {
    if (this.#byLabel.size === 0) return;
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
      const byPlace = this.#byLabel.get(label);
      if (byPlace === undefined) continue;
      const value: unknown = object.labels[label];
      if (typeof value !== 'string' || (visited !== undefined && labelOf(visited, label) === value)) continue;
      each(byPlace.get(placeOf('', value)), visit);
      if (object.namespace !== '') each(byPlace.get(placeOf(object.namespace, value)), visit);
    }
  }

  /** Of a selector with several terms the one that the fewest others chose: `pod-template-hash` rather than `app`. */
  #smallest({ namespace, labels }: WatchScope): Home | undefined {
    let home: Home | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const { key, value } of labels.exactTerms) {
      const place = placeOf(namespace, value);
      const size = this.#byLabel.get(key)?.get(place)?.size ?? 0;
      if (size >= least) continue;
      least = size;
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

function each(bucket: ReadonlySet<Channel> | undefined, visit: (channel: Channel) => void): void {
  if (bucket !== undefined) for (const channel of bucket) visit(channel);
}
