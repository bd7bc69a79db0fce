/** Computes strategic merge patches, as kubectl does. */

import type { Schema } from '../schema.ts';
import type { SchemaSet } from '../schema-set.ts';
import { goText } from './go-text.ts';
import { mergeObject } from './merge-object.ts';
import { objectDifference } from './object-difference.ts';
import { haveConflicts } from './patch-conflicts.ts';
import type { PatchLevel } from './patch-level.ts';
import { closeObject, openTreeOf, type PatchMap } from './patch-tree.ts';
import { StrategicMergeError } from './strategic-merge-error.ts';

/** A strategic merge patch. */
export type StrategicPatch = Readonly<Record<string, unknown>>;

/** What a computed patch must not do. */
export interface PatchPreconditions {
  /**
   * Fields that must not change: names, with a dot below `metadata`. kubectl apply asks for `apiVersion`, `kind` and
   * `metadata.name`. Default: none.
   */
  readonly unchanged?: readonly string[];
}

/** How a three-way patch is computed. */
export interface ThreeWayOptions extends PatchPreconditions {
  /** Overwrite what others have changed in another way. Default: true, as in kubectl. False: throw `PATCH_CONFLICT`. */
  readonly overwrite?: boolean;
}

/** The objects of a three-way patch. */
export interface ThreeWayObjects {
  /** What was applied last. Fields that it has, and `modified` has not, are deleted. */
  readonly original: object;
  /** What is wanted now. */
  readonly modified: object;
  /** What the server has. */
  readonly current: object;
}

/**
 * The patch that makes `modified` of `original`; `{}` when they are equal. Throws a `StrategicMergeError`.
 *
 * @example
 * createTwoWayPatch(schemas, 'core/v1.ConfigMap', { data: { a: '1' } }, { data: { b: '2' } });
 * // { data: { b: '2', a: null } }
 */
export function createTwoWayPatch(
  schemas: SchemaSet,
  schema: Schema,
  original: object,
  modified: object,
  { unchanged = [] }: PatchPreconditions = {},
): StrategicPatch {
  const options = { changes: true, deletions: true, order: true };
  const patch = objectDifference(openTreeOf(original), openTreeOf(modified), { schemas, schema }, options);
  requireUnchanged(patch, unchanged);
  return closeObject(patch);
}

/**
 * The patch that makes of `current` what is wanted now: it sets what `modified` has, deletes what `original` had and `modified`
 * has not, and leaves alone what others have added. Throws a `StrategicMergeError`.
 */
export function createThreeWayPatch(
  schemas: SchemaSet,
  schema: Schema,
  objects: ThreeWayObjects,
  { overwrite = true, unchanged = [] }: ThreeWayOptions = {},
): StrategicPatch {
  const level: PatchLevel = { schemas, schema };
  const original = openTreeOf(objects.original);
  const modified = openTreeOf(objects.modified);
  const current = openTreeOf(objects.current);
  const delta = objectDifference(current, modified, level, { changes: true, deletions: false, order: true });
  const deletions = objectDifference(original, modified, level, { changes: false, deletions: true, order: true });
  // Both share values with `modified`, and the merge changes what it merges.
  const patch = mergeObject(openTreeOf(deletions), openTreeOf(delta), level, 'patch');
  requireUnchanged(patch, unchanged);
  if (!overwrite) {
    const changed = objectDifference(original, current, level, { changes: true, deletions: true, order: false });
    if (haveConflicts(patch, changed, level)) throw conflict(patch, changed);
  }
  return closeObject(patch);
}

function requireUnchanged(patch: PatchMap, fields: readonly string[]): void {
  for (const field of fields) {
    let place: unknown = patch;
    for (const name of field.split('.')) place = place instanceof Map ? place.get(name) : undefined;
    if (place !== undefined) {
      throw new StrategicMergeError('PATCH_PRECONDITION', `precondition failed for: ${goText(patch)}`);
    }
  }
}

function conflict(patch: PatchMap, changed: PatchMap): StrategicMergeError {
  const [ours, theirs] = [patch, changed].map((value) => JSON.stringify(closeObject(value), jsonMember));
  const message = `patch:\n${ours}\nconflicts with changes made from original to current:\n${theirs}\n`;
  return new StrategicMergeError('PATCH_CONFLICT', message);
}

/** JSON has no bigints of its own. */
function jsonMember(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
