/** Deletes one object, for DELETE on the object and on its collection. */

import { notFound } from '@listwatch/api';
import { sameJson } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import { type Entry, isStorageError } from '@listwatch/storage';
import type { DynamicRequest } from '../../contract/dynamic-admission.ts';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { layoutOf, storedObject, writtenObject } from '../../stored/stored-object.ts';
import { deleteOptionsObject } from '../admission/dynamic/options-object.ts';
import { requestHead, requestParts } from '../admission/dynamic/request-head.ts';
import { commit } from '../commit.ts';
import { run } from '../pipeline.ts';
import { place } from '../place.ts';
import { type Stage, Write } from '../write.ts';
import type { DeletionOptions } from './delete-options.ts';
import { type DeletionPlan, planDeletion } from './deletion-plan.ts';

/** The outcome of a deletion. */
export interface Deletion {
  /** False when finalizers or a grace period keep the object. */
  readonly removed: boolean;
  /** Answer with the object, even for kinds that usually answer with a Status? */
  readonly showsObject: boolean;
  readonly uid: string;
  /** The object in its last state. */
  readonly served: Buffer;
}

interface Planned {
  readonly plan: DeletionPlan;
  /** As it is stored; undefined when it cannot be read. */
  readonly old: KubeObject | undefined;
  readonly object: KubeObject;
  readonly value: Uint8Array;
}

/** How policies and webhooks see a deletion: with its name, as one of a collection, or not at all. */
export type DeletionAdmission = 'collection' | 'named' | 'none';

/** Deletes the object that the call names, or marks it as deleted. Throws the 404 when there is none. */
export async function deleteObject(
  context: VerbContext,
  call: ResourceCall,
  options: DeletionOptions,
  admission: DeletionAdmission = 'named',
): Promise<Deletion> {
  const { definition } = call;
  const layout = layoutOf(definition);
  let planned: Planned | undefined;
  const planStage: Stage = async (write) => {
    planned = planOf(write, options);
    // Repeating a deletion that has begun changes nothing: skip policies and webhooks.
    if (admission !== 'none' && planned.plan.type !== 'wait')
      await admitDeletion(write, options, admission, planned.old);
    return undefined;
  };
  const write = deletion(context, call, options);
  await run([place, planStage, commit], write);
  if (planned === undefined) throw new TypeError('a deletion without a plan');
  const { plan, object, value } = planned;
  const uid = object.metadata.uid ?? '';
  const revision = write.revision ?? write.current?.modRevision ?? 0n;
  const marked = { uid, served: layout.withRevision(value, revision) };
  if (plan.type === 'remove') return { ...marked, removed: true, showsObject: false };
  if (plan.type === 'wait') return { ...marked, removed: false, showsObject: plan.shows === 'object' };
  if (!plan.andRemove) return { ...marked, removed: false, showsObject: true };
  const last = await removeMarked(context, call, options, uid);
  if (last.current === undefined || last.revision === undefined)
    return { ...marked, removed: true, showsObject: false };
  return { uid, served: layout.withRevision(last.current.value, last.revision), removed: true, showsObject: false };
}

function deletion(context: VerbContext, call: ResourceCall, { dryRun }: DeletionOptions): Write {
  const options = { dryRun, fieldValidation: 'Ignore', fieldManager: '', force: false } as const;
  return new Write(context, call, { options });
}

/** Plans the deletion of the current object, and sets the change to commit. */
function planOf(write: Write, options: DeletionOptions): Planned {
  const { call, current: entry, store } = write;
  const { definition, path } = call;
  if (entry === undefined) throw notFound(definition.resource, path.name);
  write.change = { type: 'delete' };
  if (options.ignoresReadError && isUndecodable(definition, entry)) return unreadable(definition, path.name);
  const old = storedObject(definition, entry);
  const plan = planDeletion(definition, old, options, store.clock.now());
  if (plan.type === 'remove') return { plan, old, object: old, value: entry.value };
  if (plan.type === 'wait' || sameJson(plan.object, old)) {
    write.change = { type: 'none' };
    return { plan, old, object: old, value: entry.value };
  }
  const made = writtenObject(definition, plan.object);
  write.change = { type: 'put', made };
  return { plan, old, object: plan.object, value: made.value };
}

async function admitDeletion(
  { context, call, current, warnings }: Write,
  options: DeletionOptions,
  admission: DeletionAdmission,
  known: KubeObject | undefined,
): Promise<void> {
  const { definition, path } = call;
  const head = requestHead(call, 'DELETE', path.name);
  const requestOf = (): DynamicRequest => {
    const old = current && storedObject(definition, current);
    // Kubernetes deletes a Namespace by its uid, whatever the client has sent.
    const isByUid = definition.strategy.markDeleting !== undefined;
    const sent = isByUid ? { ...options, uid: options.uid ?? old?.metadata.uid } : options;
    return {
      ...head,
      ...requestParts(context, { request: call.request, warn: (text) => warnings.push(text) }),
      kind: definition,
      name: admission === 'named' ? path.name : '',
      object: undefined,
      old,
      options: deleteOptionsObject(sent),
      dryRun: options.dryRun,
    };
  };
  await context.admission.admit(head, requestOf, known && { object: undefined, old: known });
}

function isUndecodable(definition: ResourceDefinition, entry: Entry): boolean {
  try {
    storedObject(definition, entry);
    return false;
  } catch (error) {
    if (isStorageError(error, 'CORRUPT')) return true;
    throw error;
  }
}

/** Removes a value that cannot be decoded. The answer shows an object that has nothing but its name. */
function unreadable(definition: ResourceDefinition, name: string): Planned {
  const layout = layoutOf(definition);
  const object = { ...layout.type, metadata: { name } };
  return { plan: { type: 'remove' }, old: undefined, object, value: layout.encode(object) };
}

/** Removes the marked object only: a new object of the same name has another uid. */
async function removeMarked(
  context: VerbContext,
  call: ResourceCall,
  options: DeletionOptions,
  uid: string,
): Promise<Write> {
  const write = deletion(context, call, options);
  const removal: Stage = async ({ current }) => {
    const isOurs = current !== undefined && (storedObject(call.definition, current).metadata.uid ?? '') === uid;
    write.change = { type: isOurs ? 'delete' : 'none' };
    return undefined;
  };
  await run([place, removal, commit], write);
  return write;
}
