/** The memory engine's keys: each with its kept versions, in key order. */

import { BTree } from './b-tree.ts';
import type { Entry, Revision, StorageEvent } from './storage-engine.ts';
import { compareKeys } from './storage-key.ts';

/** An entry, or the revision that deleted the key. */
type Version = Entry | { readonly key: string; readonly value: undefined; readonly modRevision: Revision };

/** A page of the table as one revision left it. */
export interface TablePage {
  readonly entries: readonly Entry[];
  readonly more: boolean;
  readonly count: number;
}

/** Versions of a key are kept oldest first. */
export class MemoryTable {
  readonly #keys = new BTree<string, Version[]>(undefined, compareKeys);

  /** The key as `at` left it. */
  get(key: string, at: Revision): Entry | undefined {
    return versionAt(this.#keys.get(key), at);
  }

  /** The keys from `start` to the end of `prefix` as `at` left them; a limit of 0 is none. */
  page(prefix: string, start: string, limit: number, at: Revision): TablePage {
    const page = this.beginPage(prefix, start, limit, at);
    page.goOn(Number.POSITIVE_INFINITY);
    return page.result;
  }

  /** The same in parts. Between them the table may change, but `at` must stay in the history. */
  beginPage(prefix: string, start: string, limit: number, at: Revision): PageInParts {
    return new PageInParts(this.#keys, prefix, start, limit, at);
  }

  /** Adds what `event` made of its key. */
  apply(event: StorageEvent): void {
    const { key, revision: modRevision } = event;
    const version: Version = { key, value: event.type === 'put' ? event.value : undefined, modRevision };
    const versions = this.#keys.get(key);
    if (versions === undefined) this.#keys.set(key, [version]);
    else versions.push(version);
  }

  /** Forgets what `event` replaced, and the deletion itself; events come in order, so these are the oldest. */
  forget(event: StorageEvent): void {
    const versions = this.#keys.get(event.key);
    if (versions === undefined) return;
    if (event.previous !== undefined) versions.shift();
    if (event.type === 'delete') versions.shift();
    if (versions.length === 0) this.#keys.delete(event.key);
  }
}

/** A page that is being read. */
class PageInParts {
  readonly #keys: BTree<string, Version[]>;
  readonly #prefix: string;
  readonly #limit: number;
  readonly #at: Revision;
  readonly #entries: Entry[] = [];
  #from: string;
  #count = 0;

  constructor(keys: BTree<string, Version[]>, prefix: string, start: string, limit: number, at: Revision) {
    this.#keys = keys;
    this.#prefix = prefix;
    this.#limit = limit;
    this.#at = at;
    this.#from = compareKeys(start, prefix) > 0 ? start : prefix;
  }

  get result(): TablePage {
    const entries = this.#entries;
    return { entries, more: this.#count > entries.length, count: this.#count };
  }

  /** Looks at so many keys. False: there are more. */
  goOn(keys: number): boolean {
    let left = keys;
    for (const [key, versions] of this.#keys.entries(this.#from)) {
      if (!key.startsWith(this.#prefix)) break;
      if (left === 0) {
        this.#from = key;
        return false;
      }
      left -= 1;
      const entry = versionAt(versions, this.#at);
      if (entry === undefined) continue;
      this.#count += 1;
      if (this.#limit === 0 || this.#entries.length < this.#limit) this.#entries.push(entry);
    }
    return true;
  }
}

function versionAt(versions: readonly Version[] | undefined, at: Revision): Entry | undefined {
  if (versions === undefined) return undefined;
  // Nearly every read wants the newest, and that is the last one.
  let index = versions.length - 1;
  if ((versions[index]?.modRevision ?? 0n) > at) index = lastNotAfter(versions, at);
  const version = versions[index];
  return version?.value === undefined ? undefined : version;
}

function lastNotAfter(versions: readonly Version[], at: Revision): number {
  let low = 0;
  let high = versions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((versions[middle]?.modRevision ?? 0n) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
