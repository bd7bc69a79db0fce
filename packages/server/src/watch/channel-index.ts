/** Finds the channels that a change may concern without trying all of them. */

import type { CachedObject } from '../cache/cached-object.ts';
import type { ObjectChange } from '../cache/object-tree.ts';
import type { WatchScope } from '../cache/watch-scope.ts';
import type { Channel } from './channel.ts';
import { LabelBuckets } from './label-buckets.ts';

type Bucket = Set<Channel>;

/**
 * A channel is in one bucket, its most selective: one object, one exact value of a field, one exact value of a label, one
 * namespace, or the rest. A change visits the few buckets of its object, so that ten thousand watchers of ten thousand
 * nodes cost one look-up.
 */
export class ChannelIndex {
  readonly #byObject = new Map<string, Bucket>();
  readonly #byName = new Map<string, Bucket>();
  readonly #byField = new Map<string, Map<string, Bucket>>();
  readonly #byLabel = new LabelBuckets();
  readonly #byNamespace = new Map<string, Bucket>();
  readonly #rest: Bucket = new Set();

  add(channel: Channel): void {
    if (isByLabel(channel.scope)) this.#byLabel.add(channel);
    else this.#bucket(channel.scope, true)?.add(channel);
  }

  remove(channel: Channel): void {
    if (isByLabel(channel.scope)) {
      this.#byLabel.remove(channel);
      return;
    }
    const bucket = this.#bucket(channel.scope, false);
    bucket?.delete(channel);
    if (bucket?.size === 0 && bucket !== this.#rest) this.#drop(channel.scope);
  }

  /** Calls `visit` with each channel that the change may concern; no channel twice. */
  visit(change: ObjectChange, visit: (channel: Channel) => void): void {
    const { object, previous } = change;
    const one = object ?? previous;
    if (one === undefined) return;
    each(this.#byObject.get(one.key), visit);
    each(this.#byName.get(one.name), visit);
    each(this.#byNamespace.get(one.namespace), visit);
    each(this.#rest, visit);
    this.#byLabel.visit(object, previous, visit);
    for (const [field, byValue] of this.#byField) {
      const [now, before] = [valueOf(object, field), valueOf(previous, field)];
      if (now !== undefined) each(byValue.get(now), visit);
      // Watchers of the previous value get DELETED.
      if (before !== undefined && before !== now) each(byValue.get(before), visit);
    }
  }

  #bucket(scope: WatchScope, create: boolean): Bucket | undefined {
    const { namespace, name } = scope;
    if (name !== '') {
      if (namespace === '') return find(this.#byName, name, create);
      return find(this.#byObject, `${namespace}/${name}`, create);
    }
    const term = exactField(scope);
    if (term !== undefined) {
      let byValue = this.#byField.get(term.key);
      if (byValue === undefined && create) this.#byField.set(term.key, (byValue = new Map()));
      return byValue && find(byValue, term.value, create);
    }
    return namespace === '' ? this.#rest : find(this.#byNamespace, namespace, create);
  }

  #drop(scope: WatchScope): void {
    const { namespace, name } = scope;
    const term = exactField(scope);
    if (name !== '') {
      if (namespace === '') this.#byName.delete(name);
      else this.#byObject.delete(`${namespace}/${name}`);
    } else if (term !== undefined) {
      const byValue = this.#byField.get(term.key);
      byValue?.delete(term.value);
      if (byValue?.size === 0) this.#byField.delete(term.key);
    } else this.#byNamespace.delete(namespace);
  }
}

/** Names and fields come first: they select fewer objects. */
function isByLabel(scope: WatchScope): boolean {
  return scope.name === '' && exactField(scope) === undefined && scope.labels.exactTerms.length > 0;
}

function exactField(scope: WatchScope): { readonly key: string; readonly value: string } | undefined {
  return scope.fields.exactTerms.find((term) => !term.key.startsWith('metadata.'));
}

function valueOf(object: CachedObject | undefined, field: string): string | undefined {
  // A missing field counts as empty, as in a selector.
  return object && (object.fields[field] ?? '');
}

function find(buckets: Map<string, Bucket>, key: string, create: boolean): Bucket | undefined {
  const found = buckets.get(key);
  if (found !== undefined || !create) return found;
  const made: Bucket = new Set();
  buckets.set(key, made);
  return made;
}

function each(bucket: Bucket | undefined, visit: (channel: Channel) => void): void {
  if (bucket !== undefined) for (const channel of bucket) visit(channel);
}
