/** Changes whose objects are parsed when a reader looks at them, for stores that keep objects as bytes. */

import type { ApiObject } from '@listwatch/api';
import type { AddChange, DeleteChange, StoreChange, UpdateChange } from './store-change.ts';

/** A first list of 100 000 objects is told as 100 000 changes: with parsed objects they would take more than the store. */
export function lazyAdd<T extends ApiObject>(key: string, read: () => T, initial: boolean): AddChange<T> {
  const object = once(read);
  return {
    type: 'add',
    key,
    get object() {
      return object();
    },
    initial,
  };
}

export function lazyUpdate<T extends ApiObject>(key: string, readOld: () => T, read: () => T): UpdateChange<T> {
  const [old, object] = [once(readOld), once(read)];
  return {
    type: 'update',
    key,
    get object() {
      return object();
    },
    get old() {
      return old();
    },
    initial: false,
  };
}

/** A delete that only a list showed. */
export function lazyDelete<T extends ApiObject>(key: string, read: () => T): DeleteChange<T> {
  const object = once(read);
  return {
    type: 'delete',
    key,
    get object() {
      return object();
    },
    finalStateKnown: false,
    initial: false,
  };
}

/** Parses the objects of a change. */
export function readNow(change: StoreChange): void {
  void change.object;
  if (change.type === 'update') void change.old;
}

/** The same object each time, as readers of a change expect. */
function once<T>(read: () => T): () => T {
  let value: { readonly read: T } | undefined;
  return () => (value ??= { read: read() }).read;
}
