/** An object after a mutation of a policy. */

import { apiVersionOf, internalError } from '@listwatch/api';
import { recordOf, sameJson } from '@listwatch/api/values';
import type { KubeObject, MutationChange } from '@listwatch/rules/internal';
import { mergeUnowned, strictError, unknownFieldComplaints } from '@listwatch/schema';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { decodeCustomPatched } from '../../body/custom-body.ts';
import { typedObject } from '../../body/decode-object.ts';
import { applyJsonPatch, JsonPatchError } from '../../body/json-patch.ts';

/** The object, or why the mutation failed: the failure policy decides what that means. */
export type MutatedObject = { readonly object: KubeObject } | { readonly error: string };

/**
 * Makes a change. The object keeps its identity when nothing has changed. Throws the 500 for a JSON patch whose result is no
 * object of the kind, whatever the failure policy is. The schemas of the kind are loaded.
 */
export function mutatedObject(
  kind: ResourceDefinition,
  object: KubeObject,
  change: MutationChange,
  now: number,
): MutatedObject {
  if (change.type === 'error') return { error: change.message };
  const made = change.type === 'apply' ? applied(kind, object, change) : patched(kind, object, change);
  if ('error' in made || made.object === object) return made;
  const filled = withDefaults(kind, made.object, now);
  return { object: sameJson(filled, object) ? object : filled };
}

type Change<Type> = Extract<MutationChange, { readonly type: Type }>;

function applied(kind: ResourceDefinition, object: KubeObject, { configuration }: Change<'apply'>): MutatedObject {
  const { resource, schemas, data } = kind;
  const config = { ...configuration, apiVersion: apiVersionOf(resource), kind: resource.kind };
  const merged = mergeUnowned(object, config, schemas.applyType(data.type));
  if ('problem' in merged) return { error: `error applying patch: ${merged.problem}` };
  if (merged.object === object) return { object };
  const decoded = decodedObject(kind, merged.object);
  return 'problem' in decoded ? { error: decoded.problem } : decoded;
}

function patched(kind: ResourceDefinition, object: KubeObject, { operations }: Change<'patch'>): MutatedObject {
  if (operations.length === 0) return { object };
  let value: unknown;
  try {
    value = applyJsonPatch(object, operations);
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
    // A test that fails skips the patch.
    return error.message.startsWith('testing value ') ? { object } : { error: `JSON Patch: ${error.message}` };
  }
  const decoded = decodedObject(kind, value);
  if ('problem' in decoded) throw internalError(decoded.problem);
  const unknown = kind.custom === undefined ? unknownFieldComplaints(kind.plan(), value) : [];
  if (unknown.length > 0) throw internalError(strictError(unknown));
  return decoded;
}

function decodedObject(
  kind: ResourceDefinition,
  value: unknown,
): { readonly object: KubeObject } | { readonly problem: string } {
  if (kind.custom !== undefined) {
    const decoded = decodeCustomPatched(kind, kind.custom.schema, value);
    return decoded.problem === undefined ? { object: decoded.object } : { problem: decoded.problem };
  }
  const fields = recordOf(value);
  const problem = kind.decodeProblem(fields);
  return problem === undefined ? { object: typedObject(kind, fields) } : { problem };
}

function withDefaults({ strategy }: ResourceDefinition, object: KubeObject, now: number): KubeObject {
  return strategy.withDefaults(strategy.canonical(object), now);
}
