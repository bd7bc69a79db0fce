/** Decides whether to put the object, delete it or write nothing, and encodes it. */

import { versionOnCreate } from '@listwatch/api';
import { sameJson } from '@listwatch/api/values';
import { type KubeObject, managedFieldsOf, withManagedFields } from '@listwatch/rules/internal';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { storedObjectKey } from '../stored/requested-key.ts';
import { isStaleEntry } from '../stored/shown-entry.ts';
import { writtenObject } from '../stored/stored-object.ts';
import { storableObject } from './body/storable-size.ts';
import { ownersUnlessTimes } from './owners/field-owners.ts';
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
    const fitting = storableObject(definition, write.key, object, plan.dropsOwners);
    store.announce(write.key, fitting.made);
    write.change = { type: 'put', ...fitting };
  }
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
