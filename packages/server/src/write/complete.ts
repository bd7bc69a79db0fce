/** Completes the object after admission: metadata that the server sets, and fields that the kind clears or keeps. */

import { genericFailure } from '@listwatch/api';
import { generatedName } from '@listwatch/api/internal';
import { extended } from '@listwatch/api/values';
import {
  type KubeMetadata,
  type KubeObject,
  keptMetadata,
  type ResourceStrategy,
  type SubresourceStrategy,
  wholeSeconds,
  withManagedFields,
  withRequestor,
} from '@listwatch/rules/internal';
import { requireVersion } from './merge.ts';
import type { Write } from './write.ts';

/**
 * Makes the object that is validated and stored. Throws the 409 for an outdated resourceVersion, after mutating
 * admission as in Kubernetes, and the 404 for a subresource that cannot be written.
 */
export async function complete(write: Write): Promise<undefined> {
  const { call, options, current, old } = write;
  if (current !== undefined) requireVersion(call, write.asked, current.modRevision);
  const completed = old === undefined ? newObject(write) : changedObject(write, old);
  write.allocation = await write.context.admission.allocate(write.admissionRequest(completed));
  write.object = withGeneration(write, write.allocation?.object ?? completed);
  // A dry run never commits: release its reservation now.
  if (options.dryRun) write.settle({ type: 'nothing' });
}

/** The object with a name, a uid and a timestamp. */
function newObject(write: Write): KubeObject {
  const { admitted, store, call, plan, owners } = write;
  const { strategy } = call.definition;
  const { name = '', generateName = '' } = admitted.metadata;
  const now = store.clock.now();
  write.isNameMade = plan.isCreate === true && name === '' && generateName !== '';
  const metadata: KubeMetadata = extended(admitted.metadata, {
    ...(write.isNameMade ? { name: generatedName(generateName) } : {}),
    uid: store.newUid(),
    creationTimestamp: wholeSeconds(now),
    ...(strategy.raisesGeneration === undefined ? {} : { generation: 1 }),
  });
  const prepared = strategy.prepareForCreate(strategy.withMetadata(admitted, metadata), now);
  return withManagedFields(withRequestor(call.definition, prepared, call.request.user), owners);
}

function changedObject({ admitted, store, call }: Write, old: KubeObject): KubeObject {
  const { strategy } = call.definition;
  const object = strategy.withMetadata(admitted, keptMetadata(admitted.metadata, old.metadata));
  return preparationOf(strategy, call.path.subresource)(object, old, store.clock.now());
}

/** A change of the desired state raises the generation. */
function withGeneration({ old, call }: Write, object: KubeObject): KubeObject {
  if (old === undefined) return object;
  const { strategy } = call.definition;
  const { subresource } = call.path;
  const counts = subresource === '' || subresourceOf(strategy, subresource)?.raisesGeneration === true;
  if (!counts || strategy.raisesGeneration?.(object, old) !== true) return object;
  return { ...object, metadata: { ...object.metadata, generation: (old.metadata.generation ?? 0) + 1 } };
}

/**
 * The `prepare...` function for an update of the object or of a subresource. Throws the 404 for a subresource that
 * cannot be written.
 */
function preparationOf(strategy: ResourceStrategy, subresource: string): ResourceStrategy['prepareForUpdate'] {
  const prepareFor = {
    '': strategy.prepareForUpdate,
    status: strategy.prepareForStatusUpdate,
    finalize: strategy.prepareForFinalize,
  }[subresource];
  const found = prepareFor ?? subresourceOf(strategy, subresource)?.prepareForUpdate;
  if (found === undefined) throw genericFailure(404);
  return found;
}

/** A subresource that changes a part of the object; undefined for others. */
export function subresourceOf({ subresources = {} }: ResourceStrategy, name: string): SubresourceStrategy | undefined {
  return Object.hasOwn(subresources, name) ? subresources[name] : undefined;
}
