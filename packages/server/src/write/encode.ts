/** Decides whether to put the object, delete it or write nothing, and encodes it. */

import { versionOnCreate } from '@listwatch/api';
import { sameJson } from '@listwatch/api/values';
import {
  isStorableSize,
  type KubeObject,
  managedFieldsOf,
  ownersUnlessTimes,
  requireStorableSize,
  withManagedFields,
} from '@listwatch/rules/internal';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { storedObjectKey } from '../stored/requested-key.ts';
import { isStaleEntry } from '../stored/shown-entry.ts';
import { writtenObject } from '../stored/stored-object.ts';
import type { WrittenObject } from '../stored/written-objects.ts';
import type { Write } from './write.ts';

/** Throws the 500 for an object that is too large to store. */
export function encode(write: Write): undefined {
  const { call, old, object, owners, current } = write;
  const { definition } = call;
  if (old === undefined) return put(write, object);
  if (endsDeletion(definition, object, old)) {
    write.change = { type: 'delete' };
    write.removed = writtenObject(definition, withManagedFields(object, owners));
    return;
  }
  const isSame = sameJson(comparable(object), comparable(old));
  const stored = managedFieldsOf(old);
  const kept = isSame ? ownersUnlessTimes(stored, owners) : owners;
  // Write an unchanged object when the store has it in an older form.
  const isNothing = isSame && kept === stored && !(current !== undefined && isStaleEntry(current));
  if (isNothing) write.change = { type: 'none' };
  else put(write, withManagedFields(object, kept));
}

function put(write: Write, object: KubeObject): undefined {
  const { call, plan, options, store, current } = write;
  const { definition } = call;
  const { name = '', namespace = '', resourceVersion = '' } = object.metadata;
  if (plan.isCreate === true) write.key = storedObjectKey(definition, { namespace, name });
  if (options.dryRun) write.change = { type: 'put', made: writtenObject(definition, object), object };
  else {
    if (plan.isCreate === true && current === undefined && resourceVersion !== '' && resourceVersion !== '0')
      throw versionOnCreate();
    const fitting = fittingObject(write, object);
    store.announce(write.key, fitting.made);
    write.change = { type: 'put', ...fitting };
  }
}

interface FittingObject {
  readonly object: KubeObject;
  readonly made: WrittenObject;
}

/**
 * The bytes of an object to store. One that is too large only with its `managedFields` is stored without them if the plan says so,
 * as kube-apiserver does for all writes but an apply.
 */
function fittingObject(
  { call: { definition }, key, plan: { dropsOwners = true } }: Write,
  object: KubeObject,
): FittingObject {
  const whole = { object, made: writtenObject(definition, object) };
  if (isStorableSize(key, whole.made.value.byteLength)) return whole;
  const bare = withManagedFields(object, undefined);
  const fitting = dropsOwners ? { object: bare, made: writtenObject(definition, bare) } : whole;
  requireStorableSize(key, fitting.made.value.byteLength);
  return fitting;
}

/** Does this update complete a deletion: no finalizers and no grace period left? */
function endsDeletion({ strategy }: ResourceDefinition, object: KubeObject, old: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = old.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds !== 0) return false;
  return (object.metadata.finalizers ?? []).length === 0 && strategy.holdsDeletion?.(object) !== true;
}

function comparable(object: KubeObject): KubeObject {
  const { resourceVersion: _version, managedFields: _managers, ...metadata } = object.metadata;
  return { ...object, metadata };
}
