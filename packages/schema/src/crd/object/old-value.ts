/** The old value that belongs to a value: unchanged values are not validated again. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { encodedText } from '../go-value.ts';
import type { SchemaPart } from '../schema-part.ts';
import { isEqualJson } from './equal-json.ts';

/** A value with its old value. Members belong together by name, items of lists by their keys; other items do not. */
export class OldValue {
  readonly #part: SchemaPart;
  readonly #value: unknown;
  readonly #old: unknown;
  readonly #above: OldValue | undefined;
  #byKeys: ReadonlyMap<string, unknown> | undefined;
  #isEqual: boolean | undefined;

  constructor(part: SchemaPart, value: unknown, old: unknown, above?: OldValue) {
    this.#part = part;
    this.#value = value;
    this.#old = old;
    this.#above = above;
  }

  /** The old value of a member. `undefined`: it is new, or the schema does not know the member. */
  member(name: string): OldValue | undefined {
    const old = this.#old;
    if (!isRecord(old) || !isRecord(this.#value) || !Object.hasOwn(old, name)) return undefined;
    const part = this.#part.member(name);
    return part === undefined ? undefined : new OldValue(part, this.#value[name], old[name], this);
  }

  /** The old value of an item. */
  item(index: number): OldValue | undefined {
    if (!Array.isArray(this.#value)) return undefined;
    const item: unknown = this.#value[index];
    const old = this.#oldItem(item);
    const { items } = this.#part;
    return old === undefined || items === undefined ? undefined : new OldValue(items, item, old, this);
  }

  /** Has the value not changed? */
  isUnchanged(): boolean {
    this.#isEqual ??= this.#compare();
    // The parent of a changed value has changed: it is not compared again, level for level.
    if (!this.#isEqual && this.#above !== undefined) this.#above.#isEqual = false;
    return this.#isEqual;
  }

  #oldItem(item: unknown): unknown {
    if (this.#part.listType !== 'map' || !Array.isArray(this.#old) || !isRecord(item)) return undefined;
    this.#byKeys ??= itemsByKeys(this.#old, this.#part.listKeys);
    const keys = keysText(item, this.#part.listKeys);
    return keys === undefined ? undefined : this.#byKeys.get(keys);
  }

  #compare(): boolean {
    const [value, old] = [this.#value, this.#old];
    if (Array.isArray(value))
      return Array.isArray(old) && value.length === old.length && this.#hasEqualItems(value, old);
    if (!isRecord(value)) return isEqualJson(value, old);
    if (!isRecord(old)) return false;
    const names = Object.keys(value);
    return names.length === Object.keys(old).length && names.every((name) => this.member(name)?.isUnchanged() ?? false);
  }

  #hasEqualItems(value: readonly unknown[], old: readonly unknown[]): boolean {
    if (this.#part.listType !== 'map' || this.#part.items === undefined) return isEqualJson(value, old);
    return value.every((_, index) => this.item(index)?.isUnchanged() ?? false);
  }
}

/** Of items with the same keys the first counts. */
function itemsByKeys(list: readonly unknown[], keys: readonly string[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const item of list) {
    const text = isRecord(item) ? keysText(item, keys) : undefined;
    if (text !== undefined && !found.has(text)) found.set(text, item);
  }
  return found;
}

/** `undefined`: a key is missing, or is no scalar. */
function keysText(item: JsonRecord, keys: readonly string[]): string | undefined {
  const values = keys.map((key) => (Object.hasOwn(item, key) ? item[key] : undefined));
  return values.some((value) => value === undefined || typeof value === 'object') ? undefined : encodedText(values);
}
