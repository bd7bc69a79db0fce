/** Removes unknown fields. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { SchemaPart } from '../schema-part.ts';
import { changedList, changedRecord } from './changed-json.ts';

/** The members of an object that no schema has to declare. */
export function isMetaField(name: string): boolean {
  return name === 'apiVersion' || name === 'kind' || name === 'metadata';
}

/** Where a value stands, from its parent up; `at` of a list is an index. */
export interface PrunePlace {
  readonly above: PrunePlace | undefined;
  readonly at: number | string;
}

/** Gets the place of each member that is dropped. */
export type DroppedMember = (place: PrunePlace) => void;

/**
 * The value without members that the schema does not know; the same value when it has none. No schema: objects lose all
 * members. `isRoot`: `apiVersion`, `kind` and `metadata` stay, as in an embedded object.
 */
export function pruneValue(
  value: unknown,
  part: SchemaPart | undefined,
  isRoot: boolean,
  dropped?: DroppedMember,
): unknown {
  return prune(value, part, { isRoot, place: undefined, dropped });
}

interface At {
  readonly isRoot: boolean;
  readonly place: PrunePlace | undefined;
  readonly dropped: DroppedMember | undefined;
}

/** Recurses no deeper than the value. */
function prune(value: unknown, part: SchemaPart | undefined, at: At): unknown {
  if (Array.isArray(value)) return pruneList(value, part, at);
  return isRecord(value) ? pruneRecord(value, part, at) : value;
}

function pruneList(list: readonly unknown[], part: SchemaPart | undefined, at: At): unknown {
  if (part?.keepsUnknown === true) return keepList(list, part, at);
  return changedList(list, (item, index) => (isContainer(item) ? prune(item, part?.items, below(at, index)) : item));
}

/** A value that keeps unknown fields: only declared fields are pruned. */
function keep(value: unknown, part: SchemaPart | undefined, at: At): unknown {
  if (part === undefined) return value;
  if (!isRecord(value)) return Array.isArray(value) ? keepList(value, part, at) : value;
  return changedRecord(value, (name, member) => {
    if (!isContainer(member) || ((part.isEmbedded || at.isRoot) && isMetaField(name))) return member;
    return isDeclared(part, name) ? prune(member, part.member(name), below(at, name)) : member;
  });
}

function keepList(list: readonly unknown[], part: SchemaPart, at: At): unknown {
  return changedList(list, (item, index) => keep(item, part.items, below(at, index)));
}

function pruneRecord(record: JsonRecord, part: SchemaPart | undefined, at: At): unknown {
  if (part?.keepsUnknown === true) return keep(record, part, at);
  return changedRecord(record, (name, member) => {
    if (part !== undefined && (part.isEmbedded || at.isRoot) && isMetaField(name)) return member;
    if (part !== undefined && isDeclared(part, name)) {
      return isContainer(member) ? prune(member, part.member(name), below(at, name)) : member;
    }
    at.dropped?.({ above: at.place, at: name });
    return undefined;
  });
}

/** A declared member has a schema, unless `additionalProperties` is a boolean: then objects below it lose all members. */
function isDeclared(part: SchemaPart, name: string): boolean {
  return part.hasAdditional || part.property(name) !== undefined;
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function below(at: At, step: number | string): At {
  return { isRoot: false, place: { above: at.place, at: step }, dropped: at.dropped };
}
