/** Plans a deletion: remove the object, or mark it until its finalizers and grace period are gone. */

import { conflict, FINALIZER, uidPreconditionFailed, versionPreconditionFailed } from '@listwatch/api';
import { numberOf } from '@listwatch/api/values';
import type { KubeMetadata, KubeObject } from '@listwatch/rules/internal';
import { wholeSeconds } from '@listwatch/rules/internal';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import type { DeletionOptions } from './delete-options.ts';

/** The rules of the kind that a plan reads. */
type DeletionRules = Pick<ResourceDefinition, 'resource' | 'strategy'>;

/** The planned action. */
export type DeletionPlan =
  /** Remove it. */
  | { readonly type: 'remove' }
  /** Store this state; remove it right after if `andRemove`. */
  | { readonly type: 'mark'; readonly object: KubeObject; readonly andRemove: boolean }
  /** The deletion has begun before, and this request does not shorten it. */
  | { readonly type: 'wait'; readonly shows: 'object' | 'result' };

/** Plans the deletion of an object. Throws the 409 when a precondition does not hold. */
export function planDeletion(
  definition: DeletionRules,
  object: KubeObject,
  options: DeletionOptions,
  now: number,
): DeletionPlan {
  requirePreconditions(definition, object, options);
  const { strategy } = definition;
  if (strategy.markDeleting !== undefined) {
    if (object.metadata.deletionTimestamp === undefined) {
      const metadata = {
        ...withFinalizers(definition, object.metadata, options),
        deletionTimestamp: wholeSeconds(now),
      };
      return { type: 'mark', object: strategy.markDeleting({ ...object, metadata }), andRemove: false };
    }
    if (strategy.holdsDeletion?.(object) === true) return { type: 'wait', shows: 'object' };
  }
  const grace = planGrace(definition, object, options, now);
  if (grace === 'pending') return { type: 'wait', shows: 'result' };
  const metadata = withFinalizers(definition, grace ?? object.metadata, options);
  const held = (metadata.finalizers ?? []).length > 0;
  if (grace !== undefined) {
    const andRemove = !held && metadata.deletionGracePeriodSeconds === 0;
    return { type: 'mark', object: { ...object, metadata }, andRemove };
  }
  if (!held) return { type: 'remove' };
  return { type: 'mark', object: { ...object, metadata: marked(metadata, now) }, andRemove: false };
}

/** The metadata for a deletion with a grace period; undefined without one, `pending` while an earlier one runs. */
function planGrace(
  { strategy }: DeletionRules,
  object: KubeObject,
  { gracePeriodSeconds: asked }: DeletionOptions,
  now: number,
): KubeMetadata | 'pending' | undefined {
  if (strategy.gracePeriodSeconds === undefined) return undefined;
  const { metadata } = object;
  const { deletionTimestamp } = metadata;
  const given = numberOf(metadata.deletionGracePeriodSeconds);
  if (deletionTimestamp === undefined) {
    const period = strategy.gracePeriodSeconds(object, asked);
    return {
      ...raised(metadata),
      deletionTimestamp: wholeSeconds(now + period * 1000),
      deletionGracePeriodSeconds: period,
    };
  }
  // The grace period is over, but the removal was interrupted: continue it.
  if (given === 0) return undefined;
  if (asked === undefined || asked >= given) return 'pending';
  const started = Date.parse(deletionTimestamp) - given * 1000;
  return {
    ...metadata,
    deletionTimestamp: wholeSeconds(started + asked * 1000),
    deletionGracePeriodSeconds: asked,
  };
}

function marked(metadata: KubeMetadata, now: number): KubeMetadata {
  const { deletionTimestamp } = metadata;
  const begun = deletionTimestamp !== undefined && Date.parse(deletionTimestamp) <= now;
  return {
    ...(deletionTimestamp === undefined ? raised(metadata) : metadata),
    deletionTimestamp: begun ? deletionTimestamp : wholeSeconds(now),
    deletionGracePeriodSeconds: 0,
  };
}

/** Marking an object as deleted changes its desired state, so it raises the generation. */
function raised(metadata: KubeMetadata): KubeMetadata {
  const generation = numberOf(metadata.generation);
  return generation > 0 ? { ...metadata, generation: generation + 1 } : metadata;
}

/** Sets the finalizers `orphan` and `foregroundDeletion` as the options say; all others stay. */
function withFinalizers({ strategy }: DeletionRules, metadata: KubeMetadata, options: DeletionOptions): KubeMetadata {
  const { finalizers = [] } = metadata;
  // Objects with a TTL (Events) have no dependents to collect.
  if (strategy.ttlSeconds !== undefined) return metadata;
  const { orphan, foregroundDeletion } = FINALIZER;
  const policy = policyOf(options, finalizers, strategy.orphansDependents === true);
  const others = finalizers.filter((finalizer) => finalizer !== orphan && finalizer !== foregroundDeletion);
  const wanted = [
    ...others,
    ...(policy === 'Orphan' ? [orphan] : []),
    ...(policy === 'Foreground' ? [foregroundDeletion] : []),
  ];
  const same = wanted.length === finalizers.length && wanted.every((finalizer) => finalizers.includes(finalizer));
  if (same) return metadata;
  const { finalizers: _old, ...rest } = metadata;
  return wanted.length === 0 ? rest : { ...rest, finalizers: wanted };
}

function policyOf(
  { orphanDependents, propagationPolicy }: DeletionOptions,
  finalizers: readonly string[],
  orphans: boolean,
): DeletionOptions['propagationPolicy'] {
  if (orphanDependents !== undefined) return orphanDependents ? 'Orphan' : 'Background';
  if (propagationPolicy !== undefined) return propagationPolicy;
  if (finalizers.includes(FINALIZER.orphan)) return 'Orphan';
  if (finalizers.includes(FINALIZER.foregroundDeletion)) return 'Foreground';
  return orphans ? 'Orphan' : 'Background';
}

function requirePreconditions(
  { resource, strategy }: DeletionRules,
  { metadata }: KubeObject,
  { uid, resourceVersion }: DeletionOptions,
): void {
  const { name = '', uid: actualUid = '', resourceVersion: actualVersion = '' } = metadata;
  const inStages = strategy.markDeleting !== undefined;
  if (uid !== undefined && uid !== actualUid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${actualUid}`;
    throw inStages ? conflict(resource, name, why) : uidPreconditionFailed(resource, name, uid, actualUid);
  }
  if (resourceVersion !== undefined && resourceVersion !== actualVersion) {
    const why = `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${actualVersion}`;
    throw inStages
      ? conflict(resource, name, why)
      : versionPreconditionFailed(resource, name, resourceVersion, actualVersion);
  }
}
