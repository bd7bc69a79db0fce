/** Keeps the status of CustomResourceDefinitions, and empties those that are deleted. Every server of a store runs one. */

import type { Clock, StorageEngine } from '@listwatch/storage';
import { layoutOf, storedObject } from '../cache/stored-object.ts';
import { CLEANUP_FINALIZER } from '../kinds/built-in/cluster/custom-resource-definition.ts';
import { type CustomNames, namesOf } from '../kinds/custom/custom-definition.ts';
import { recordOf } from '../kinds/json/json-value.ts';
import type { KubeObject, ResourceDefinition } from '../kinds/resource-definition.ts';
import { objectKey } from '../kinds/resource-registry.ts';
import { timestamp } from '../write/timestamp.ts';
import type { ApiServices } from './api-services.ts';
import type { CustomKinds } from './custom-kinds.ts';
import { type DefinitionStore, deleteDefinition } from './definition-deletion.ts';
import { withStatus } from './definition-status.ts';

/** How long a failed attempt waits before the next one, doubled each time. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 30_000;

/** What a controller needs. */
export interface DefinitionControllerParts {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  /** The kind of definitions. */
  readonly definition: ResourceDefinition;
  readonly kinds: CustomKinds;
  /** Resolves when the caches have reached a revision. */
  readonly reached: (revision: bigint) => Promise<boolean>;
  /** Is the folder of a kind that of a built-in one? */
  readonly ownsFolder: (storagePrefix: string) => boolean;
  readonly isCaBundle: (caBundle: string) => boolean;
  readonly apiServices: Pick<ApiServices, 'sync' | 'syncAll'>;
  readonly onError: (error: unknown) => void;
}

/** Works on one definition at a time, so that of two that want the same name one gets it. Deletions run beside. */
export class DefinitionController {
  readonly #parts: DefinitionControllerParts;
  readonly #abort = new AbortController();
  readonly #queue = new Set<string>();
  readonly #deletions = new Map<string, Promise<void>>();
  readonly #failures = new Map<string, number>();
  #isStarted = false;
  #hasSynced = false;
  #running: Promise<void> | undefined;

  constructor(parts: DefinitionControllerParts) {
    this.#parts = parts;
  }

  /** Begins with all definitions that are known. */
  start(): void {
    this.#isStarted = true;
    for (const name of this.#parts.kinds.all.keys()) this.#queue.add(name);
    this.#run();
  }

  /** A definition has changed. A name that it gave up may be free for another one of its group. */
  changed(name: string): void {
    const { kinds } = this.#parts;
    this.#queue.add(name);
    for (const { definition } of kinds.inGroup(groupOf(name))) {
      if (!definition.hasNames) this.#queue.add(definition.name);
    }
    if (this.#isStarted) this.#run();
  }

  /** Ends; what was begun goes on after the next start. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#abort.abort(new Error('the server is stopping'));
    await this.#running;
    await Promise.allSettled(this.#deletions.values());
  }

  #run(): void {
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
      // Something may have come after the last look into the queue.
      if (this.#isStarted && this.#queue.size > 0) this.#run();
    });
  }

  async #work(): Promise<void> {
    // In another turn: this is called while the feed applies a change.
    await Promise.resolve();
    await this.#syncServices();
    for (const name of this.#queue) {
      if (this.#abort.signal.aborted) return;
      this.#queue.delete(name);
      try {
        await this.#settle(name);
        await this.#parts.apiServices.sync(groupOf(name));
        this.#failures.delete(name);
      } catch (error) {
        if (this.#abort.signal.aborted) return;
        this.#retry(name, error);
      }
    }
  }

  /** Once after the start. */
  async #syncServices(): Promise<void> {
    if (this.#hasSynced) return;
    this.#hasSynced = true;
    try {
      await this.#parts.apiServices.syncAll();
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#parts.onError(error);
    }
  }

  #retry(name: string, error: unknown): void {
    const { clock, onError } = this.#parts;
    const failures = (this.#failures.get(name) ?? 0) + 1;
    this.#failures.set(name, failures);
    if (failures === 1) onError(error);
    const cancel = clock.after(Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1)), () => {
      this.#abort.signal.removeEventListener('abort', cancel);
      this.changed(name);
    });
    this.#abort.signal.addEventListener('abort', cancel, { once: true });
  }

  /** Brings one definition to the state that it should have. */
  async #settle(name: string): Promise<void> {
    const { engine, clock, definition, isCaBundle, reached } = this.#parts;
    const key = objectKey(definition, '', name);
    for (;;) {
      const { entry } = await engine.get(key, { signal: this.#abort.signal });
      if (entry === undefined) return;
      const object = storedObject(definition, entry);
      if (object.metadata.deletionTimestamp !== undefined) return this.#delete(name, object);
      const facts = { taken: this.#taken(name, object), now: timestamp(clock.now()), isCaBundle };
      const next = withStatus(object, facts);
      if (next === object) return;
      const value = layoutOf(definition).encode(next);
      const result = await engine.commit({ type: 'put', key, value, expected: entry.modRevision });
      // The next definition must see the names that this one has got.
      if (result.committed) return void (await reached(result.revision));
    }
  }

  #taken(name: string, object: KubeObject): readonly CustomNames[] {
    const own = namesOf(recordOf(recordOf(object['status'])['acceptedNames']));
    const others = [...this.#parts.kinds.inGroup(groupOf(name))].filter((one) => one.definition.name !== name);
    return [...others.map(({ definition }) => definition.accepted), own];
  }

  #delete(name: string, object: KubeObject): void {
    if (this.#deletions.has(name) || !(object.metadata.finalizers ?? []).includes(CLEANUP_FINALIZER)) return;
    const { engine, clock, definition, ownsFolder } = this.#parts;
    const store: DefinitionStore = { engine, clock, definition, ownsFolder, signal: this.#abort.signal };
    const deletion = deleteDefinition(store, name)
      .catch((error: unknown) => {
        if (!this.#abort.signal.aborted) this.#retry(name, error);
      })
      .finally(() => this.#deletions.delete(name));
    this.#deletions.set(name, deletion);
  }
}

function groupOf(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}
