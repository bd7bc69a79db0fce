/** All that the rules say of a whole object: its metadata, its kind, and what a client brought with it. */

import type { FieldError } from '@listwatch/api';
import { type CustomVerdict, finish } from '@listwatch/schema';
import type { KubeObject } from '../kube-object.ts';
import { finalizerWarnings, validateMetadata, validateMetadataUpdate } from '../metadata/metadata-rules.ts';
import type { KindDefinition } from '../strategy/kind-definition.ts';

/** What is wrong with an object, and what is odd about it. */
export interface ObjectProblems {
  readonly errors: readonly FieldError[];
  /** Of an object with errors: those of the rules that a client brought alone. */
  readonly warnings: readonly string[];
}

/** Judges an object that is ready to be stored; `old` is the state before a change. In one go: the server does it in steps. */
export function objectProblems(definition: KindDefinition, object: KubeObject, old?: KubeObject): ObjectProblems {
  const { judge, warnings } = definition.strategy;
  const verdict = judge && finish(judge(object, old, ''));
  const errors = objectErrors(definition, { object, old, verdict }, kindErrors(definition, object, old));
  const said = verdict?.warnings ?? [];
  if (errors.length > 0) return { errors, warnings: said };
  const finalizers = verdict === undefined ? [] : finalizerWarnings(definition, object.metadata);
  return { errors, warnings: [...said, ...finalizers, ...(warnings?.(object, old) ?? [])] };
}

/** What the rules of the kind say. */
export function kindErrors(
  { strategy }: KindDefinition,
  object: KubeObject,
  old: KubeObject | undefined,
): readonly FieldError[] {
  return old === undefined ? strategy.validate(object) : strategy.validateUpdate(object, old);
}

/** An object that is judged. */
export interface JudgedObject {
  readonly object: KubeObject;
  readonly old?: KubeObject | undefined;
  /** What the rules that a client brought say; undefined for a kind without such rules. */
  readonly verdict?: CustomVerdict | undefined;
}

/** All errors in the order of kube-apiserver: those of the metadata, `found` by the kind, and of the rules that a client brought. */
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
