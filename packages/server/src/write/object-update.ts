/** Updates one object, for PUT and PATCH. */

import {
  conflict,
  IntegerError,
  notFound,
  parseUint64,
  type StatusError,
  unknownError,
  versionRequired,
} from '@listwatch/api';
import type { Entry } from '@listwatch/storage';
import { requestedKey } from '../cache/requested-key.ts';
import { layoutOf, storedObject, writtenObject } from '../cache/stored-object.ts';
import type { ResourceCall, VerbContext } from '../contract/verb.ts';
import { sameJson } from '../kinds/json/json-value.ts';
import type { KubeObject, ResourceDefinition } from '../kinds/resource-definition.ts';
import type { WrittenObject } from '../kinds/written-objects.ts';
import { admittedChange, canonicalChange, endsDeletion, preparedChange } from './changed-object.ts';
import { compareAndCommit, type Decision } from './compare-and-commit.ts';
import { isLarge, nextTurn } from './event-loop-turn.ts';
import { namespaceDeletions, requireOpenNamespace, requireStillOpen } from './namespace-check.ts';
import { newObject } from './new-object.ts';
import { unlessRefused } from './services/reserving-commit.ts';
import { requireStorableSize } from './storable-size.ts';

/** An update of an object. */
export interface ObjectChange {
  /** The new object for the stored one; called again after a conflict. */
  readonly next: (old: KubeObject | undefined) => KubeObject;
  /** The same in several turns of the event loop, for large objects. Default: `next`. */
  readonly nextInTurns?: ((old: KubeObject) => Promise<KubeObject>) | undefined;
  /** Change only the object with this uid. Default: any. */
  readonly uid?: string | undefined;
  readonly dryRun: boolean;
  /** The size of the request body. Default: 0. */
  readonly bytes?: number | undefined;
}

/** The object after the update. */
export interface UpdatedObject {
  readonly served: Buffer;
  readonly created: boolean;
}

interface Result {
  /** The new state; undefined when nothing has changed. */
  readonly made: WrittenObject | undefined;
  /** False when the update completes a deletion. */
  readonly stays: boolean;
}

/** Updates the object that the call names. An update without a change writes nothing. */
export async function updateObject(
  context: VerbContext,
  call: ResourceCall,
  change: ObjectChange,
): Promise<UpdatedObject> {
  const { definition, request } = call;
  const key = requestedKey(call);
  const deletionsBefore = namespaceDeletions(context);
  const { result, previous, revision } = await compareAndCommit<Result>(
    context.engine,
    key,
    (entry) => {
      requireUid(call, key, entry, change.uid);
      return entry === undefined
        ? decideCreation(context, call, key, change)
        : decideChange(context, call, key, change, entry);
    },
    { request, dryRun: change.dryRun },
  );
  const created = previous === undefined;
  if (created && revision !== undefined) {
    const object = change.next(undefined);
    await requireStillOpen(context, call, { object, key, revision, deletionsBefore });
  }
  // A removed object, and the result of a dry run, are shown at their previous version; a new object has none.
  const version = result.stays && revision !== undefined ? revision : previous?.modRevision;
  return { served: servedState(definition, result.made, previous, version), created };
}

function servedState(
  definition: ResourceDefinition,
  made: WrittenObject | undefined,
  previous: Entry | undefined,
  version: bigint | undefined,
): Buffer {
  if (version !== undefined && made !== undefined) return made.served(version);
  const value = made?.value ?? previous?.value ?? Buffer.alloc(0);
  return version === undefined ? Buffer.from(value) : layoutOf(definition).withRevision(value, version);
}

async function decideCreation(
  context: VerbContext,
  call: ResourceCall,
  key: string,
  { next, dryRun }: ObjectChange,
): Promise<Decision<Result>> {
  const { definition, path } = call;
  if (!definition.strategy.allowsCreateOnUpdate || path.subresource !== '') {
    throw notFound(definition.resource, path.name);
  }
  const object = next(undefined);
  await requireOpenNamespace(context, call, object);
  const made = newObject(context, definition, object, call.warn);
  return confirmedDecision(context, call, { object: made, dryRun }, put(context, definition, key, made, dryRun));
}

function decideChange(
  context: VerbContext,
  call: ResourceCall,
  key: string,
  change: ObjectChange,
  entry: Entry,
): Decision<Result> | Promise<Decision<Result>> {
  const old = storedObject(call.definition, entry);
  const bytes = entry.value.byteLength + (change.bytes ?? 0);
  if (isLarge(bytes)) return decideInTurns(context, call, key, change, { entry, old });
  const taken = takeChange(call, entry, old, change.next(old));
  const prepared = preparedChange(call.definition, call.path.subresource, taken, old);
  return decideBetween(context, call, key, { prepared, old }, change.dryRun);
}

