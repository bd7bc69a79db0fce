/** Lists: views of arrays, whose elements are adapted when they are read, and balanced trees of such views. */
import type { CelResult, CelValue } from './cel-value.ts';

/** Makes a value of foreign data, such as an element of a JSON array that is declared as a list of doubles. */
export type Adapt = (raw: unknown) => CelValue;

/** What differs in lists that a schema gives a meaning of its own, such as sets and maps by key. */
export interface ListRules {
  /** Replaces `==`. */
  equals(left: CelList, right: CelList): boolean;
  /** Replaces `+`. */
  add(left: CelList, right: CelList): CelResult;
}

/** Foreign data and the way to read it. */
interface Source {
  readonly raw: readonly unknown[];
  readonly adapt: Adapt;
}

const NO_VALUES: readonly CelValue[] = [];

/** A list. The data behind it must not change. */
export class CelList implements Iterable<CelValue> {
  readonly size: number;
  readonly rules: ListRules | undefined;
  readonly #values: readonly CelValue[];
  readonly #source: Source | undefined;
  readonly #left: CelList | undefined;
  readonly #right: CelList | undefined;
  readonly #height: number;

  private constructor(
    values: readonly CelValue[],
    source?: Source,
    rules?: ListRules,
    left?: CelList,
    right?: CelList,
  ) {
    this.#values = values;
    this.#source = source;
    this.rules = rules;
    this.#left = left;
    this.#right = right;
    if (left !== undefined && right !== undefined) {
      this.size = left.size + right.size;
      this.#height = Math.max(left.#height, right.#height) + 1;
    } else {
      this.size = source === undefined ? values.length : source.raw.length;
      this.#height = 0;
    }
  }

  /** A list of values, without a copy. */
  static of(values: readonly CelValue[], rules?: ListRules): CelList {
    return new CelList(values, undefined, rules);
  }

  /** A list of foreign data, without a copy: `adapt` is called whenever an element is read. */
  static adapted(raw: readonly unknown[], adapt: Adapt, rules?: ListRules): CelList {
    return new CelList(NO_VALUES, { raw, adapt }, rules);
  }

  /** The element at an index from 0 to `size - 1`. */
  at(index: number): CelValue {
    if (this.#left !== undefined && this.#right !== undefined) {
      return index < this.#left.size ? this.#left.at(index) : this.#right.at(index - this.#left.size);
    }
    if (this.#source !== undefined) return this.#source.adapt(this.#source.raw[index]);
    const value = this.#values[index];
    if (value === undefined) throw new RangeError(`no element ${index} in a list of ${this.size}`);
    return value;
  }

  /** Both lists, one after the other, in O(log n): nothing is copied. */
  concat(other: CelList): CelList {
    if (this.size === 0) return other;
    if (other.size === 0) return this;
    return CelList.#join(this, other);
  }

  /** The elements in order. */
  *[Symbol.iterator](): IterableIterator<CelValue> {
    if (this.#left === undefined || this.#right === undefined) {
      for (let index = 0; index < this.size; index++) yield this.at(index);
    } else {
      yield* this.#left;
      yield* this.#right;
    }
  }

  /** Joins two AVL trees. The tree stays balanced, so that `at` is O(log n) whatever was concatenated. */
  static #join(left: CelList, right: CelList): CelList {
    if (left.#height > right.#height + 1 && left.#left !== undefined && left.#right !== undefined) {
      return CelList.#balance(left.#left, CelList.#join(left.#right, right));
    }
    if (right.#height > left.#height + 1 && right.#left !== undefined && right.#right !== undefined) {
      return CelList.#balance(CelList.#join(left, right.#left), right.#right);
    }
    return CelList.#node(left, right);
  }

  static #balance(left: CelList, right: CelList): CelList {
    if (right.#height > left.#height + 1 && right.#left !== undefined && right.#right !== undefined) {
      const inner = right.#left;
      if (inner.#height > right.#right.#height && inner.#left !== undefined && inner.#right !== undefined) {
        return CelList.#node(CelList.#node(left, inner.#left), CelList.#node(inner.#right, right.#right));
      }
      return CelList.#node(CelList.#node(left, inner), right.#right);
    }
    if (left.#height > right.#height + 1 && left.#left !== undefined && left.#right !== undefined) {
      const inner = left.#right;
      if (inner.#height > left.#left.#height && inner.#left !== undefined && inner.#right !== undefined) {
        return CelList.#node(CelList.#node(left.#left, inner.#left), CelList.#node(inner.#right, right));
      }
      return CelList.#node(left.#left, CelList.#node(inner, right));
    }
    return CelList.#node(left, right);
  }

  static #node(left: CelList, right: CelList): CelList {
    return new CelList(NO_VALUES, undefined, undefined, left, right);
  }
}
