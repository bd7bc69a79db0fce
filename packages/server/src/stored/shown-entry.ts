/** Entries of the store as a version of a custom kind shows them. */

import type { KubeObject } from '@listwatch/rules/internal';
import type { Entry } from '@listwatch/storage';
import type { ShownObject, StoredForm } from './stored-form.ts';

const stale = new WeakSet<Entry>();
const objects = new WeakMap<Entry, KubeObject>();

/** What stands for a value that cannot be decoded: no reader takes it for an object. */
const UNDECODABLE = Buffer.from('null');

/** The entry in the form. */
export function shownEntry(form: StoredForm, entry: Entry): Entry {
  let shown: ShownObject;
  try {
    shown = form.show(entry.value);
  } catch {
    return { ...entry, value: UNDECODABLE };
  }
  const own = entryWith(entry, shown.value, shown.isStale);
  objects.set(own, shown.object);
  return own;
}

/** A copy of the entry with a value. `isStale`: see `ShownObject`. */
export function entryWith(entry: Entry, value: Uint8Array, isStale: boolean): Entry {
  const own = { ...entry, value };
  if (isStale) stale.add(own);
  return own;
}

/** Would a write of the same object change what is stored? */
export function isStaleEntry(entry: Entry): boolean {
  return stale.has(entry);
}

/** The object of an entry that has been parsed for its form. */
export function parsedEntry(entry: Entry): KubeObject | undefined {
  return objects.get(entry);
}
