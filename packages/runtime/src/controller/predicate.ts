/** Predicates: which changes of an object are worth a reconcile. */

import type { ApiObject } from '@listwatch/api';
import type { StoreChange } from '../reflector/store-change.ts';

/**
 * Says whether a change leads to a reconcile. It must not throw and must not change the objects. Combine predicates with
 * `allOf`, `anyOf` and `not`.
 */
export type Predicate<T extends ApiObject = ApiObject> = (change: StoreChange<T>) => boolean;

/** Updates that changed the desired state. Kinds without `metadata.generation` never pass; adds and deletes always do. */
export const generationChanged: Predicate = (change) =>
  change.type !== 'update' || change.old.metadata.generation !== change.object.metadata.generation;

/** Updates that changed anything: resyncs do not pass. */
export const resourceVersionChanged: Predicate = (change) =>
  change.type !== 'update' || change.old.metadata.resourceVersion !== change.object.metadata.resourceVersion;

/** Updates that changed labels. */
export const labelsChanged: Predicate = (change) =>
  change.type !== 'update' || !sameEntries(change.old.metadata.labels, change.object.metadata.labels);

/** Updates that changed annotations. */
export const annotationsChanged: Predicate = (change) =>
  change.type !== 'update' || !sameEntries(change.old.metadata.annotations, change.object.metadata.annotations);

type Entries = Readonly<Record<string, string>> | undefined;

function sameEntries(a: Entries = {}, b: Entries = {}): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]);
}
