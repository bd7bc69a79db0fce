/** POST on a collection: a new object. */

import {
  alreadyExists,
  alreadyExistsDeleting,
  generateNameConflict,
  genericFailure,
  versionOnCreate,
} from '@listwatch/api';
import type { KubeObject } from '@listwatch/rules/internal';
import type { CommitResult, Entry, PutChange } from '@listwatch/storage';
import { answerObject } from '../answer/answer-object.ts';
import { reportingStorage } from '../answer/storage-failure.ts';
import type { AdmittedWrite } from '../contract/admitted-write.ts';
import type { ReleaseReservation } from '../contract/reservation.ts';
import type { ResourceCall, Verb, VerbContext } from '../contract/verb.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { objectKey } from '../stored/requested-key.ts';
import { storedObject, writtenObject } from '../stored/stored-object.ts';
import type { WrittenObject } from '../stored/written-objects.ts';
import type { AdmittedObject } from './admitted-object.ts';
import { decodeObject } from './body/decode-object.ts';
import { readBody } from './body/request-body.ts';
import { requireCreatable } from './definition-check.ts';
import { isLarge, nextTurn } from './event-loop-turn.ts';
import { GENERATED_NAME_ATTEMPTS, generatedName } from './generated-name.ts';
import { guardedCommit, type HeldGuard } from './held-guard.ts';
import { type OwnersOf, requestOwners } from './managers/field-owners.ts';
import { earlierCheck, heldNamespace, requireOpenNamespace } from './namespace-check.ts';
import { admittedNew, preparedNew } from './new-object.ts';
import { inRequestNamespace } from './object-identity.ts';
import { distinctOwners } from './repeated-owners.ts';
import { endWithRequest } from './request-signal.ts';
import { releasing, unlessRefused } from './services/reserving-commit.ts';
import { storableObject } from './storable-size.ts';
import { addWarnings } from './warning-header.ts';
import { readWriteOptions } from './write-options.ts';

/** Creates the object in the body: 201. */
export const create: Verb = (context, call) =>
  reportingStorage({ resource: call.definition.resource, operation: 'create' }, async () => {
    const { definition, request, path } = call;
    if (path.subresource !== '') throw genericFailure(404);
    if (definition.resource.namespaced && path.namespace === '') throw genericFailure(405);
    const kind = requireCreatable(context, call);
    const body = await readBody(request);
    const options = readWriteOptions('CreateOptions', request.query);
    const { object, warnings } = await decodeObject(context, definition, body, options.fieldValidation);
    addWarnings(call, warnings);
    if (isLarge(body.bytes.length)) await nextTurn();
    const distinct = distinctOwners(inRequestNamespace(call, object));
    const placed = distinct.object;
    const { dryRun, fieldManager } = options;
    const earlier = dryRun ? undefined : earlierCheck(context, call);
    const guard = earlier ?? (await requireOpenNamespace(context, call, placed));
    const namespace = heldNamespace(context, call, placed, guard);
    const held = [namespace, kind].filter((one) => one !== undefined);
    addWarnings(call, distinct.warnings);
    const owners = requestOwners(context, call, fieldManager);
    const how = { dryRun, owners, bytes: body.bytes.length, held, isNamespaceEarlier: earlier !== undefined };
    const created = await store(context, call, placed, how);
    return answerObject(context, call, created, { status: 201 });
  });

interface StoreOptions {
  readonly dryRun: boolean;
  readonly owners: OwnersOf;
  /** The size of the request body. */
  readonly bytes: number;
  /** The namespace and the definition as they were checked. */
  readonly held: readonly HeldGuard[];
  /** The namespace was checked by an earlier create. */
  readonly isNamespaceEarlier: boolean;
}

interface AttemptOptions extends StoreOptions {
  /** The last step before the commit; undefined: there is nothing to wait for. */
  readonly confirm: (write: AdmittedWrite) => Promise<void> | undefined;
}

