/** Deletes one object, for DELETE on the object and on its collection. */

import { notFound } from '@listwatch/api';
import { sameJson } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import { type Entry, isStorageError } from '@listwatch/storage';
import type { VerbContext } from '../contract/verb.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { layoutOf, storedObject } from '../stored/stored-object.ts';
import { compareAndCommit, type Decision } from './compare-and-commit.ts';
import type { DeleteOptions } from './delete-options.ts';
import { type DeletionPlan, planDeletion } from './deletion-plan.ts';
import type { RequestSignal } from './request-signal.ts';

/** The object to delete. */
export interface DeletionTarget {
  readonly definition: ResourceDefinition;
  readonly key: string;
  readonly name: string;
  readonly request: RequestSignal;
}

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

interface Result {
  readonly plan: DeletionPlan;
  readonly object: KubeObject;
  readonly value: Uint8Array;
}

/** Deletes the object, or marks it as deleted. Throws the 404 when there is none. */
export async function deleteObject(
  context: VerbContext,
  { definition, key, name, request }: DeletionTarget,
  options: DeleteOptions,
): Promise<Deletion> {
  const { engine, clock } = context;
  const { dryRun } = options;
  const layout = layoutOf(definition);
  const decide = (entry: Entry | undefined): Decision<Result> => {
    if (entry === undefined) throw notFound(definition.resource, name);
    if (options.ignoresReadError && isUndecodable(definition, entry)) return removal(definition, name);
    const old = storedObject(definition, entry);
    const plan = planDeletion(definition, old, options, clock.now());
    if (plan.type === 'remove') return { write: 'delete', result: { plan, object: old, value: entry.value } };
    if (plan.type === 'wait' || sameJson(plan.object, old)) {
      return { write: 'none', result: { plan, object: old, value: entry.value } };
    }
    const value = layout.encode(plan.object);
    const { ttlSeconds } = definition.strategy;
    return { write: 'put', value, ttlSeconds, result: { plan, object: plan.object, value } };
  };
  const cached = context.cached?.(definition, key);
  const first = await compareAndCommit(engine, key, decide, { request, dryRun, cached });
  const { plan, object, value } = first.result;
  const uid = object.metadata.uid ?? '';
  const revision = first.revision ?? first.previous?.modRevision ?? 0n;
  const marked = { uid, served: layout.withRevision(value, revision) };
  if (plan.type === 'remove') return { ...marked, removed: true, showsObject: false };
  if (plan.type === 'wait') return { ...marked, removed: false, showsObject: plan.shows === 'object' };
  if (!plan.andRemove) return { ...marked, removed: false, showsObject: true };
  const last = await compareAndCommit(engine, key, (entry) => decideRemoval(definition, entry, uid), {
    request,
    dryRun,
  });
  if (last.previous === undefined || last.revision === undefined)
    return { ...marked, removed: true, showsObject: false };
  const served = layout.withRevision(last.previous.value, last.revision);
  return { uid, served, removed: true, showsObject: false };
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
function removal(definition: ResourceDefinition, name: string): Decision<Result> {
  const layout = layoutOf(definition);
  const object = { ...layout.type, metadata: { name } };
  return { write: 'delete', result: { plan: { type: 'remove' }, object, value: layout.encode(object) } };
}

/** Removes the marked object only: a new object of the same name has another uid. */
function decideRemoval(definition: ResourceDefinition, entry: Entry | undefined, uid: string): Decision<undefined> {
  const ours = entry !== undefined && (storedObject(definition, entry).metadata.uid ?? '') === uid;
  return { write: ours ? 'delete' : 'none', result: undefined };
}
