/** Deletes the objects of a definition, then the definition. */

import { monotonicMs } from '@listwatch/api/internal';
import { recordOf, textOf } from '@listwatch/api/values';
import { CLEANUP_FINALIZER, type KubeObject, wholeSeconds } from '@listwatch/rules/internal';
import type { CancelTimer, Clock, Entry, StorageEngine } from '@listwatch/storage';
import { hasCondition } from '../kinds/crd/custom-definition.ts';
import { parseStored } from '../kinds/crd/custom-form.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { REGISTRY_ROOT } from '../stored/object-folder.ts';
import { ObjectLayout } from '../stored/object-layout.ts';
import { storedObjectKey } from '../stored/requested-key.ts';
import { layoutOf, storedObject } from '../stored/stored-object.ts';
import { planDeletion } from '../write/deletion/deletion-plan.ts';
import { type DefinitionCondition, withCondition } from './definition-status.ts';
import type { ServerOwners } from './server-owners.ts';

/** The time limit for deleting the objects, as in kube-apiserver; after it the status says so, and the deletion starts again. */
const PATIENCE_MS = 60_000;
const FIRST_LOOK_MS = 50;
const LAST_LOOK_MS = 5000;
/** The number of keys in one read, and of deletions at the same time. */
const PAGE = 500;
const AT_ONCE = 16;

/** The parts that a deletion needs. */
export interface DefinitionStore {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  /** The kind of definitions. */
  readonly definition: ResourceDefinition;
  readonly ownsFolder: (storagePrefix: string) => boolean;
  readonly withOwners: ServerOwners;
  readonly signal: AbortSignal;
}

/** Deletes the objects of a definition that is marked as deleted, and removes its finalizer. Throws when objects remain. */
export async function deleteDefinition(store: DefinitionStore, name: string): Promise<void> {
  const begun = await change(store, name, (object) => terminating(store, object, 'True', IN_PROGRESS));
  if (begun === undefined) return;
  const outcome = await emptied(store, begun);
  if (outcome.status === 'True') {
    await change(store, name, (object) => terminating(store, object, 'True', outcome));
    throw new Error(`${name}: ${outcome.message}`);
  }
  await change(store, name, (object) => withoutFinalizer(terminating(store, object, 'False', outcome)));
}

type Outcome = Pick<DefinitionCondition, 'message' | 'reason' | 'status'>;

const IN_PROGRESS: Outcome = {
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

/** Deletes all objects and waits until they are gone. */
async function emptied(store: DefinitionStore, object: KubeObject): Promise<Outcome> {
  const spec = recordOf(object['spec']);
  const folder = `${textOf(spec['group'])}/${textOf(recordOf(spec['names'])['plural'])}`;
  if (store.ownsFolder(folder)) {
    const message = 'instances overlap with built-in resources in storage';
    return { status: 'False', reason: 'OverlappingBuiltInResource', message };
  }
  if (!hasCondition(recordOf(object['status']), 'Established')) {
    return { status: 'False', reason: 'NeverEstablished', message: 'resource was never established' };
  }
  const root = `${REGISTRY_ROOT}${folder}/`;
  const end = monotonicMs(store.clock) + PATIENCE_MS;
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(LAST_LOOK_MS, pause * 2)) {
    // Each time: another server may have accepted a new object before it saw the deletion.
    const { found, held } = await deleteAll(store, root);
    if (found === 0) return { status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' };
    if (held === 0) continue;
    if (monotonicMs(store.clock) >= end) {
      const message = 'could not confirm zero CustomResources remaining: timed out waiting for the condition';
      return { status: 'True', reason: 'InstanceDeletionCheck', message };
    }
    await sleep(store, pause);
  }
}

/** Deletes all objects without finalizers; resolves with the number of objects found, and of those with finalizers. */
async function deleteAll(
  store: DefinitionStore,
  root: string,
): Promise<{ readonly found: number; readonly held: number }> {
  const { engine, signal } = store;
  let found = 0;
  let held = 0;
  let start: string | undefined;
  for (;;) {
    const page = await engine.range(root, { start, limit: PAGE, signal });
    found += page.entries.length;
    const waiting = page.entries.values();
    const worker = async (): Promise<void> => {
      for (const entry of waiting) if (!(await deleteInstance(store, entry))) held += 1;
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, page.entries.length) }, worker));
    const last = page.entries.at(-1);
    if (!page.more || last === undefined) return { found, held };
    start = `${last.key}\0`;
  }
}

