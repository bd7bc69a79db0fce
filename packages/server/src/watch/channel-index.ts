/** Finds the channels that a change may concern without trying all of them. */

import type { CachedObject } from '../cache/cached-object.ts';
import type { ObjectChange } from '../cache/object-tree.ts';
import type { WatchScope } from '../cache/watch-scope.ts';
import type { Channel } from './channel.ts';
import { ChannelBuckets, LabelBuckets, NamedBuckets } from './channel-buckets.ts';

/**
 * A channel is in one bucket, its most selective: one object, one exact value of a field, one exact value of a label, one
 * namespace, or the rest. A change visits the few buckets of its object, so that ten thousand watchers of ten thousand
 * nodes cost one look-up.
 */
export class ChannelIndex {
  readonly #byObject = new ChannelBuckets();
  readonly #byName = new ChannelBuckets();
  readonly #byField = new NamedBuckets();
  readonly #byLabel = new LabelBuckets();
  /** Those of all namespaces are under the empty one. */
  readonly #byNamespace = new ChannelBuckets();

  /** What is in memory: nothing when every channel has left. */
  get size(): number {
    const parts = [this.#byObject, this.#byName, this.#byField, this.#byLabel, this.#byNamespace];
    return parts.reduce((sum, { size }) => sum + size, 0);
  }

  add(channel: Channel): void {
    this.#file(channel, 'add');
  }

  remove(channel: Channel): void {
    this.#file(channel, 'remove');
  }

  /** Calls `visit` with each channel that the change may concern; no channel twice. */
  visit(change: ObjectChange, visit: (channel: Channel) => void): void {
    const { object, previous } = change;
    const one = object ?? previous;
    if (one === undefined) return;
    this.#byObject.visit(one.key, visit);
    this.#byName.visit(one.name, visit);
    this.#byNamespace.visit('', visit);
    if (one.namespace !== '') this.#byNamespace.visit(one.namespace, visit);
    this.#byLabel.visit(object, previous, visit);
    for (const [field, buckets] of this.#byField) {
      const [now, before] = [valueOf(object, field), valueOf(previous, field)];
      if (now !== undefined) buckets.visit(now, visit);
      // Watchers of the previous value get DELETED.
      if (before !== undefined && before !== now) buckets.visit(before, visit);
    }
  }

  #file(channel: Channel, action: 'add' | 'remove'): void {
    const { scope } = channel;
    const { namespace, name } = scope;
    const term = exactField(scope);
    // Names and fields come first: they select fewer objects.
    if (name !== '' && namespace !== '') this.#byObject[action](`${namespace}/${name}`, channel);
    else if (name !== '') this.#byName[action](name, channel);
    else if (term !== undefined) this.#byField[action](term.key, term.value, channel);
    else if (scope.labels.exactTerms.length > 0) this.#byLabel[action](channel);
    else this.#byNamespace[action](namespace, channel);
  }
}

/** A name or a namespace in a selector is left to the selector. */
function exactField(scope: WatchScope): { readonly key: string; readonly value: string } | undefined {
  return scope.fields.exactTerms.find((term) => !term.key.startsWith('metadata.'));
}

function valueOf(object: CachedObject | undefined, field: string): string | undefined {
  // A missing field counts as empty, as in a selector.
  return object && (object.fields[field] ?? '');
}
