/** Prepares and validates the update of an object. */

import { type FieldError, genericFailure, invalid } from '@listwatch/api';
import type { ResourceCall, VerbContext } from '../contract/verb.ts';
import { isJsonNumber } from '../kinds/json/json-value.ts';
import type {
  KubeMetadata,
  KubeObject,
  ResourceDefinition,
  ResourceStrategy,
  SubresourceStrategy,
} from '../kinds/resource-definition.ts';
import { type AdmissionSteps, type AdmittedObject, admitObject } from './admitted-object.ts';
import { finalizerWarnings, validateMetadataUpdate } from './metadata-rules.ts';
import { addWarnings } from './warning-header.ts';

type Prepare = ResourceStrategy['prepareForUpdate'];

/** The first step of an update: the client's object with the metadata kept from `old`. Its canonical form comes next. */
export function changedObject(object: KubeObject, old: KubeObject): KubeObject {
  return { ...object, metadata: keptMetadata(object, old) };
}

/** The third step, after the defaults: with the fields kept from `old`. */
export function preparedChange(
  { strategy }: ResourceDefinition,
  subresource: string,
  object: KubeObject,
  { old, now }: { readonly old: KubeObject; readonly now: number },
): KubeObject {
  return preparationOf(strategy, subresource)(object, old, now);
}

/** A change that is ready to be admitted. */
export interface ProposedChange {
  readonly prepared: KubeObject;
  readonly old: KubeObject;
  /** What is wrong with owners that the client has sent. */
  readonly ownerErrors: readonly FieldError[];
}

type ChangeCall = Pick<ResourceCall, 'definition' | 'path' | 'warn'>;

/** The last step: admitted, with its generation, and validated. Throws the 422 with all errors. */
export function admittedChange(
  context: Pick<VerbContext, 'admit' | 'reserve' | 'review'>,
  call: ChangeCall,
  { prepared, old, ownerErrors }: ProposedChange,
  how: { readonly bytes: number; readonly dryRun: boolean },
): AdmittedObject | Promise<AdmittedObject> {
  const { definition, path } = call;
  const { judge, validateUpdate } = definition.strategy;
  const { validateUpdate: ofSubresource } = subresourceOf(definition.strategy, path.subresource) ?? {};
  const steps: AdmissionSteps = {
    admit: () => countedChange(context, call, prepared, old),
    judge: judge && ((object) => judge(object, old, path.subresource)),
    validate: (object) => (ofSubresource ?? validateUpdate)(object, old),
    check: (object, found, verdict) => {
      requireValidChange(call, object, old, [...ownerErrors, ...found, ...(verdict?.errors ?? [])]);
    },
    warnings: (object) => (path.subresource === '' ? definition.strategy.warnings?.(object, old) : undefined),
    heed: (verdict) => addWarnings(call, verdict.warnings),
    review: (object, verdict, warnings) => {
      if (verdict !== undefined) addWarnings(call, finalizerWarnings(definition, object.metadata));
      addWarnings(call, warnings);
      if (path.subresource === '') context.review?.(definition, object, old);
    },
  };
  return admitObject(context, definition, steps, how);
}

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

function requireValidChange(
  { definition }: ChangeCall,
  changed: KubeObject,
  old: KubeObject,
  found: readonly FieldError[],
): void {
  const errors = [...validateMetadataUpdate(definition, changed.metadata, old.metadata), ...found];
  if (errors.length > 0) throw invalid(definition.reportedKind, changed.metadata.name ?? '', errors);
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
