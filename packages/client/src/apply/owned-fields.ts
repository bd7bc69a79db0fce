/** What a manager has applied, taken from the object: no schema is needed. */

import type { ApiObject, ManagedFieldsEntry } from '@listwatch/api';
import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { AppliedObject } from '../object-part.ts';

/** Options of `extractOwned`. */
export interface ExtractOwnedOptions {
  /** What the manager has applied through this subresource: `status`. Default: to the object itself. */
  readonly subresource?: string | undefined;
}

/**
 * The fields of an object that a manager owns by apply, ready to be changed and applied again: a controller that does so
 * keeps the fields that it set before. Undefined when the manager has applied nothing.
 *
 * @example
 * const owned = extractOwned(deployment, 'my-controller');
 * await cluster.apply(deployments, { ...owned, metadata: { name: 'web' } }, { fieldManager: 'my-controller' });
 */
export function extractOwned<T extends ApiObject>(
  object: T,
  manager: string,
  options: ExtractOwnedOptions = {},
): AppliedObject<T> | undefined {
  const { subresource = '' } = options;
  const { apiVersion, kind, metadata } = object;
  const entries = metadata.managedFields ?? [];
  const entry = entries.find(
    (one) => one.operation === 'Apply' && one.manager === manager && (one.subresource ?? '') === subresource,
  );
  if (entry === undefined) return undefined;
  const others = entries.filter((one) => one !== entry).map(treeOf);
  const fields = asJson(partOf(object, treeOf(entry), others));
  const { name, namespace } = metadata;
  const identity = { name, ...(namespace === undefined ? {} : { namespace }) };
  const type = { ...(apiVersion === undefined ? {} : { apiVersion }), ...(kind === undefined ? {} : { kind }) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a part of a T
  return {
    ...type,
    ...fields,
    metadata: { ...asJson(fields['metadata']), ...identity },
  } as unknown as AppliedObject<T>;
}

function treeOf({ fieldsV1 }: ManagedFieldsEntry): JsonRecord {
  return asJson(fieldsV1);
}

/** The part of a value that a tree of FieldsV1 names. `others` are the trees of the other managers at the same place. */
function partOf(value: unknown, tree: JsonRecord, others: readonly JsonRecord[]): unknown {
  const isWhole = Object.keys(tree).every((key) => key === '.');
  if (Array.isArray(value)) {
    if (isWhole && !isShared(others)) return value;
    return value.flatMap((item) => itemPart(item, tree, others));
  }
  if (!isRecord(value)) return value;
  // Others own members of it, so it is no value as a whole: it was applied empty.
  if (isWhole) return isShared(others) ? {} : value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const key = `f:${name}`;
    const below = own(tree, key);
    return below === undefined ? [] : [[name, partOf(member, below, at(others, key))] as const];
  });
  return Object.fromEntries(members);
}

/** An item of a list with owners for each item; none when the tree does not name it. */
function itemPart(item: unknown, tree: JsonRecord, others: readonly JsonRecord[]): readonly unknown[] {
  if (!isRecord(item)) return own(tree, `v:${JSON.stringify(item)}`) === undefined ? [] : [item];
  for (const [key, below] of Object.entries(tree)) {
    const fields = key.startsWith('k:') ? parsed(key.slice(2)) : undefined;
    if (fields === undefined || !isRecord(below) || !hasFields(item, fields)) continue;
    const part = partOf(item, below, at(others, key));
    // Keys that were filled by defaults have no owner, but the item is not found without them.
    return [isMarked(below) ? { ...fields, ...asJson(part) } : part];
  }
  return [];
}

/** `.` stands beside the members of an item that are owned one by one. */
function isMarked(tree: JsonRecord): boolean {
  return Object.hasOwn(tree, '.');
}

function isShared(others: readonly JsonRecord[]): boolean {
  return others.some((other) => Object.keys(other).some((key) => key !== '.'));
}

function at(trees: readonly JsonRecord[], key: string): readonly JsonRecord[] {
  return trees.map((tree) => own(tree, key)).filter((below) => below !== undefined);
}

function own(tree: JsonRecord, key: string): JsonRecord | undefined {
  return Object.hasOwn(tree, key) ? asJson(tree[key]) : undefined;
}

function hasFields(item: JsonRecord, fields: JsonRecord): boolean {
  return Object.entries(fields).every(([name, value]) => item[name] === value);
}

function parsed(json: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function asJson(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}
