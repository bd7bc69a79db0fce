/** Lists that are sets or maps by key: their order does not count, and `+` merges. */
import { CelDouble, CelDuration, CelList, CelMap, CelTimestamp, type CelValue, type ListRules } from '@listwatch/cel';
import { equalCelValues } from '@listwatch/cel/internal';
import type { DeclaredSchema } from './declared-schema.ts';
import { escapeFieldName } from './field-name.ts';

/** The differences from an ordinary list; `undefined` for an ordinary list. */
export function listRules(schema: DeclaredSchema): ListRules | undefined {
  if (schema['x-kubernetes-list-type'] === 'set') return new KeyedList((item) => scalarKey(item));
  if (schema['x-kubernetes-list-type'] !== 'map') return undefined;
  const names = (schema['x-kubernetes-list-map-keys'] ?? []).map((name) => escapeFieldName(name) ?? name);
  return new KeyedList((item) =>
    item instanceof CelMap ? names.map((name) => scalarKey(item.find(name))).join(',') : scalarKey(item),
  );
}

/** Values are compared without a limit of steps: an object of a request is as large as its JSON. */
const UNLIMITED = { count: (): void => undefined };

/** A list whose items have keys. */
class KeyedList implements ListRules {
  readonly #keyOf: (item: CelValue) => string;

  constructor(keyOf: (item: CelValue) => string) {
    this.#keyOf = keyOf;
  }

  equals(left: CelList, right: CelList): boolean {
    if (left.size !== right.size) return false;
    const items = new Map(Array.from(left, (item) => [this.#keyOf(item), item]));
    for (const item of right) {
      const ours = items.get(this.#keyOf(item));
      if (ours === undefined || !equalCelValues(ours, item, UNLIMITED)) return false;
    }
    return true;
  }

  /** Items of the right list take the place of those with the same key; others come behind. */
  add(left: CelList, right: CelList): CelList {
    const items = new Map<string, CelValue>();
    for (const item of left) items.set(this.#keyOf(item), item);
    for (const item of right) items.set(this.#keyOf(item), item);
    return CelList.of([...items.values()], this);
  }
}

/** Two scalars have the same key when they are equal. */
function scalarKey(value: CelValue | undefined): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof CelDouble) return String(value.value);
  if (value instanceof CelTimestamp) return `${value.seconds}.${value.nanos}`;
  if (value instanceof CelDuration) return String(value.nanoseconds);
  return value instanceof Uint8Array || typeof value !== 'object' || value === null ? String(value) : '';
}
