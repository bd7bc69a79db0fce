/** A change of a store, as handlers and readers of `changes()` get it. */

import type { ApiObject } from '@listwatch/api';

/** An object came. `initial`: it was there when the reader came, or when the cache was first filled. */
export interface AddChange<T extends ApiObject> {
  readonly type: 'add';
  readonly key: string;
  readonly object: T;
  readonly initial: boolean;
}

/** An object changed. On a resync, `old` and `object` are the same. */
export interface UpdateChange<T extends ApiObject> {
  readonly type: 'update';
  readonly key: string;
  readonly object: T;
  readonly old: T;
  readonly initial: false;
}

/** An object went, or left the selection. */
export interface DeleteChange<T extends ApiObject> {
  readonly type: 'delete';
  readonly key: string;
  /** Its last state; if `finalStateKnown` is false, the last that was seen. */
  readonly object: T;
  readonly finalStateKnown: boolean;
  readonly initial: false;
}

export type StoreChange<T extends ApiObject = ApiObject> = AddChange<T> | DeleteChange<T> | UpdateChange<T>;

export function addChange<T extends ApiObject>(key: string, object: T, initial: boolean): AddChange<T> {
  return { type: 'add', key, object, initial };
}

export function updateChange<T extends ApiObject>(key: string, old: T, object: T): UpdateChange<T> {
  return { type: 'update', key, object, old, initial: false };
}

export function deleteChange<T extends ApiObject>(key: string, object: T, finalStateKnown: boolean): DeleteChange<T> {
  return { type: 'delete', key, object, finalStateKnown, initial: false };
}
