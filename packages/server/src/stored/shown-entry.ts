/** Entries of the store as a version of a custom kind shows them. */

import type { KubeObject } from '@listwatch/rules/internal';
import type { Entry } from '@listwatch/storage';
import type { ShownObject, StoredForm } from './stored-form.ts';

/** An entry in the form of a version. An entry as the store gives it has neither member. */
export interface ShownEntry extends Entry {
  /** The object that was parsed for the form. Absent: the value is not parsed yet. */
  readonly object?: KubeObject | undefined;
  /** See `ShownObject`. Absent: it is not. */
  readonly isStale?: boolean | undefined;
}

/** Replaces a value that cannot be decoded. Readers do not accept it as an object. */
const UNDECODABLE = Buffer.from('null');

/** The entry in the form. */
export function shownEntry(form: StoredForm, entry: Entry): ShownEntry {
  let shown: ShownObject;
  try {
    shown = form.show(entry.value);
  } catch {
    return { ...entry, value: UNDECODABLE };
  }
  return { ...entry, value: shown.value, object: shown.object, isStale: shown.isStale };
}

/** Would writing the same object change the stored bytes? */
export function isStaleEntry({ isStale = false }: ShownEntry): boolean {
  return isStale;
}
