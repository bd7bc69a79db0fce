/** Indexes of the current objects by label and field: a selector finds its objects without a scan. */

import type { ExactTerm } from '@listwatch/api';
import { compareKeys } from '@listwatch/storage';
import type { CachedObject } from './cached-object.ts';
import type { WatchScope } from './watch-scope.ts';

/** Labels and fields of a kind that are indexed at one time. Each takes about a hundred bytes for each object. */
const MAX_TERMS = 8;
/** Objects in the index of one value. Beyond that a change moves too much memory, and a scan is not much slower. */
const MAX_OBJECTS = 8192;
/** Labels and fields that were selected by once: they are indexed the second time. */
const MAX_ASKED = 100;
/** Of more objects an index is made in parts, between which others have their turn. Until then lists look at all objects. */
const AT_ONCE_MAX = 4096;
const PART_MS = 1;
const OBJECTS_BETWEEN_LOOKS = 128;
/** When so much changes meanwhile an index is given up. */
const MAX_CHANGES = 10_000;
/** The first terms of a selector that may get an index. */
const MAX_CONSIDERED = 4;

/** How large an index may become. */
export interface ObjectIndexOptions {
  /** Default 8. */
  readonly maxTerms?: number | undefined;
  /** Default 8192. */
  readonly maxObjects?: number | undefined;
}

/** What an index is made from: all objects, in key order. */
interface ObjectSource {
  readonly size: number;
  visit(prefix: string, start: string, visit: (object: CachedObject) => boolean): void;
}

/**
 * By label and value, and by field and value. An index is made when lists select by a label or a field for the second
 * time, so that a single list costs one scan. The least recently used index is dropped.
 */
export class ObjectIndex {
  readonly #maxTerms: number;
  readonly #maxObjects: number;
  readonly #terms = new Map<string, TermIndex>();
  readonly #asked = new Set<string>();
  /** At most one at a time. */
  #growing: GrowingIndex | undefined;

  constructor({ maxTerms = MAX_TERMS, maxObjects = MAX_OBJECTS }: ObjectIndexOptions = {}) {
    this.#maxTerms = maxTerms;
    this.#maxObjects = maxObjects;
  }

