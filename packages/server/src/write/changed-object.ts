/** Prepares and validates the update of an object. */

import { type FieldError, genericFailure, invalid } from '@listwatch/api';
import { finishInTurns } from '@listwatch/schema';
import type { ResourceCall, VerbContext } from '../contract/verb.ts';
import { isJsonNumber } from '../kinds/json/json-value.ts';
import type {
  KubeMetadata,
  KubeObject,
  ResourceDefinition,
  ResourceStrategy,
  SubresourceStrategy,
} from '../kinds/resource-definition.ts';
import { nextTurn } from './event-loop-turn.ts';
import { finalizerWarnings, validateMetadataUpdate } from './metadata-rules.ts';
import { addWarnings } from './warning-header.ts';

type Prepare = ResourceStrategy['prepareForUpdate'];

/** The first step of an update: the client's object with the metadata kept from `old`, in canonical form. */
export function canonicalChange({ strategy }: ResourceDefinition, object: KubeObject, old: KubeObject): KubeObject {
  return strategy.canonical({ ...object, metadata: keptMetadata(object, old) });
}

/** The third step, after the defaults: with the fields kept from `old`. */
export function preparedChange(
  { strategy }: ResourceDefinition,
  subresource: string,
  object: KubeObject,
  old: KubeObject,
): KubeObject {
  return preparationOf(strategy, subresource)(object, old);
}

/**
 * The last step: the prepared object, admitted and validated. Throws the 422 with all errors, `furtherErrors` too. Commit in the same turn:
 * later another Service may get the same address.
 */
export function admittedChange(
  context: Pick<VerbContext, 'admit' | 'review'>,
  call: ChangeCall,
  sent: KubeObject,
  old: KubeObject,
  furtherErrors: readonly FieldError[] = [],
): KubeObject {
  return acceptedChange(context, call, countedChange(context, call, sent, old), old, furtherErrors);
}

/** The same for a kind with rules that a client brought: those take several turns of the event loop. */
export async function judgedChange(
  context: Pick<VerbContext, 'admit' | 'review'>,
  call: ChangeCall,
  sent: KubeObject,
  old: KubeObject,
  furtherErrors: readonly FieldError[] = [],
): Promise<KubeObject> {
  const { definition, path } = call;
  const changed = countedChange(context, call, sent, old);
  const { judge } = definition.strategy;
  const verdict =
    judge === undefined ? undefined : await finishInTurns(judge(changed, old, path.subresource), nextTurn);
  const object = acceptedChange(context, call, changed, old, furtherErrors, verdict?.errors);
  addWarnings(call, [...finalizerWarnings(definition, object.metadata), ...(verdict?.warnings ?? [])]);
  return object;
}

type ChangeCall = Pick<ResourceCall, 'definition' | 'path' | 'warn'>;

function countedChange(
  { admit }: Pick<VerbContext, 'admit'>,
  { definition, path: { subresource } }: ChangeCall,
  sent: KubeObject,
  old: KubeObject,
): KubeObject {
  const { strategy } = definition;
  const prepared = subresource === '' ? (admit?.(definition, sent, old) ?? sent) : sent;
  const counts = subresource === '' || subresourceOf(strategy, subresource)?.raisesGeneration === true;
  const raised = counts && strategy.raisesGeneration?.(prepared, old) === true;
  return raised ? withGeneration(prepared, (old.metadata.generation ?? 0) + 1) : prepared;
}

function acceptedChange(
  { review }: Pick<VerbContext, 'review'>,
  { definition, path: { subresource }, warn }: ChangeCall,
  changed: KubeObject,
  old: KubeObject,
  furtherErrors: readonly FieldError[],
  judged: readonly FieldError[] = [],
): KubeObject {
  const { strategy, resource } = definition;
  const own = subresourceOf(strategy, subresource);
  const errors = [
    ...validateMetadataUpdate(definition, changed.metadata, old.metadata),
    ...furtherErrors,
    ...(own?.validateUpdate ?? strategy.validateUpdate)(changed, old),
    ...judged,
  ];
  if (errors.length > 0) throw invalid(resource, changed.metadata.name ?? '', errors);
  if (subresource === '') {
    addWarnings({ warn }, strategy.warnings?.(changed, old));
    review?.(definition, changed, old);
  }
  return changed;
}

/** Does this update complete a deletion: no finalizers and no grace period left? */
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
  const found = prepare ?? subresourceOf(strategy, subresource)?.prepareForUpdate;
  if (found === undefined) throw genericFailure(404);
  return found;
}

function subresourceOf({ subresources = {} }: ResourceStrategy, name: string): SubresourceStrategy | undefined {
  return Object.hasOwn(subresources, name) ? subresources[name] : undefined;
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
