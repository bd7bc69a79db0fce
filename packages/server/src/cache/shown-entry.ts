/** Entries of the store as a version of a custom kind shows them. */

import type { Entry } from '@listwatch/storage';
import type { ShownObject, StoredForm } from '../kinds/custom/stored-form.ts';
import type { KubeObject } from '../kinds/resource-definition.ts';

const rewritten = new WeakSet<Entry>();
const objects = new WeakMap<Entry, KubeObject>();

/** What stands for a value that cannot be decoded: no reader takes it for an object. */
const UNDECODABLE = Buffer.from('null');

/** The entry in the form. A value that is as it should be stays the very same. */
export function shownEntry(form: StoredForm, entry: Entry): Entry {
  let shown: ShownObject;
  try {
    shown = form.show(entry.value);
  } catch {
    return { ...entry, value: UNDECODABLE };
  }
  const own = shown.value === entry.value ? entry : rewrittenEntry(entry, shown.value);
  objects.set(own, shown.object);
  return own;
}

/** The entry with another value. A write of the same object is no longer without effect: it stores the new form. */
export function rewrittenEntry(entry: Entry, value: Uint8Array): Entry {
  const own = { ...entry, value };
  rewritten.add(own);
  return own;
}

/** Does the store have another form of this value? */
export function isRewritten(entry: Entry): boolean {
  return rewritten.has(entry);
}

/** The object of an entry that has been parsed for its form. */
export function parsedEntry(entry: Entry): KubeObject | undefined {
  return objects.get(entry);
}
