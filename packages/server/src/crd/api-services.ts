/** Keeps an APIService object for each version of a custom group. */

import { recordOf, textOf } from '@listwatch/api/values';
import type { KubeObject, ObjectReader } from '@listwatch/rules/internal';
import { wholeSeconds } from '@listwatch/rules/internal';
import type { Clock, StorageEngine } from '@listwatch/storage';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { storedObjectKey } from '../stored/requested-key.ts';
import { layoutOf, storedObject, writtenObject } from '../stored/stored-object.ts';
import type { WrittenObjects } from '../stored/written-objects.ts';
import type { CustomKinds } from './custom-kinds.ts';
import { type ServerOwners, serverOwners } from './server-owners.ts';

/** The label of APIServices that a server created, and may delete. */
const MANAGED_LABEL = 'kube-aggregator.kubernetes.io/automanaged';
const PRIORITIES = { groupPriorityMinimum: 1000, versionPriority: 100 };

/** The parts that APIServices need. */
export interface ApiServicesParts {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  /** The kind of APIServices. */
  readonly definition: ResourceDefinition;
  /** The APIServices that the cache has. */
  readonly objects: ObjectReader;
  readonly kinds: CustomKinds;
  readonly isBuiltIn: (group: string, version: string) => boolean;
  readonly newUid: () => string;
  readonly written?: Pick<WrittenObjects, 'add'> | undefined;
}

/** Creates and deletes APIServices. */
export class ApiServices {
  readonly #parts: ApiServicesParts;
  /** By group: the versions that have an APIService. */
  readonly #made = new Map<string, Set<string>>();
  readonly #withOwners: ServerOwners;

  constructor(parts: ApiServicesParts) {
    this.#parts = parts;
    this.#withOwners = serverOwners(parts, '');
  }

  /** Syncs all groups at the start: definitions may have been deleted while no server ran. */
  async syncAll(): Promise<void> {
    const { objects, kinds } = this.#parts;
    const groups = new Set(Array.from(kinds.all.values(), ({ definition }) => definition.group));
    // Before the first await: a `sync` that runs meanwhile must not create existing APIServices again.
    for (const { metadata, spec } of objects.list('')) {
      if (metadata.labels?.[MANAGED_LABEL] !== 'true') continue;
      const group = textOf(recordOf(spec)['group']);
      groups.add(group);
      this.#made.set(group, (this.#made.get(group) ?? new Set<string>()).add(textOf(recordOf(spec)['version'])));
    }
    for (const group of groups) await this.sync(group);
  }

  /** Syncs the APIServices of a group with its definitions. */
  async sync(group: string): Promise<void> {
    const { kinds, isBuiltIn } = this.#parts;
    const wanted = new Set<string>();
    for (const { definition, kinds: served } of kinds.inGroup(group)) {
      if (definition.isEstablished) for (const { resource } of served) wanted.add(resource.version);
    }
    const made = this.#made.get(group) ?? new Set<string>();
    const gone = [...made].filter((one) => !wanted.has(one) && !isBuiltIn(group, one));
    await Promise.all([
      ...[...wanted].filter((version) => !made.has(version)).map((version) => this.#create(group, version)),
      ...gone.map((version) => this.#remove(group, version)),
    ]);
    if (wanted.size === 0) this.#made.delete(group);
    else this.#made.set(group, wanted);
  }

  /** A client has deleted the APIService of a version: creates it again if the version is still served. */
  async removed(group: string, version: string): Promise<void> {
    if (this.#made.get(group)?.delete(version) === true) await this.sync(group);
  }

  async #create(group: string, version: string): Promise<void> {
    const { engine, clock, definition, newUid, written } = this.#parts;
    const name = `${version}.${group}`;
    const now = wholeSeconds(clock.now());
    const object: KubeObject = {
      ...layoutOf(definition).type,
      metadata: { name, uid: newUid(), creationTimestamp: now, labels: { [MANAGED_LABEL]: 'true' } },
      spec: { version, group, ...PRIORITIES },
      status: { conditions: [{ type: 'Available', status: 'True', lastTransitionTime: now, ...LOCAL }] },
    };
    const made = writtenObject(definition, await this.#withOwners(undefined, object));
    const key = storedObjectKey(definition, { namespace: '', name });
    written?.add(key, made);
    await engine.commit({ type: 'put', key, value: made.value, expected: 0n });
  }

  /** Deletes only an APIService that a server created: one that a client has taken over stays. */
  async #remove(group: string, version: string): Promise<void> {
    const { engine, definition } = this.#parts;
    const key = storedObjectKey(definition, { namespace: '', name: `${version}.${group}` });
    const { entry } = await engine.get(key);
    if (entry === undefined || storedObject(definition, entry).metadata.labels?.[MANAGED_LABEL] !== 'true') return;
    await engine.commit({ type: 'delete', key, expected: entry.modRevision });
  }
}

const LOCAL = { reason: 'Local', message: 'Local APIServices are always available' };