/** Removes an object, or marks it as deleted if it has finalizers. Reads metadata only, so the object's version does not matter. */
async function deleteInstance({ engine, clock, definition, signal }: DefinitionStore, first: Entry): Promise<boolean> {
  for (let entry: Entry | undefined = first; entry !== undefined; ) {
    signal.throwIfAborted();
    const { key, modRevision: expected } = entry;
    const next = marked(definition, entry, clock.now());
    if (next === 'wait') return false;
    const result = await engine.commit(
      next === 'remove' ? { type: 'delete', key, expected } : { type: 'put', key, value: next, expected },
    );
    if (result.committed) return next === 'remove';
    entry = result.current;
  }
  return true;
}

function marked(definition: ResourceDefinition, { value }: Entry, now: number): Buffer | 'remove' | 'wait' {
  let object: KubeObject;
  try {
    object = parseStored(value);
  } catch {
    return 'remove';
  }
  const { resource, strategy } = definition;
  const bare = { resource, strategy: { ...strategy, markDeleting: undefined } };
  const plan = planDeletion(bare, object, BACKGROUND, now);
  if (plan.type !== 'mark' || object.metadata.deletionTimestamp !== undefined) {
    return plan.type === 'remove' ? 'remove' : 'wait';
  }
  return new ObjectLayout({ kind: object.kind, apiVersion: object.apiVersion }).encode(plan.object);
}

const BACKGROUND = {
  dryRun: false,
  ignoresReadError: false,
  gracePeriodSeconds: undefined,
  orphanDependents: undefined,
  propagationPolicy: undefined,
  uid: undefined,
  resourceVersion: undefined,
} as const;

function terminating(
  { clock }: DefinitionStore,
  object: KubeObject,
  status: 'False' | 'True',
  { reason, message }: Outcome,
): KubeObject {
  return withCondition(object, { type: 'Terminating', status, reason, message }, wholeSeconds(clock.now()));
}

function withoutFinalizer(object: KubeObject): KubeObject {
  const { finalizers = [], ...metadata } = object.metadata;
  const left = finalizers.filter((finalizer) => finalizer !== CLEANUP_FINALIZER);
  return { ...object, metadata: left.length === 0 ? metadata : { ...metadata, finalizers: left } };
}

/**
 * Changes the definition if it is still marked as deleted and has the finalizer. Undefined: it is gone, or another definition has its
 * name. A definition without finalizers is removed.
 */
async function change(
  { engine, definition, withOwners, signal }: DefinitionStore,
  name: string,
  next: (object: KubeObject) => KubeObject,
): Promise<KubeObject | undefined> {
  const key = storedObjectKey(definition, { namespace: '', name });
  let { entry } = await engine.get(key, { signal });
  for (;;) {
    if (entry === undefined) return undefined;
    const object = storedObject(definition, entry);
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp === undefined || !finalizers.includes(CLEANUP_FINALIZER)) return undefined;
    const made = next(object);
    if (made === object) return made;
    const expected: bigint = entry.modRevision;
    const isGone = (made.metadata.finalizers ?? []).length === 0;
    const result = await engine.commit(
      isGone
        ? { type: 'delete', key, expected }
        : { type: 'put', key, value: layoutOf(definition).encode(await withOwners(object, made)), expected },
    );
    if (result.committed) return made;
    entry = result.current;
  }
}

async function sleep({ clock, signal }: DefinitionStore, ms: number): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel: CancelTimer = clock.after(ms, done);
    signal.addEventListener('abort', done, { once: true });
  });
  signal.throwIfAborted();
}
