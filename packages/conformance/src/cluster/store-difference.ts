/** Is the store of an informer exactly what the server has? */

import { type LoadedObject, objectView, type StoredChange } from '../server/stored-change.ts';
import type { TokenMap } from './recorded-watcher.ts';

/** What speaks against the objects being exactly the selected ones after these changes. */
export function storeDifference(
  objects: readonly TokenMap[],
  { selects }: { readonly selects: (object: LoadedObject) => boolean },
  truth: ReadonlyMap<string, StoredChange>,
): string | undefined {
  const expected = new Map<string, StoredChange>();
  for (const [key, change] of truth) {
    if (change.object !== undefined && selects(change.object)) expected.set(key, change);
  }
  for (const object of objects) {
    const key = tokenMapKey(object);
    const change = expected.get(key);
    if (change === undefined) return `still has ${key}`;
    const version = object.metadata.resourceVersion;
    if (version !== String(change.revision)) return `has ${key} at ${version}, the store at ${change.revision}`;
    if (objectView(object).content !== change.object?.content) return `has another ${key} at ${version}`;
  }
  if (objects.length === expected.size) return undefined;
  return `has ${objects.length} objects, the store ${expected.size}`;
}

export function tokenMapKey({ metadata }: TokenMap): string {
  return `${metadata.namespace}/${metadata.name}`;
}
