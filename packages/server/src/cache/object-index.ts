/** Finds the objects that a selector may select, without looking at all of them. */

import type { ExactTerm } from '@listwatch/api';
import { compareKeys } from '@listwatch/storage';
import type { CachedObject } from './cached-object.ts';
import type { WatchScope } from './watch-scope.ts';

/** Labels and fields that are indexed at one time, of a kind. Each costs about a hundred bytes an object. */
const MAX_TERMS = 8;
/** Objects kept for one value. Above that a change would move too much memory, and a scan costs little in comparison. */
const MAX_OBJECTS = 8192;
/** Labels and fields that have been asked for once, and whose second time is waited for. */
const MAX_ASKED = 100;

/** How large an index may become. */
export interface ObjectIndexOptions {
  /** Default 8. */
  readonly maxTerms?: number | undefined;
  /** Default 8192. */
  readonly maxObjects?: number | undefined;
}

/** What an index is made from: all objects, in key order. */
interface ObjectSource {
  visit(prefix: string, start: string, visit: (object: CachedObject) => boolean): void;
}

/**
 * By label and value, and by field and value, over the current objects. An index is made when a label or a field is
 * asked for the second time: one question is a scan, and its answer is all that anybody wants. The oldest one goes.
 */
export class ObjectIndex {
  readonly #maxTerms: number;
  readonly #maxObjects: number;
  readonly #terms = new Map<string, TermIndex>();
  readonly #asked = new Set<string>();

  constructor({ maxTerms = MAX_TERMS, maxObjects = MAX_OBJECTS }: ObjectIndexOptions = {}) {
    this.#maxTerms = maxTerms;
    this.#maxObjects = maxObjects;
  }

  /**
   * All current objects that the scope may contain, in key order, and perhaps others; undefined: any object may be in it.
   * Good until the next change: not to be kept. `all` are the current objects.
   */
  candidates({ labels, fields }: WatchScope, all: ObjectSource): readonly CachedObject[] | undefined {
    let best: readonly CachedObject[] | undefined;
    const consider = (found: readonly CachedObject[] | undefined): void => {
      if (found !== undefined && found.length < (best?.length ?? Number.POSITIVE_INFINITY)) best = found;
    };
    for (const term of labels.exactTerms) consider(this.#find('label', term, all));
    for (const term of fields.exactTerms) consider(this.#find('field', term, all));
    return best;
  }

  /** An object has become another; undefined: it was not there, or is not any more. */
  change(previous: CachedObject | undefined, object: CachedObject | undefined): void {
    for (const [id, term] of this.#terms) if (!term.change(previous, object)) this.#terms.delete(id);
  }

  clear(): void {
    this.#terms.clear();
  }

  #find(type: 'field' | 'label', { key, value }: ExactTerm, all: ObjectSource): readonly CachedObject[] | undefined {
    const id = `${type} ${key}`;
    const known = this.#terms.get(id);
    if (known !== undefined) {
      // The one that was asked for last stays longest.
      this.#terms.delete(id);
      this.#terms.set(id, known);
      return known.objects(value);
    }
    if (!this.#asked.delete(id)) {
      if (this.#asked.size >= MAX_ASKED) this.#asked.clear();
      this.#asked.add(id);
      return undefined;
    }
    const made = new TermIndex(type === 'label' ? labelOf(key) : fieldOf(key), this.#maxObjects);
    all.visit('', '', (object) => made.change(undefined, object));
    const [oldest] = this.#terms.keys();
    if (this.#terms.size >= this.#maxTerms && oldest !== undefined) this.#terms.delete(oldest);
    this.#terms.set(id, made);
    return made.objects(value);
  }
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
