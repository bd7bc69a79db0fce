/** All errors and warnings about an object: from its metadata, its kind, and rules that come from a client. */

import type { FieldError } from '@listwatch/api';
import type { Findings } from '@listwatch/schema';
import type { KubeObject } from '../kube-object.ts';
import { finalizerWarnings, validateMetadata, validateMetadataUpdate } from '../metadata/metadata-rules.ts';
import type { KindDefinition } from '../strategy/kind-definition.ts';

/**
 * Judges an object that is ready to be stored; `old` is the state before a change. If the object has errors, the only
 * warnings are those of rules that come from a client.
 */
export function objectProblems(definition: KindDefinition, object: KubeObject, old?: KubeObject): Findings {
  const { judge, warnings } = definition.strategy;
  const verdict = judge && judge(object, old, '');
  const errors = objectErrors(definition, { object, old, verdict }, kindErrors(definition, object, old));
  const said = verdict?.warnings ?? [];
  if (errors.length > 0) return { errors, warnings: said };
  const finalizers = verdict === undefined ? [] : finalizerWarnings(definition, object.metadata);
  return { errors, warnings: [...said, ...finalizers, ...(warnings?.(object, old) ?? [])] };
}

/** The errors from the rules of the kind. */
export function kindErrors(
  { strategy }: KindDefinition,
  object: KubeObject,
  old: KubeObject | undefined,
): readonly FieldError[] {
  return old === undefined ? strategy.validate(object) : strategy.validateUpdate(object, old);
}

/** An object to validate. */
export interface JudgedObject {
  readonly object: KubeObject;
  readonly old?: KubeObject | undefined;
  /** The result of rules that come from a client; undefined for a kind without such rules. */
  readonly verdict?: Findings | undefined;
}

/**
 * All errors in the order of kube-apiserver: metadata, then `found` by the rules of the kind, then rules that come from
 * a client.
 */
export function objectErrors(
  definition: KindDefinition,
  { object, old, verdict }: JudgedObject,
  found: readonly FieldError[],
): readonly FieldError[] {
  const ofMetadata =
    old === undefined
      ? validateMetadata(definition, object.metadata)
      : validateMetadataUpdate(definition, object.metadata, old.metadata);
  return [...ofMetadata, ...found, ...(verdict?.errors ?? [])];
}
