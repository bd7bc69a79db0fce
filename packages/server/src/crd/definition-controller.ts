/** Updates the status of CustomResourceDefinitions, and deletes the objects of deleted definitions. Every server runs one. */

import { setMaxListeners } from 'node:events';
import { recordOf, sameJson } from '@listwatch/api/values';
import { CLEANUP_FINALIZER, type KubeObject, wholeSeconds } from '@listwatch/rules/internal';
import { isProtectedGroup } from '@listwatch/schema';
import type { AlongsidePut, Clock, StorageEngine } from '@listwatch/storage';
import { justPause } from '../contract/pause.ts';
import { type CustomDefinition, type CustomNames, hasCondition, namesOf } from '../kinds/crd/custom-definition.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { storedObjectKey } from '../stored/requested-key.ts';
import { storedObject, writtenObject } from '../stored/stored-object.ts';
import type { WrittenObjects } from '../stored/written-objects.ts';
import type { ApiServices } from './api-services.ts';
import type { CustomKinds } from './custom-kinds.ts';
import { type DefinitionStore, deleteDefinition } from './definition-deletion.ts';
import { withStatus } from './definition-status.ts';
import { FirstLook } from './first-look.ts';
import { NameClaims } from './name-claims.ts';
import { RetrySchedule } from './retry-schedule.ts';
import { type ServerOwners, serverOwners } from './server-owners.ts';

/** The parts that the controller needs. */
export interface DefinitionControllerParts {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  /** The kind of definitions. */
  readonly definition: ResourceDefinition;
  readonly kinds: CustomKinds;
  /** Resolves when the caches have reached a revision. */
  readonly reached: (revision: bigint) => Promise<boolean>;
  /** Does a built-in kind use this folder? */
  readonly ownsFolder: (storagePrefix: string) => boolean;
  readonly isCaBundle: (caBundle: string) => boolean;
  readonly apiServices: Pick<ApiServices, 'sync' | 'syncAll'>;
  readonly written?: Pick<WrittenObjects, 'add'> | undefined;
  readonly onError: (error: unknown) => void;
}

/** The number of groups that are processed at the same time. */
const GROUPS_AT_ONCE = 16;

/** Processes one definition of a group at a time, so that two definitions cannot get the same name. Deletions run in parallel. */
export class DefinitionController {
  readonly #parts: DefinitionControllerParts;
  readonly #abort = new AbortController();
  /** By group: the definitions to process. */
  readonly #queues = new Map<string, Set<string>>();
  /** The groups that are being processed. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #deletions = new Map<string, Promise<void>>();
  readonly #retries: RetrySchedule;
  /** Retries of deletions are separate: processing a definition can succeed while its deletion fails. */
  readonly #deletionRetries: RetrySchedule;
  /** By definition: the revision at which it had its names and was established, so that nothing is left to do. */
  readonly #settledAt = new Map<string, bigint>();
  readonly #withOwners: ServerOwners;
  readonly #claims: NameClaims;
  #firstLook: FirstLook | undefined;
  #isStarted = false;
  #syncing: Promise<void> | undefined;

  constructor(parts: DefinitionControllerParts) {
    this.#parts = parts;
    this.#withOwners = serverOwners(parts, 'status');
    this.#claims = new NameClaims(parts);
    this.#retries = new RetrySchedule(parts);
    this.#deletionRetries = new RetrySchedule(parts);
    // Every storage call adds a listener.
    setMaxListeners(0, this.#abort.signal);
  }

  /**
   * Processes the definitions that are not settled; reading a thousand settled ones again would take a second. Resolves after
   * the first attempt for each of them.
   */
  start(): Promise<void> {
    const { kinds, apiServices, onError } = this.#parts;
    this.#isStarted = true;
    this.#syncing = apiServices.syncAll().catch((error: unknown) => {
      if (!this.#abort.signal.aborted) onError(error);
    });
    const unsettled = [...kinds.all].filter(([, { definition }]) => !isSettled(definition)).map(([name]) => name);
    this.#firstLook = new FirstLook(unsettled);
    for (const name of unsettled) this.#add(name);
    this.#run();
    return this.#firstLook.tried;
  }

  /** Throws while a definition from before the start is not settled: its clients would get 404. */
  requireSettled(): void {
    const unsettled = this.#firstLook?.unsettled ?? 0;
    if (unsettled > 0) throw new Error(`${unsettled} custom resource definitions are not settled yet`);
  }

  /** A definition has changed. Another definition of the group may now get a name that this one gave up. */
  changed(name: string): void {
    this.#add(name);
    for (const { definition } of this.#parts.kinds.inGroup(groupOf(name))) {
      if (!definition.hasNames) this.#add(definition.name);
    }
    this.#run();
  }

