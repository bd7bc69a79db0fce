/** Applies a strategic merge patch to an object. */

import type { Schema } from '../schema.ts';
import type { SchemaSet } from '../schema-set.ts';
import { mergeObject } from './merge-object.ts';
import { closeObject, openObject, openTreeOf, type PatchMap } from './patch-tree.ts';

/** An object with a patch applied to it. */
export interface StrategicResult {
  readonly object: Readonly<Record<string, unknown>>;
  /** What is left of the patch when its directives are carried out. kube-apiserver shows it in errors about the object. */
  readonly rest: ReadonlyMap<string, unknown>;
}

/**
 * The object with a strategic merge patch applied, as kube-apiserver applies it. Changes neither, but the result shares what the
 * patch does not touch. Throws a `StrategicMergeError`.
 *
 * @example
 * const patch = { spec: { containers: [{ name: 'web', image: 'nginx:2' }] } };
 * applyStrategicPatch(schemas, 'core/v1.Pod', pod, patch); // the pod with another image in its container `web`
 */
export function applyStrategicPatch(
  schemas: SchemaSet,
  schema: Schema,
  object: object,
  patch: object,
): Readonly<Record<string, unknown>> {
  return strategicResult(schemas, schema, object, patch).object;
}

/** As {@link applyStrategicPatch}, with what is left of the patch. */
export function strategicResult(schemas: SchemaSet, schema: Schema, object: object, patch: object): StrategicResult {
  const rest: PatchMap = openTreeOf(patch);
  const merged = mergeObject(openObject(object), rest, { schemas, schema }, 'object');
  return { object: closeObject(merged), rest };
}