async function decideInTurns(
  context: VerbContext,
  call: ResourceCall,
  key: string,
  { next, nextInTurns, dryRun }: ObjectChange,
  { entry, old }: { readonly entry: Entry; readonly old: KubeObject },
): Promise<Decision<Result>> {
  await nextTurn();
  const asked = nextInTurns === undefined ? next(old) : await nextInTurns(old);
  await nextTurn();
  const taken = takeChange(call, entry, old, asked);
  await nextTurn();
  const prepared = preparedChange(call.definition, call.path.subresource, taken, old);
  await nextTurn();
  return decideBetween(context, call, key, { prepared, old }, dryRun);
}

function takeChange({ definition, path }: ResourceCall, entry: Entry, old: KubeObject, asked: KubeObject): KubeObject {
  requireVersion(definition, path.name, asked, entry.modRevision);
  return canonicalChange(definition, asked, old);
}

function decideBetween(
  context: VerbContext,
  call: ResourceCall,
  key: string,
  { prepared, old }: { readonly prepared: KubeObject; readonly old: KubeObject },
  dryRun: boolean,
): Decision<Result> | Promise<Decision<Result>> {
  const { definition } = call;
  const object = admittedChange(context, call, prepared, old);
  if (endsDeletion(definition, object, old)) {
    return { write: 'delete', result: { made: writtenObject(definition, object), stays: false } };
  }
  const unchanged = sameJson(withoutVersion(object), withoutVersion(old));
  if (unchanged) return { write: 'none', result: { made: undefined, stays: true } };
  return confirmedDecision(context, call, { object, old, dryRun }, put(context, definition, key, object, dryRun));
}

/** The decision once it is confirmed. It is made before, in the turn of the admission: what it reserves is released if not. */
function confirmedDecision(
  { confirm }: VerbContext,
  { definition, path, request, warn }: ResourceCall,
  { object, old, dryRun }: { readonly object: KubeObject; readonly old?: KubeObject; readonly dryRun: boolean },
  decision: Put,
): Decision<Result> | Promise<Decision<Result>> {
  const confirmed = confirm?.({ definition, object, old, subresource: path.subresource }, { request, dryRun, warn });
  return confirmed === undefined ? decision : unlessRefused(confirmed, decision.release).then(() => decision);
}

type Put = Extract<Decision<Result>, { readonly write: 'put' }>;

function put(
  { reserve, written }: VerbContext,
  definition: ResourceDefinition,
  key: string,
  object: KubeObject,
  dryRun: boolean,
): Put {
  const made = writtenObject(definition, object);
  const { ttlSeconds } = definition.strategy;
  const decision = { write: 'put', value: made.value, ttlSeconds, result: { made, stays: true } } as const;
  // Nobody would release what a dry run reserves.
  if (dryRun) return decision;
  requireStorableSize(key, made.value);
  written?.add(key, made);
  return { ...decision, release: reserve?.(definition, object) };
}

/** Throws the 409 when the uid differs from that of the stored object; a missing object has none. */
function requireUid(
  { definition, path }: ResourceCall,
  key: string,
  entry: Entry | undefined,
  wanted: string | undefined,
): void {
  if (wanted === undefined || wanted === '') return;
  const actual = entry === undefined ? '' : (storedObject(definition, entry).metadata.uid ?? '');
  if (wanted === actual) return;
  const facts = `Code: 4, Key: ${key}, ResourceVersion: 0`;
  const why = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${actual}`;
  throw conflict(definition.resource, path.name, `StorageError: invalid object, ${facts}, AdditionalErrorMsg: ${why}`);
}

/** Throws the 409 for an outdated resourceVersion, and the 422 when the kind requires one and there is none. */
function requireVersion(
  { resource, strategy }: ResourceDefinition,
  name: string,
  object: KubeObject,
  current: bigint,
): void {
  const wanted = versionOf(object.metadata.resourceVersion ?? '');
  if (wanted === 0n) {
    if (strategy.allowsUnconditionalUpdate) return;
    // Kubernetes names the resource here where its other answers name the kind.
    throw versionRequired({ group: resource.group, kind: resource.plural }, name);
  }
  if (wanted !== current) throw conflict(resource, name);
}

function versionOf(text: string): bigint {
  if (text === '') return 0n;
  try {
    return parseUint64(text);
  } catch (error) {
    throw error instanceof IntegerError ? badVersion(error) : error;
  }
}

function badVersion(error: IntegerError): StatusError {
  return unknownError(error.message);
}

function withoutVersion(object: KubeObject): KubeObject {
  const { resourceVersion: _version, ...metadata } = object.metadata;
  return { ...object, metadata };
}
