/** Predicates: which changes of an object are worth a reconcile. */

import type { ApiObject } from '@listwatch/api';
import type { StoreChange } from '../reflector/store-change.ts';

/** Says whether a change leads to a reconcile. It must not throw and must not change the objects. */
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

/** Passes what one of them passes. */
export function anyOf<T extends ApiObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.some((predicate) => predicate(change));
}

/** Passes what all of them pass. */
export function allOf<T extends ApiObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.every((predicate) => predicate(change));
}

/** Passes what the other does not pass. */
export function not<T extends ApiObject>(predicate: Predicate<T>): Predicate<T> {
  return (change) => !predicate(change);
}

type Entries = Readonly<Record<string, string>> | undefined;

function sameEntries(a: Entries = {}, b: Entries = {}): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]);
}
