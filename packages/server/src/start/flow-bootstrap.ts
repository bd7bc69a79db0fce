/** Keeps the FlowSchemas and PriorityLevelConfigurations that every cluster has, and the conditions of all schemas. */

import {
  type DefaultObject,
  defaultObjects,
  type KubeObject,
  MANDATORY_FLOW_OBJECTS,
  managedFieldsOf,
  wholeSeconds,
  withManagedFields,
} from '@listwatch/rules/internal';
import type { CancelTimer, Change, Entry } from '@listwatch/storage';
import { reconciledFlowObject, unknownFlowObject } from '../access/flow/reconciled-flow-object.ts';
import type { FlowObjects } from '../access/flow-classifier.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { VerbContext } from '../contract/verb.ts';
import { storedObjectKey } from '../stored/requested-key.ts';
import { layoutOf, storedObject } from '../stored/stored-object.ts';
import { updateOwners } from '../write/owners/field-owners.ts';
import { FlowConditions } from './flow-conditions.ts';

/** As kube-apiserver. */
const PERIOD_MS = 60_000;

/** What the bootstrap needs. */
export interface FlowBootstrapOptions {
  readonly context: VerbContext;
  /** The objects as the caches have them: what looks right there is not read from the store. */
  readonly read: () => FlowObjects;
  /** Of schemas and levels. */
  readonly caches: readonly ResourceCache[];
  readonly onError: (error: unknown) => void;
}

/** Restores deleted and changed objects once a minute. Several servers may do so at the same time. */
export class FlowBootstrap {
  readonly #options: FlowBootstrapOptions;
  readonly #conditions: FlowConditions;
  /** Made when they are first needed: their schemas are loaded by then. */
  #wanted: ReadonlyMap<string, DefaultObject> | undefined;
  #cancel: CancelTimer | undefined;
  #isStopped = false;

  constructor(options: FlowBootstrapOptions) {
    this.#options = options;
    const { context, caches, read, onError } = options;
    this.#conditions = new FlowConditions({ store: context.store, caches, read, onError });
  }

  start(): void {
    this.#isStopped = false;
    this.#conditions.start();
    this.#again();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#conditions.stop();
  }

  /** Suggested and mandatory objects first, then what is no longer wanted. */
  async reconcile(): Promise<void> {
    const { read } = this.#options;
    const objects = read();
    this.#wanted ??= wantedObjects();
    const wantedByKey = this.#wanted;
    const stored = new Map([...objects.levels, ...objects.schemas].map((object) => [keyOf(object), object]));
    for (const [key, wanted] of wantedByKey) {
      const known = stored.get(key);
      if (known !== undefined && changeOf(known, wanted).type === 'keep') continue;
      await this.#settle(wanted, wanted.object.metadata.name ?? '', true);
    }
    for (const [key, object] of stored) {
      if (wantedByKey.has(key) || unknownFlowObject(object).type === 'keep') continue;
      const like = [...wantedByKey.values()].find(({ object: { kind } }) => kind === object.kind);
      if (like !== undefined) await this.#settle(like, object.metadata.name ?? '', false);
    }
  }

  #again(): void {
    if (this.#isStopped) return;
    this.#cancel = this.#options.context.store.clock.after(PERIOD_MS, () => {
      this.reconcile()
        .catch((error: unknown) => this.#options.onError(error))
        .finally(() => this.#again());
    });
  }

  /** Begins with what the store has; whoever loses a compare goes on from what is there then. */
  async #settle(wanted: DefaultObject, name: string, isWanted: boolean): Promise<void> {
    const { engine } = this.#options.context.store;
    const key = storedObjectKey(wanted.definition, { namespace: '', name });
    let { entry } = await engine.get(key);
    while (!this.#isStopped) {
      const change = isWanted ? this.#next(wanted, key, entry) : removal(wanted, key, entry);
      if (change === undefined) return;
      const result = await engine.commit(change);
      if (result.committed) return;
      entry = result.current;
    }
  }

  #next(wanted: DefaultObject, key: string, entry: Entry | undefined): Change | undefined {
    const { definition, manager } = wanted;
    const { context } = this.#options;
    const { clock, newUid } = context.store;
    const ownersOf = updateOwners(context.kinds.ownershipOf(definition, ''), manager);
    if (entry === undefined) {
      const owners = ownersOf({ old: undefined, next: wanted.written, sent: undefined });
      const metadata = { ...wanted.object.metadata, uid: newUid(), creationTimestamp: wholeSeconds(clock.now()) };
      const value = layoutOf(definition).encode(withManagedFields({ ...wanted.object, metadata }, owners));
      return { type: 'put', key, value, expected: 0n };
    }
    const old = storedObject(definition, entry);
    const change = changeOf(old, wanted);
    if (change.type !== 'update') return undefined;
    const next = withManagedFields(change.object, undefined);
    const owners = ownersOf({ old, next, sent: managedFieldsOf(old) });
    return {
      type: 'put',
      key,
      value: layoutOf(definition).encode(withManagedFields(next, owners)),
      expected: entry.modRevision,
    };
  }
}

const GROUP = 'flowcontrol.apiserver.k8s.io';

function wantedObjects(): ReadonlyMap<string, DefaultObject> {
  const objects = defaultObjects().filter(({ definition }) => definition.resource.group === GROUP);
  return new Map(objects.map((one) => [keyOf(one.object), one]));
}

function removal({ definition }: DefaultObject, key: string, entry: Entry | undefined): Change | undefined {
  if (entry === undefined || unknownFlowObject(storedObject(definition, entry)).type === 'keep') return undefined;
  return { type: 'delete', key, expected: entry.modRevision };
}

function changeOf(stored: KubeObject, { object }: DefaultObject): ReturnType<typeof reconciledFlowObject> {
  return reconciledFlowObject(stored, object, MANDATORY_FLOW_OBJECTS.has(object.metadata.name ?? ''));
}

function keyOf({ kind, metadata: { name = '' } }: KubeObject): string {
  return `${kind}/${name}`;
}
