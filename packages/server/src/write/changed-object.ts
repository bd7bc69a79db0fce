/** How an object changes: what stays as it was, what the kind makes of the rest, and whether the change is allowed. */

import { genericFailure, invalid } from '@listwatch/api';
import type { VerbContext } from '../contract/verb.ts';
import type { KubeMetadata, KubeObject, ResourceDefinition, ResourceStrategy } from '../kinds/resource-definition.ts';
import { isJsonNumber } from '../kinds/shapes/json-value.ts';
import { validateMetadataUpdate } from './metadata-rules.ts';

type Prepare = ResourceStrategy['prepareForUpdate'];

/** The object of a client, made ready to take the place of `old`. Throws the 422 that lists what is wrong with it. */
export function changedObject(
  { admit }: Pick<VerbContext, 'admit'>,
  definition: ResourceDefinition,
  subresource: string,
  object: KubeObject,
  old: KubeObject,
): KubeObject {
  const { strategy, resource } = definition;
  const own = preparationOf(strategy, subresource)({ ...object, metadata: keptMetadata(object, old) }, old);
  const prepared = subresource === '' ? (admit?.(definition, own, old) ?? own) : own;
  const raised = subresource === '' && strategy.raisesGeneration?.(prepared, old) === true;
  const changed = raised ? withGeneration(prepared, (old.metadata.generation ?? 0) + 1) : prepared;
  const errors = [
    ...validateMetadataUpdate(definition, changed.metadata, old.metadata),
    ...strategy.validateUpdate(changed, old),
  ];
  if (errors.length > 0) throw invalid(resource, changed.metadata.name ?? '', errors);
  return changed;
}

/** Is this the update that lets a deleted object go: nothing holds it any more, and nobody waits for it? */
export function endsDeletion({ strategy }: ResourceDefinition, object: KubeObject, old: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = old.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds !== 0) return false;
  return (object.metadata.finalizers ?? []).length === 0 && strategy.holdsDeletion?.(object) !== true;
}

function preparationOf(strategy: ResourceStrategy, subresource: string): Prepare {
  const prepare = {
    '': strategy.prepareForUpdate,
    status: strategy.prepareForStatusUpdate,
    finalize: strategy.prepareForFinalize,
  }[subresource];
  if (prepare === undefined) throw genericFailure(404);
  return prepare;
}

function keptMetadata({ metadata }: KubeObject, { metadata: old }: KubeObject): KubeMetadata {
  const { generation: _generation, selfLink: _link, managedFields: _managers, ...rest } = metadata;
  return {
    ...rest,
    ...(old.generation === undefined ? {} : { generation: old.generation }),
    ...(rest.uid || old.uid === undefined ? {} : { uid: old.uid }),
    ...(old.creationTimestamp === undefined ? {} : { creationTimestamp: old.creationTimestamp }),
    ...(old.deletionTimestamp === undefined ? {} : { deletionTimestamp: old.deletionTimestamp }),
    ...(old.deletionGracePeriodSeconds === undefined || isJsonNumber(rest.deletionGracePeriodSeconds)
      ? {}
      : { deletionGracePeriodSeconds: old.deletionGracePeriodSeconds }),
  };
}

function withGeneration(object: KubeObject, generation: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, generation } };
}
