/** Lists, maps and objects that an expression makes. */
import { CelError } from '../values/cel-error.ts';
import { CelList } from '../values/cel-list.ts';
import { CelMap, type MapKey, mapKey } from '../values/cel-map.ts';
import { CelOptional, type CelResult, type CelValue } from '../values/cel-value.ts';
import { formatKey } from '../values/format-value.ts';
import type { Frame, Plan } from './frame.ts';

const LIST_COST = 10;
const MAP_COST = 30;
const STRUCT_COST = 40;

/** `[a, ?b]`. */
export function listPlan(elements: readonly Plan[], optional: readonly number[]): Plan {
  const optionals = optional.length === 0 ? undefined : new Set(optional);
  return (frame) => {
    frame.cost += LIST_COST;
    const items: CelValue[] = [];
    for (let index = 0; index < elements.length; index++) {
      const item = elements[index]?.(frame) ?? null;
      if (item instanceof CelError) return item;
      if (optionals?.has(index) !== true) {
        items.push(item);
      } else if (!(item instanceof CelOptional)) {
        return new CelError(`cannot initialize optional list element from non-optional value ${formatKey(item)}`);
      } else if (item.value !== undefined) {
        items.push(item.value);
      }
    }
    return CelList.of(items);
  };
}

/** An entry of a map literal. */
export interface EntryPlan {
  readonly key: Plan;
  readonly value: Plan;
  readonly optional: boolean;
}

/** `{a: b, ?c: d}`. */
export function mapPlan(entries: readonly EntryPlan[]): Plan {
  return (frame) => {
    frame.cost += MAP_COST;
    const map = new Map<MapKey, readonly [CelValue, CelValue]>();
    for (const entry of entries) {
      const key = entry.key(frame);
      if (key instanceof CelError) return key;
      const lookedUp = mapKey(key);
      const value = entryValue(frame, entry, key);
      if (value instanceof CelError) return value;
      if (value === undefined) map.delete(lookedUp);
      else map.set(lookedUp, [key, value]);
    }
    return CelMap.of(map);
  };
}

/** A field of an object literal. */
export interface LiteralFieldPlan {
  readonly name: string;
  readonly value: Plan;
  readonly optional: boolean;
}

/** `T{a: b}`. */
export function structPlan(typeName: string, fields: readonly LiteralFieldPlan[]): Plan {
  return (frame) => {
    frame.cost += STRUCT_COST;
    const map = new Map<MapKey, readonly [CelValue, CelValue]>();
    for (const field of fields) {
      const value = entryValue(frame, field, field.name);
      if (value instanceof CelError) return value;
      if (value === undefined) map.delete(field.name);
      else map.set(field.name, [field.name, value]);
    }
    return CelMap.of(map, typeName);
  };
}

function entryValue(
  frame: Frame,
  { value: plan, optional }: Pick<EntryPlan, 'optional' | 'value'>,
  key: CelValue,
): CelResult | undefined {
  const value = plan(frame);
  if (!optional || value instanceof CelError) return value;
  if (value instanceof CelOptional) return value.value;
  return new CelError(
    `cannot initialize optional entry '${formatKey(key)}' from non-optional value ${formatKey(value)}`,
  );
}
