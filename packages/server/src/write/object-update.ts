/** Updates one object, for PUT, PATCH and apply. */

import {
  conflict,
  IntegerError,
  notFound,
  parseUint64,
  type StatusError,
  unknownError,
  versionRequired,
} from '@listwatch/api';
import { sameJson } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import { finish, finishInTurns, type Steps } from '@listwatch/schema';
import type { Entry } from '@listwatch/storage';
import type { ResourceCall, VerbContext } from '../contract/verb.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { requestedKey } from '../stored/requested-key.ts';
import { isStaleEntry } from '../stored/shown-entry.ts';
import { layoutOf, storedObject, writtenObject } from '../stored/stored-object.ts';
import type { WrittenObject } from '../stored/written-objects.ts';
import type { AdmittedObject } from './admitted-object.ts';
import { admittedChange, changedObject, endsDeletion, type ProposedChange, preparedChange } from './changed-object.ts';
import { compareAndCommit, type Decision } from './compare-and-commit.ts';
import { requireCreatable } from './definition-check.ts';
import { isLarge, nextTurn } from './event-loop-turn.ts';
import {
  type ManagedFields,
  managedFieldsOf,
  type OwnersOf,
  ownersUnlessTimes,
  withManagedFields,
} from './managers/field-owners.ts';
import { validateManagedFields } from './managers/managed-fields-rules.ts';
import { heldNamespace, requireOpenNamespace } from './namespace-check.ts';
import { admittedNew, preparedNew } from './new-object.ts';
import { unlessRefused } from './services/reserving-commit.ts';
import { storableObject } from './storable-size.ts';

/** An update of an object. */
export interface ObjectChange {
  /** Who owns its fields afterwards. */
  readonly owners: OwnersOf;
  /** The new object for the stored one; called again after a conflict. */
  readonly next: (old: KubeObject | undefined) => KubeObject;
  /** The same in several turns of the event loop, for large objects. Default: `next`. */
  readonly nextInTurns?: ((old: KubeObject | undefined) => Promise<KubeObject>) | undefined;
  /** Change only the object with this uid. Default: any. */
  readonly uid?: string | undefined;
  readonly dryRun: boolean;
  /** A missing object is created, whatever the kind says (apply). Default: as the kind says. */
  readonly creates?: boolean | undefined;
  /** An object that is too large only with its owners is stored without them. Default: true. */
  readonly dropsOwners?: boolean | undefined;
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
  const { result, previous, revision } = await compareAndCommit<Result>(
    context.engine,
    key,
    (entry) => {
      if (entry === undefined) requireUid(call, key, '', change.uid);
      return entry === undefined
        ? decideCreation(context, call, key, change)
        : decideChange(context, call, key, change, entry);
    },
    { request, dryRun: change.dryRun, cached: context.cached?.(definition, key) },
  );
  const created = previous === undefined;
  // A removed object, and the result of a dry run, are shown at their previous version; a new object has none.
  const version = result.stays && revision !== undefined ? revision : previous?.modRevision;
  if (context.readBack !== undefined && result.made !== undefined && version !== undefined) {
    return { served: await context.readBack(result.made.value, version), created };
  }
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
  change: ObjectChange,
): Promise<Decision<Result>> {
  const { definition, path } = call;
  const { creates = definition.strategy.allowsCreateOnUpdate } = change;
  if (!creates || path.subresource !== '') throw notFound(definition.resource, path.name);
  const kind = requireCreatable(context, call);
  const { bytes = 0 } = change;
  const object = isLarge(bytes) ? await nextInTurns(change, undefined) : change.next(undefined);
  const namespace = heldNamespace(context, call, object, await requireOpenNamespace(context, call, object));
  await context.requireCreate?.(call);
  const prepared = await preparedNew(context, call, object, { owners: change.owners, bytes });
  const admitting = admittedNew(context, call, prepared, { bytes, dryRun: change.dryRun });
  const admitted = admitting instanceof Promise ? await admitting : admitting;
  const decision = put(context, definition, key, admitted, change);
  const created = { ...decision, held: [namespace, kind].filter((one) => one !== undefined) };
  return confirmedDecision(context, call, { object: admitted.object, dryRun: change.dryRun }, created);
}

function decideChange(
  context: VerbContext,
  call: ResourceCall,
  key: string,
  change: ObjectChange,
  entry: Entry,
): Decision<Result> | Promise<Decision<Result>> {
  const old = storedObject(call.definition, entry);
  requireUid(call, key, old.metadata.uid ?? '', change.uid);
  const bytes = entry.value.byteLength + (change.bytes ?? 0);
  if (isLarge(bytes)) return decideInTurns(context, call, key, change, { entry, old });
  const now = context.clock.now();
  const asked = change.next(old);
  const { strategy } = call.definition;
  const next = finish(strategy.defaultSteps(strategy.canonical(takeChange(call, entry, old, asked)), now));
  const owned = finish(ownersAfter(change, asked, next, { old, isLarge: false }));
  const prepared = preparedChange(call.definition, call.path.subresource, next, { old, now });
  return decideBetween(context, call, key, { prepared, old, entry, ...owned }, { ...change, bytes });
}