  /** Stops. Unfinished work continues after the next start. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#abort.abort(new Error('the server is stopping'));
    this.#firstLook?.stop();
    this.#retries.stop();
    this.#deletionRetries.stop();
    await Promise.allSettled([...this.#running.values(), ...this.#deletions.values(), this.#syncing]);
  }

  #add(name: string): void {
    const group = groupOf(name);
    this.#queues.set(group, (this.#queues.get(group) ?? new Set<string>()).add(name));
  }

  #run(): void {
    if (!this.#isStarted) return;
    for (const [group, queue] of this.#queues) {
      if (this.#running.size >= GROUPS_AT_ONCE) return;
      if (this.#running.has(group)) continue;
      this.#queues.delete(group);
      const running = this.#work(group, queue).finally(() => {
        this.#running.delete(group);
        this.#run();
      });
      this.#running.set(group, running);
    }
  }

  async #work(group: string, names: ReadonlySet<string>): Promise<void> {
    // In another turn: this is called while the feed applies a change, which takes long for a large definition.
    await justPause();
    for (const name of names) {
      if (this.#abort.signal.aborted) return;
      try {
        await this.#settle(name);
        await this.#parts.apiServices.sync(group);
        this.#retries.succeeded(name);
        this.#firstLook?.looked(name, true);
      } catch (error) {
        if (this.#abort.signal.aborted) return;
        this.#retries.failed(name, error, () => this.changed(name));
        this.#firstLook?.looked(name, false);
      }
    }
  }

  /** Brings one definition to the state that it should have. */
  async #settle(name: string): Promise<void> {
    const { engine, clock, definition, isCaBundle, reached } = this.#parts;
    const key = storedObjectKey(definition, { namespace: '', name });
    for (;;) {
      const { entry } = await engine.get(key, { signal: this.#abort.signal });
      if (entry === undefined) return void this.#settledAt.delete(name);
      if (entry.modRevision === this.#settledAt.get(name)) return;
      // The caches take the same change in this turn.
      const object = storedObject(definition, entry);
      if (object.metadata.deletionTimestamp !== undefined) return this.#delete(name, object);
      const statusNow = (): KubeObject =>
        withStatus(object, { taken: this.#taken(name, object), now: wholeSeconds(clock.now()), isCaBundle });
      let next = statusNow();
      let claim: AlongsidePut | undefined;
      if (givesNames(object, next)) {
        claim = await this.#claims.claim(groupOf(name), name, this.#abort.signal);
        next = statusNow();
      }
      if (next === object) return;
      const owned = await this.#withOwners(object, next);
      // To parse a definition of a megabyte takes as long as a turn may; so does encoding it.
      await justPause();
      const made = writtenObject(definition, owned);
      this.#parts.written?.add(key, made);
      const alongside = claim === undefined ? undefined : [claim];
      const result = await engine.commit({
        type: 'put',
        key,
        value: made.value,
        expected: entry.modRevision,
        alongside,
      });
      if (!result.committed) continue;
      // Parsing a settled definition would take as long as all other work.
      if (isServed(next)) this.#settledAt.set(name, result.revision);
      // The next definition must see the names that this one has got.
      return void (await reached(result.revision));
    }
  }

  #taken(name: string, object: KubeObject): readonly CustomNames[] {
    const own = namesOf(recordOf(recordOf(object['status'])['acceptedNames']));
    const others = [...this.#parts.kinds.inGroup(groupOf(name))].filter((one) => one.definition.name !== name);
    return [...others.map(({ definition }) => definition.accepted), own];
  }

  #delete(name: string, object: KubeObject): void {
    if (!(object.metadata.finalizers ?? []).includes(CLEANUP_FINALIZER)) return;
    // An attempt changes the status of the definition: without the second check that change would begin another one at once.
    if (this.#deletions.has(name) || this.#deletionRetries.isPausing(name)) return;
    const { engine, clock, definition, ownsFolder } = this.#parts;
    const withOwners = this.#withOwners;
    const store: DefinitionStore = { engine, clock, definition, ownsFolder, withOwners, signal: this.#abort.signal };
    const deletion = deleteDefinition(store, name)
      .then(
        () => this.#deletionRetries.succeeded(name),
        (error: unknown) => {
          if (this.#abort.signal.aborted) return;
          this.#deletionRetries.failed(name, error, () => this.changed(name));
        },
      )
      .finally(() => this.#deletions.delete(name));
    this.#deletions.set(name, deletion);
  }
}

/** Is nothing left to do? Definitions in groups that need an approval are always processed. */
function isSettled({ group, hasNames, isEstablished, isTerminating }: CustomDefinition): boolean {
  return hasNames && isEstablished && !isTerminating && !isProtectedGroup(group);
}

/** Does it have all its names, and is it established? */
function isServed(object: KubeObject): boolean {
  const status = recordOf(object['status']);
  return hasCondition(status, 'NamesAccepted') && hasCondition(status, 'Established');
}

/** Does it have new names? */
function givesNames(object: KubeObject, next: KubeObject): boolean {
  const [before, after] = [object, next].map((one) => recordOf(recordOf(one['status'])['acceptedNames']));
  return !sameJson(before, after);
}

function groupOf(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}
