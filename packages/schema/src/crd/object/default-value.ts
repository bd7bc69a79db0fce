/** Fills in the defaults of a schema, and removes nulls that no schema allows. */

import { isRecord, type JsonRecord, setMember } from '@listwatch/api/values';
import type { SchemaPart } from '../schema-part.ts';
import { changedList, changedRecord } from './changed-json.ts';

/**
 * The value with defaults; the same value when it lacks none. Only objects that are there get defaults below them. Defaults
 * are shared, never copied: nothing changes JSON in place.
 */
export function defaultValue(value: unknown, part: SchemaPart | undefined): unknown {
  if (part === undefined) return value;
  if (Array.isArray(value)) {
    const { items } = part;
    return items === undefined ? value : changedList(value, (item) => filled(item, items));
  }
  return isRecord(value) ? defaultRecord(value, part) : value;
}

function defaultRecord(record: JsonRecord, part: SchemaPart): JsonRecord {
  const present = changedRecord(record, (name, member) => {
    const inner = part.member(name);
    return inner === undefined ? member : filled(member, inner);
  });
  let result: Record<string, unknown> | undefined;
  for (const [name, inner] of part.defaulted) {
    if (Object.hasOwn(present, name)) continue;
    result ??= { ...present };
    setMember(result, name, defaultValue(inner.default, inner));
  }
  return result ?? present;
}

/** A null where no null is allowed becomes the default; without one it stays, and is dropped or refused later. */
function filled(value: unknown, part: SchemaPart): unknown {
  const given = value === null && !part.isNullable ? (part.default ?? null) : value;
  return typeof given === 'object' && given !== null ? defaultValue(given, part) : given;
}

/** The value without null members that are not nullable and have no default; the same value when it has none. */
export function withoutNulls(value: unknown, part: SchemaPart | undefined): unknown {
  if (part === undefined) return value;
  if (Array.isArray(value)) {
    const { items } = part;
    return items === undefined ? value : changedList(value, (item) => withoutNulls(item, items));
  }
  if (!isRecord(value)) return value;
  return changedRecord(value, (name, member) => {
    if (member !== null && typeof member !== 'object') return member;
    const inner = part.member(name);
    if (inner === undefined) return member;
    if (member !== null) return withoutNulls(member, inner);
    return inner.isNullable || inner.default !== undefined ? null : undefined;
  });
}