async function decideInTurns(
  context: VerbContext,
  call: ResourceCall,
  key: string,
  change: ObjectChange,
  { entry, old }: { readonly entry: Entry; readonly old: KubeObject },
): Promise<Decision<Result>> {
  await nextTurn();
  const asked = await nextInTurns(change, old);
  await nextTurn();
  const { strategy } = call.definition;
  const taken = takeChange(call, entry, old, asked);
  const canonical = await finishInTurns(strategy.canonicalSteps(taken), nextTurn);
  await nextTurn();
  const now = context.clock.now();
  const next = await finishInTurns(strategy.defaultSteps(canonical, now, true), nextTurn);
  await nextTurn();
  const owned = await finishInTurns(ownersAfter(change, asked, next, { old, isLarge: true }), nextTurn);
  await nextTurn();
  const prepared = preparedChange(call.definition, call.path.subresource, next, { old, now });
  await nextTurn();
  const bytes = entry.value.byteLength + (change.bytes ?? 0);
  return decideBetween(context, call, key, { prepared, old, entry, ...owned }, { ...change, bytes });
}

async function nextInTurns(change: ObjectChange, old: KubeObject | undefined): Promise<KubeObject> {
  return change.nextInTurns === undefined ? change.next(old) : change.nextInTurns(old);
}

function takeChange({ definition, path }: ResourceCall, entry: Entry, old: KubeObject, asked: KubeObject): KubeObject {
  requireVersion(definition, path.name, asked, entry.modRevision);
  return changedObject(asked, old);
}

function* ownersAfter(
  change: ObjectChange,
  asked: KubeObject,
  next: KubeObject,
  { old, isLarge: isLong }: { readonly old: KubeObject; readonly isLarge: boolean },
): Steps<Pick<PreparedChange, 'ownerErrors' | 'owners'>> {
  const sent = asked.metadata['managedFields'];
  const owners = yield* change.owners({ old, next, sent, isLarge: isLong });
  // A patch hands the stored ones on.
  const isNew = sent !== undefined && sent !== old.metadata['managedFields'];
  return { owners, ownerErrors: isNew ? validateManagedFields(owners) : [] };
}

/** A change that is ready to be admitted, and what it changes. */
interface PreparedChange extends ProposedChange {
  readonly entry: Entry;
  readonly owners: ManagedFields;
}

function decideBetween(
  context: VerbContext,
  call: ResourceCall,
  key: string,
  prepared: PreparedChange,
  change: ObjectChange,
): Decision<Result> | Promise<Decision<Result>> {
  const { bytes = 0, dryRun } = change;
  const admitting = admittedChange(context, call, prepared, { bytes, dryRun });
  // Small objects wait for nothing.
  if (!(admitting instanceof Promise)) return decideWrite(context, call, key, prepared, admitting, change);
  return admitting.then((admitted) => decideWrite(context, call, key, prepared, admitted, change));
}

/** What is written for a change that is valid. What was reserved is released when that is nothing. */
function decideWrite(
  context: VerbContext,
  call: ResourceCall,
  key: string,
  { old, entry, owners }: PreparedChange,
  { object, release }: AdmittedObject,
  change: ObjectChange,
): Decision<Result> | Promise<Decision<Result>> {
  const { definition } = call;
  const isEnd = endsDeletion(definition, object, old);
  const isSame = !isEnd && sameJson(comparable(object), comparable(old));
  const stored = managedFieldsOf(old);
  const kept = isSame ? ownersUnlessTimes(stored, owners) : owners;
  // An object that the store has in an older form is written in the new one.
  const isNothing = isSame && kept === stored && !isStaleEntry(entry);
  if (isEnd || isNothing) release?.({ type: 'nothing' });
  if (isEnd) {
    const made = writtenObject(definition, withManagedFields(object, owners));
    return { write: 'delete', result: { made, stays: false } };
  }
  if (isNothing) return { write: 'none', result: { made: undefined, stays: true } };
  const made = withManagedFields(object, kept);
  const { dryRun } = change;
  const decision = put(context, definition, key, { object: made, release }, change);
  return confirmedDecision(context, call, { object: made, old, dryRun }, decision);
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
  { written }: VerbContext,
  definition: ResourceDefinition,
  key: string,
  { object, release }: AdmittedObject,
  { dryRun, dropsOwners = true }: Pick<ObjectChange, 'dropsOwners' | 'dryRun'>,
): Put {
  try {
    const made = dryRun ? writtenObject(definition, object) : storableObject(definition, key, object, dropsOwners);
    const { ttlSeconds } = definition.strategy;
    if (!dryRun) written?.add(key, made);
    return { write: 'put', value: made.value, ttlSeconds, release, result: { made, stays: true } };
  } catch (error) {
    release?.({ type: 'nothing' });
    throw error;
  }
}

/** Throws the 409 when the uid differs from that of the stored object; a missing object has none. */
function requireUid({ definition, path }: ResourceCall, key: string, actual: string, wanted = ''): void {
  if (wanted === '' || wanted === actual) return;
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
  const wanted = requestedVersion(object.metadata.resourceVersion ?? '');
  if (wanted === 0n) {
    if (strategy.allowsUnconditionalUpdate) return;
    // Kubernetes names the resource here where its other answers name the kind.
    throw versionRequired({ group: resource.group, kind: resource.plural }, name);
  }
  if (wanted !== current) throw conflict(resource, name);
}

/** The number of a resourceVersion, 0 for `''`. Throws the 500 of kube-apiserver for one that is none. */
export function requestedVersion(text: string): bigint {
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

function comparable(object: KubeObject): KubeObject {
  const { resourceVersion: _version, managedFields: _managers, ...metadata } = object.metadata;
  return { ...object, metadata };
}
