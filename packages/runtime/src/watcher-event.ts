/** The events of a watcher: the state of a collection, and then each change of it. */

import type { ApiObject, ResourceVersion } from '@listwatch/api';
import type { WatcherError } from './watcher-error.ts';

/** A list begins: what follows replaces everything that was told before, once `initDone` comes. */
export interface InitEvent {
  readonly type: 'init';
  /** The server may have been restored, or the schema changed: an object with the same uid and version can be different. */
  readonly otherHistory?: true;
}

/** An object of the list. Not before `initDone` is the list whole. */
export interface InitApplyEvent<T extends ApiObject> {
  readonly type: 'initApply';
  readonly object: T;
}

/**
 * The list is whole: objects that were known and not told since `init` are gone. A watcher keeps no objects and cannot name
 * them; an informer does, and tells each as a delete.
 */
export interface InitDoneEvent {
  readonly type: 'initDone';
  readonly resourceVersion: ResourceVersion;
}

/** An object was created, changed, or began to match. */
export interface ApplyEvent<T extends ApiObject> {
  readonly type: 'apply';
  readonly object: T;
}

/**
 * An object was deleted, or ceased to match. Between `init` and `initDone` it takes back what the list has told of the
 * object: it left while it was being listed.
 */
export interface DeleteEvent<T extends ApiObject> {
  readonly type: 'delete';
  /** `namespace/name`, or `name`. */
  readonly key: string;
  /** Its last state, with the version of its leaving; absent when nobody knows it. */
  readonly object?: T;
  /** False: it was missed, and `object` is the last that was seen. */
  readonly finalStateKnown: boolean;
}

/** Something failed. The watcher goes on by itself, after a pause. */
export interface ErrorEvent {
  readonly type: 'error';
  readonly error: WatcherError;
}

/** An event of a watcher. */
export type WatcherEvent<T extends ApiObject = ApiObject> =
  | ApplyEvent<T>
  | DeleteEvent<T>
  | ErrorEvent
  | InitApplyEvent<T>
  | InitDoneEvent
  | InitEvent;