/** Stores the object, retrying with other generated names if one is taken. Returns the bytes to answer with. */
async function store(context: VerbContext, call: ResourceCall, object: KubeObject, how: StoreOptions): Promise<Buffer> {
  const { name = '', generateName = '' } = object.metadata;
  const generated = name === '' && generateName !== '';
  const attempts = generated ? GENERATED_NAME_ATTEMPTS : 1;
  let taken: Taken | undefined;
  // Once for all attempts: quotas count neither names nor addresses, and would be charged again.
  let confirming: Promise<void> | undefined;
  let isConfirmed = false;
  const confirm = (write: AdmittedWrite): Promise<void> | undefined => {
    const { request, warn } = call;
    if (!isConfirmed) confirming = context.confirm?.(write, { request, dryRun: how.dryRun, warn });
    isConfirmed = true;
    return confirming;
  };
  for (let attempt = 0; attempt < attempts; ) {
    call.request.throwIfAborted();
    const named = generated ? withName(object, generatedName(generateName)) : object;
    const prepared = await preparedNew(context, call, named, how);
    const admitting = admittedNew(context, call, prepared, how);
    // Small objects wait for nothing.
    const admitted = admitting instanceof Promise ? await admitting : admitting;
    const result = await storeOnce(context, call, admitted, { ...how, confirm });
    if (Buffer.isBuffer(result)) return result;
    // Another server gave the same address to its Service: the next admission chooses another one, or says that it is taken.
    if (result.isAddress) continue;
    taken = result;
    attempt += 1;
  }
  throw takenFailure(call, taken, generated);
}

interface Taken {
  readonly name: string;
  readonly entry: Entry | undefined;
  /** An address is taken, not the name. Default: false. */
  readonly isAddress?: boolean | undefined;
}

async function storeOnce(
  context: VerbContext,
  call: ResourceCall,
  { object, release }: AdmittedObject,
  how: AttemptOptions,
): Promise<Buffer | Taken> {
  const { dryRun, confirm } = how;
  const { engine, written } = context;
  const { definition, request } = call;
  const { name = '', namespace = '' } = object.metadata;
  const key = objectKey(definition, { namespace, name });
  const write = { definition, object, subresource: '' };
  if (dryRun) {
    await confirm(write);
    const { value } = writtenObject(definition, object);
    const { entry } = await engine.get(key, endWithRequest(engine, request));
    return entry === undefined ? value : { name, entry };
  }
  const made = storable(definition, key, object, release);
  const { ttlSeconds } = definition.strategy;
  const change: PutChange = { type: 'put', key, value: made.value, expected: 0n, ttlSeconds };
  written?.add(key, made);
  const confirmed = confirm(write);
  if (confirmed !== undefined) await unlessRefused(confirmed, release);
  const committing = (): Promise<CommitResult> => commitNew(context, call, { object, change }, how);
  const result = await (release === undefined ? committing() : releasing(release, committing));
  if (!result.committed) return { name, entry: result.current, isAddress: result.blockedBy?.type === 'alongside' };
  const { revision } = result;
  return context.readBack?.(made.value, revision) ?? made.served(revision);
}

/**
 * Commits while the namespace and the definition are as they were checked, which no deletion can get between. A namespace that an
 * earlier create checked is checked again when the name is taken: that it is terminating is what the client hears of first.
 */
async function commitNew(
  context: VerbContext,
  call: ResourceCall,
  { object, change }: { readonly object: KubeObject; readonly change: PutChange },
  { held, isNamespaceEarlier }: StoreOptions,
): Promise<CommitResult> {
  const result = await guardedCommit(context.engine, change, held, call.request);
  if (!result.committed && isNamespaceEarlier) await requireOpenNamespace(context, call, object);
  return result;
}

/** The bytes to commit. Throws what speaks against them; what was reserved is free again then. */
function storable(
  definition: ResourceDefinition,
  key: string,
  object: KubeObject,
  release: ReleaseReservation | undefined,
): WrittenObject {
  try {
    const { resourceVersion = '' } = object.metadata;
    if (resourceVersion !== '' && resourceVersion !== '0') throw versionOnCreate();
    return storableObject(definition, key, object);
  } catch (error) {
    release?.({ type: 'nothing' });
    throw error;
  }
}

function takenFailure({ definition }: ResourceCall, taken: Taken | undefined, generated: boolean): Error {
  const { resource } = definition;
  const name = taken?.name ?? '';
  if (generated) return generateNameConflict(resource, name);
  const deleting =
    taken?.entry !== undefined && storedObject(definition, taken.entry).metadata.deletionTimestamp !== undefined;
  return deleting ? alreadyExistsDeleting(resource, name) : alreadyExists(resource, name);
}

function withName(object: KubeObject, name: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, name } };
}
