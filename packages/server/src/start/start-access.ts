/** Writes the default roles and bindings when a server starts. */

import {
  type DefaultAccessObject,
  defaultAccess,
  type KubeObject,
  type ManagedFields,
  managedFieldsOf,
  wholeSeconds,
  withManagedFields,
} from '@listwatch/rules/internal';
import type { Change, Entry } from '@listwatch/storage';
import { reconciledAccess } from '../access/rbac/reconciled-access.ts';
import type { VerbContext } from '../contract/verb.ts';
import { storedObjectKey } from '../stored/requested-key.ts';
import { layoutOf, storedObject, writtenObject } from '../stored/stored-object.ts';
import type { WrittenObject } from '../stored/written-objects.ts';
import { SERVER_MANAGER, updateOwners } from '../write/owners/field-owners.ts';

/** Owners of new objects by their fields: most of the objects have the same ones, and to work them out takes longer than all else. */
type KnownOwners = Map<string, ManagedFields>;

/**
 * A first start begins by creating each, all at once; later ones read each, and mostly commit nothing. Other servers do the same at
 * the same time: whoever loses a compare goes on from what is there then.
 */
export async function reconcileDefaultAccess(context: VerbContext, isFirst: boolean): Promise<void> {
  const known: KnownOwners = new Map();
  await Promise.all(defaultAccess().map((wanted) => reconcile(context, wanted, { known, isFirst })));
}

async function reconcile(
  context: VerbContext,
  wanted: DefaultAccessObject,
  { known, isFirst }: { readonly known: KnownOwners; readonly isFirst: boolean },
): Promise<void> {
  const { definition, object } = wanted;
  const { namespace = '', name = '' } = object.metadata;
  const { engine } = context.store;
  const key = storedObjectKey(definition, { namespace, name });
  let entry = isFirst ? undefined : (await engine.get(key)).entry;
  for (;;) {
    const change = await nextChange(context, wanted, { key, entry, known });
    if (change === undefined) return;
    const result = await engine.commit(change);
    if (!result.committed) entry = result.current;
    // A binding to another role has gone; the wanted one is not there yet.
    else if (change.type === 'delete') entry = undefined;
    else return;
  }
}

/** What brings a key nearer to what is wanted; undefined when it is there. */
async function nextChange(
  context: VerbContext,
  wanted: DefaultAccessObject,
  { key, entry, known }: { readonly key: string; readonly entry: Entry | undefined; readonly known: KnownOwners },
): Promise<Change | undefined> {
  const { definition, object } = wanted;
  if (entry === undefined) {
    const made = newObject(context, wanted, known);
    context.store.announce(key, made);
    return { type: 'put', key, value: made.value, expected: 0n };
  }
  const expected = entry.modRevision;
  const stored = storedObject(definition, entry);
  const todo = await reconciledAccess(stored, object);
  if (todo.type === 'keep') return undefined;
  if (todo.type === 'replace') return { type: 'delete', key, expected };
  const next = definition.strategy.withDefaults(todo.object, 0);
  const owners = ownersAfter(context, definition, stored, next);
  return { type: 'put', key, value: layoutOf(definition).encode(withManagedFields(next, owners)), expected };
}

function newObject(
  context: VerbContext,
  { definition, object }: DefaultAccessObject,
  known: KnownOwners,
): WrittenObject {
  const { clock, newUid } = context.store;
  const shape = [object.kind, ...Object.keys(object), ...Object.keys(object.metadata.labels ?? {})].join();
  const owners = known.get(shape) ?? ownersAfter(context, definition, undefined, object);
  known.set(shape, owners);
  const metadata = { ...object.metadata, uid: newUid(), creationTimestamp: wholeSeconds(clock.now()) };
  return writtenObject(definition, withManagedFields({ ...object, metadata }, owners));
}

function ownersAfter(
  context: VerbContext,
  definition: DefaultAccessObject['definition'],
  old: KubeObject | undefined,
  next: KubeObject,
): ManagedFields {
  const ownersOf = updateOwners(context.kinds.ownershipOf(definition, ''), SERVER_MANAGER);
  return ownersOf({ old, next: withManagedFields(next, undefined), sent: old && managedFieldsOf(old) });
}