  /**
   * A superset of the current objects in the scope, in key order; undefined: look at all objects. Valid until the next
   * change. `all` are the current objects.
   */
  candidates({ labels, fields }: WatchScope, all: ObjectSource): readonly CachedObject[] | undefined {
    const terms = [...labels.exactTerms.map((term) => termOf('label', term)), ...fields.exactTerms.map(fieldTerm)];
    let best: readonly CachedObject[] | undefined;
    for (const { id, value } of terms) {
      const found = this.#indexed(id)?.objects(value);
      if (found !== undefined && found.length < (best?.length ?? Number.POSITIVE_INFINITY)) best = found;
    }
    if (best !== undefined) return best;
    // One request makes at most one index: each costs a scan of all objects.
    const wanted = terms.slice(0, MAX_CONSIDERED).find(({ id }) => !this.#terms.has(id) && this.#isWanted(id));
    return wanted && this.#make(wanted, all)?.objects(wanted.value);
  }

  /** An object has changed. `previous` is undefined for a new object, `object` for a deleted one. */
  change(previous: CachedObject | undefined, object: CachedObject | undefined): void {
    for (const [id, term] of this.#terms) if (!term.change(previous, object)) this.#terms.delete(id);
    if (this.#growing === undefined) return;
    this.#growing.changes.push([previous, object]);
    if (this.#growing.changes.length > MAX_CHANGES) this.#growing = undefined;
  }

  clear(): void {
    this.#growing = undefined;
    this.#terms.clear();
  }

  /** The index of a term; the one that was used last stays longest. */
  #indexed(id: string): TermIndex | undefined {
    const known = this.#terms.get(id);
    if (known === undefined) return undefined;
    this.#terms.delete(id);
    this.#terms.set(id, known);
    return known;
  }

  /** Whether a list has selected by this label or field before. */
  #isWanted(id: string): boolean {
    if (this.#asked.delete(id)) return true;
    if (this.#asked.size >= MAX_ASKED) this.#asked.clear();
    this.#asked.add(id);
    return false;
  }

  /** Undefined: it takes a while. */
  #make({ id, valueOf }: Term, all: ObjectSource): TermIndex | undefined {
    const made = new TermIndex(valueOf, this.#maxObjects);
    if (all.size > AT_ONCE_MAX) {
      if (this.#growing === undefined) this.#grow({ id, made, changes: [] }, all, '');
      return undefined;
    }
    all.visit('', '', (object) => made.change(undefined, object));
    this.#keep(id, made);
    return made;
  }

  /** Reads a snapshot in parts; what has changed since then is applied at the end. */
  #grow(growing: GrowingIndex, all: ObjectSource, from: string): void {
    this.#growing = growing;
    const { id, made, changes } = growing;
    const end = performance.now() + PART_MS;
    let count = 0;
    let next: string | undefined;
    all.visit('', from, (object) => {
      count += 1;
      if (count % OBJECTS_BETWEEN_LOOKS === 0 && performance.now() >= end) {
        next = object.key;
        return false;
      }
      return made.change(undefined, object);
    });
    if (next !== undefined) {
      const start = next;
      setImmediate(() => {
        if (this.#growing === growing) this.#grow(growing, all, start);
      });
      return;
    }
    this.#growing = undefined;
    if (changes.every(([previous, object]) => made.change(previous, object))) this.#keep(id, made);
  }

  #keep(id: string, made: TermIndex): void {
    const [oldest] = this.#terms.keys();
    if (this.#terms.size >= this.#maxTerms && oldest !== undefined) this.#terms.delete(oldest);
    this.#terms.set(id, made);
  }
}

/** An index that is being made of a snapshot. */
interface GrowingIndex {
  readonly id: string;
  readonly made: TermIndex;
  readonly changes: (readonly [previous: CachedObject | undefined, object: CachedObject | undefined])[];
}

/** A label or a field, and the value that a selector wants. */
interface Term {
  readonly id: string;
  readonly value: string;
  readonly valueOf: ValueOf;
}

function termOf(type: 'field' | 'label', { key, value }: ExactTerm): Term {
  return { id: `${type} ${key}`, value, valueOf: type === 'label' ? labelOf(key) : fieldOf(key) };
}

function fieldTerm(term: ExactTerm): Term {
  return termOf('field', term);
}

type ValueOf = (object: CachedObject) => string | undefined;

function labelOf(key: string): ValueOf {
  return ({ labels }) => {
    const value: unknown = labels?.[key];
    // A label may be called `constructor`; what the prototype holds under such names is not text.
    return typeof value === 'string' ? value : undefined;
  };
}

/** A field that the object does not have counts as empty, as in a selector. */
function fieldOf(field: string): ValueOf {
  return ({ fields }) => fields[field] ?? '';
}

const NONE: readonly CachedObject[] = [];

/** The objects of each value, in key order; only their number where there are too many. */
class TermIndex {
  readonly #valueOf: ValueOf;
  readonly #max: number;
  readonly #byValue = new Map<string, CachedObject[] | number>();

  constructor(valueOf: ValueOf, max: number) {
    this.#valueOf = valueOf;
    this.#max = max;
  }

  /** Undefined: too many to be kept. */
  objects(value: string): readonly CachedObject[] | undefined {
    const found = this.#byValue.get(value) ?? NONE;
    return typeof found === 'number' ? undefined : found;
  }

  /** False: a value that had too many objects has few now, and the index must be made anew to know them. */
  change(previous: CachedObject | undefined, object: CachedObject | undefined): boolean {
    const before = previous && this.#valueOf(previous);
    const now = object && this.#valueOf(object);
    if (object !== undefined && now !== undefined) this.#put(now, object, before === now);
    return previous === undefined || before === undefined || before === now || this.#remove(before, previous.key);
  }

  #put(value: string, object: CachedObject, replaces: boolean): void {
    const found = this.#byValue.get(value);
    if (found === undefined) this.#byValue.set(value, [object]);
    else if (typeof found === 'number') this.#byValue.set(value, replaces ? found : found + 1);
    else if (replaces) found[placeOf(found, object.key)] = object;
    else if (found.length === this.#max) this.#byValue.set(value, found.length + 1);
    // An index is made in key order: to look for the place of each object took nine tenths of the time.
    else if (compareKeys(found.at(-1)?.key ?? '', object.key) < 0) found.push(object);
    else found.splice(placeOf(found, object.key), 0, object);
  }

  #remove(value: string, key: string): boolean {
    const found = this.#byValue.get(value);
    if (typeof found === 'number') {
      this.#byValue.set(value, found - 1);
      return found - 1 > this.#max / 2;
    }
    found?.splice(placeOf(found, key), 1);
    if (found?.length === 0) this.#byValue.delete(value);
    return true;
  }
}

/** Where a key is, or belongs. */
function placeOf(objects: readonly CachedObject[], key: string): number {
  let low = 0;
  let high = objects.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(objects[middle]?.key ?? '', key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
