/** The defaults that schemas declare. Defaults that are Go code are no part of a schema. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { DecodePlan, FieldPlan, StructPlan } from './decode-plan.ts';

/** The object with the defaults of its schema for values that are absent or empty; the same object when there are none. */
export function withDefaults(plan: StructPlan, object: JsonRecord): JsonRecord {
  let changed: Record<string, unknown> | undefined;
  for (const field of plan.defaulted) {
    const value = object[field.name];
    const filled = withDefault(field, value);
    if (filled === value) continue;
    changed ??= { ...object };
    changed[field.name] = filled;
  }
  return changed ?? object;
}

function withDefault(field: FieldPlan, value: unknown): unknown {
  const { plan } = field;
  if (!isAbsent(field, value)) return inside(plan, value);
  if (field.default !== undefined) return inside(plan, field.default);
  // What Go holds as a struct is always there, so what it holds has its defaults.
  if (plan.is !== 'struct' || field.isPointer) return value;
  const filled = withDefaults(plan, EMPTY);
  return filled === EMPTY ? value : filled;
}

const EMPTY: JsonRecord = Object.freeze({});

function isAbsent({ plan, isPointer, zero }: FieldPlan, value: unknown): boolean {
  return value === undefined || value === null || (plan.is === 'scalar' && !isPointer && value === zero);
}

function inside(plan: DecodePlan, value: unknown): unknown {
  switch (plan.is) {
    case 'form':
    case 'scalar':
      return value;
    case 'struct':
      return isRecord(value) ? withDefaults(plan, value) : value;
    case 'list':
      return Array.isArray(value) && plan.item.is !== 'scalar' ? insideList(plan.item, value) : value;
    case 'map':
      return isRecord(value) && plan.item.is !== 'scalar' ? insideMap(plan.item, value) : value;
  }
}

function insideList(plan: DecodePlan, items: readonly unknown[]): readonly unknown[] {
  // Most items need no default: the list is copied from the first that does.
  let filled: unknown[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const item = inside(plan, items[index]);
    if (item !== items[index]) filled ??= items.slice(0, index);
    filled?.push(item);
  }
  return filled ?? items;
}

function insideMap(plan: DecodePlan, entries: JsonRecord): JsonRecord {
  const filled = Object.entries(entries).map(([key, item]) => [key, inside(plan, item)] as const);
  return filled.every(([key, item]) => item === entries[key]) ? entries : Object.fromEntries(filled);
}
