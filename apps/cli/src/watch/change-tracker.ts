/** Turns the events of a watcher into changes: which objects are new, which existed, and which deletes were missed. */

import { type ApiObject, apiVersionOf, type Resource } from '@listwatch/api';
import { objectKey, type WatcherEvent } from '@listwatch/runtime';
import type { WatchedChange } from './watched-change.ts';

/** What is remembered of an object: enough to recognize it. */
type Trace = Pick<ApiObject['metadata'], 'name' | 'namespace' | 'resourceVersion' | 'uid'>;

/** Options of a tracker. */
export interface ChangeTrackerOptions {
  readonly resource: Resource;
  /** Was this object just created? Asked for objects that were never seen; after a resume with `--from` that is every object. */
  readonly isNew: (object: ApiObject) => boolean;
}

/** Remembers the identity and version of every object, and nothing else of it. */
export class ChangeTracker {
  readonly #options: ChangeTrackerOptions;
  readonly #known = new Map<string, Trace>();
  /** Keys of the list that is being read; empty between lists. */
  #listed = new Set<string>();
  #isComplete = false;

  constructor(options: ChangeTrackerOptions) {
    this.#options = options;
  }

  /** How many objects exist, as far as events have shown. */
  get size(): number {
    return this.#known.size;
  }

  /** The changes that an event means; mostly one. */
  changes(event: WatcherEvent): readonly WatchedChange[] {
    switch (event.type) {
      case 'init':
        this.#listed = new Set();
        return [];
      case 'initApply':
        this.#listed.add(objectKey(event.object));
        return this.#seen(event.object, !this.#isComplete);
      case 'initDone':
        return this.#vanished();
      case 'apply':
        return this.#seen(event.object, false);
      case 'delete':
        this.#listed.delete(event.key);
        return this.#gone(event.key, event.object, event.finalStateKnown);
      case 'error':
        return [];
    }
  }

  #seen(object: ApiObject, initial: boolean): readonly WatchedChange[] {
    const key = objectKey(object);
    const { name, namespace, uid, resourceVersion } = object.metadata;
    const before = this.#known.get(key);
    // A list that was restarted, or a relist, repeats objects that have been printed.
    if (before !== undefined && before.uid === uid && before.resourceVersion === resourceVersion) return [];
    const replaced = before !== undefined && before.uid !== uid;
    const missed = replaced ? this.#gone(key, undefined, false) : [];
    this.#known.set(key, {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...identity(uid, resourceVersion),
    });
    const type = before === undefined || replaced ? this.#typeOf(object, initial) : 'MODIFIED';
    return [...missed, { type, object, initial: initial && type === 'ADDED', finalStateKnown: true }];
  }

  #typeOf(object: ApiObject, initial: boolean): 'ADDED' | 'MODIFIED' {
    return initial || this.#isComplete || this.#options.isNew(object) ? 'ADDED' : 'MODIFIED';
  }

  #gone(key: string, object: ApiObject | undefined, finalStateKnown: boolean): readonly WatchedChange[] {
    const trace = this.#known.get(key);
    this.#known.delete(key);
    if (object !== undefined) return [{ type: 'DELETED', object, initial: false, finalStateKnown }];
    if (trace === undefined) return [];
    const { resource } = this.#options;
    const last = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: trace };
    return [{ type: 'DELETED', object: last, initial: false, finalStateKnown: false }];
  }

  #vanished(): readonly WatchedChange[] {
    this.#isComplete = true;
    const lost = [...this.#known.keys()].filter((key) => !this.#listed.has(key));
    this.#listed = new Set();
    return lost.flatMap((key) => this.#gone(key, undefined, false));
  }
}

function identity(
  uid: string | undefined,
  resourceVersion: string | undefined,
): Pick<Trace, 'resourceVersion' | 'uid'> {
  return { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
}
