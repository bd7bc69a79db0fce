/** Discovery by the APIServices: groups of this server and of backends in one order. */

import { recordOf } from '@listwatch/api/values';
import { type AggregatedDiscovery, aggregatedDiscovery } from '../discovery/aggregated-discovery.ts';
import type { LiveDiscovery, ServedDiscovery } from '../discovery/discovery.ts';
import { apiGroup, apiGroupList } from '../discovery/resource-list.ts';
import { type ApiServiceTable, type ServedGroup, servedGroups } from './api-service-table.ts';
import { type ApiService, isRemote, isServedHere } from './api-service-view.ts';
import type { RemoteDiscovery } from './remote-discovery.ts';

/** Has no APIService: the aggregation layer itself serves it. Always the first. */
const OWN_GROUP = 'apiregistration.k8s.io';

interface MergedDocuments {
  readonly state: string;
  readonly groups: ReadonlyMap<string, ServedGroup>;
  list?: Buffer;
  aggregated?: AggregatedDiscovery;
}

/** Shows what this server has alone until the APIServices are known. */
export class MergedDiscovery implements ServedDiscovery {
  readonly #local: LiveDiscovery;
  readonly #table: ApiServiceTable;
  readonly #remote: RemoteDiscovery;
  #merged: MergedDocuments | undefined;
  #changes = 0;

  constructor(local: LiveDiscovery, table: ApiServiceTable, remote: RemoteDiscovery) {
    this.#local = local;
    this.#table = table;
    this.#remote = remote;
  }

  /** An APIService has changed. */
  changed(): void {
    this.#changes += 1;
  }

  get core(): Buffer {
    return this.#local.core;
  }

  get aggregatedCore(): AggregatedDiscovery {
    return this.#local.aggregatedCore;
  }

  get groups(): Buffer {
    if (!this.#table.isReady) return this.#local.groups;
    const merged = this.#current();
    merged.list ??= encode(apiGroupList(Array.from(merged.groups.values(), shownGroup)));
    return merged.list;
  }

  get aggregatedGroups(): AggregatedDiscovery {
    if (!this.#table.isReady) return this.#local.aggregatedGroups;
    const merged = this.#current();
    merged.aggregated ??= aggregatedDiscovery(Array.from(merged.groups.values(), (group) => this.#aggregated(group)));
    return merged.aggregated;
  }

  group(name: string): Buffer | undefined {
    if (!this.#table.isReady) return this.#local.group(name);
    const found = this.#current().groups.get(name);
    return found && encode(apiGroup(shownGroup(found)));
  }

  resources(group: string, version: string): Buffer | undefined {
    return this.#local.resources(group, version);
  }

  isBuiltIn(group: string, version: string): boolean {
    return this.#local.isBuiltIn(group, version);
  }

  #current(): MergedDocuments {
    const state = `${this.#changes} ${this.#local.revision} ${this.#remote.revision}`;
    if (this.#merged?.state === state) return this.#merged;
    const missing = [...this.#missing()];
    const served = missing.length === 0 ? this.#table.groups : servedGroups([...this.#table.all, ...missing]);
    const groups = new Map<string, ServedGroup>();
    for (const group of served) if (group.name !== '') groups.set(group.name, group);
    const own = groups.get(OWN_GROUP);
    groups.delete(OWN_GROUP);
    this.#merged = { state, groups: new Map([...(own === undefined ? [] : [[OWN_GROUP, own] as const]), ...groups]) };
    return this.#merged;
  }

  /** Versions without an APIService: of this group itself, and of definitions whose APIService is about to be created. */
  *#missing(): Generator<ApiService> {
    for (const group of this.#local.groupNames) {
      for (const version of this.#local.versions(group)) {
        const name = `${version}.${group}`;
        if (this.#table.get(name) !== undefined) continue;
        // The APIService of a built-in group that somebody deleted comes back with the next start.
        if (this.#local.isBuiltIn(group, version) && group !== OWN_GROUP) continue;
        yield { ...UNREGISTERED, name, group, version };
      }
    }
  }

  /** JSON of a group. */
  #aggregated({ name, versions }: ServedGroup): string {
    const own = this.#local.versions(name);
    const isLocal =
      versions.length === own.length && versions.every((one, at) => !isRemote(one) && one.version === own[at]);
    const known = isLocal ? this.#local.aggregated(name) : undefined;
    if (known !== undefined) return known;
    const parts = versions.map((one) => this.#version(one));
    return `{"metadata":${JSON.stringify({ name })},"versions":[${parts.join(',')}]}`;
  }

  #version(service: ApiService): string {
    const { name, group, version, isAvailable } = service;
    const isLocal = !isRemote(service) || isServedHere(service.service);
    const local = isLocal ? this.#local.aggregatedVersion(group, version) : undefined;
    if (local !== undefined) return local;
    const resources = isRemote(service) ? this.#remote.resources(name) : undefined;
    const freshness = isAvailable && resources !== undefined ? 'Current' : 'Stale';
    const shown = resources === undefined ? '' : `"resources":${resources},`;
    return `{"version":${JSON.stringify(version)},${shown}"freshness":"${freshness}"}`;
  }
}

/** The priorities of custom kinds. */
const UNREGISTERED: Omit<ApiService, 'group' | 'name' | 'version'> = {
  service: undefined,
  caBundle: '',
  insecureSkipTlsVerify: false,
  groupPriority: 1000,
  versionPriority: 100,
  isAvailable: true,
  isKnownLocal: true,
};

function shownGroup({ name, versions }: ServedGroup): Parameters<typeof apiGroup>[0] {
  return { name, versions: versions.map(({ version }) => ({ version, resources: [] })) };
}

function encode(document: object): Buffer {
  return Buffer.from(`${JSON.stringify(recordOf(document))}\n`);
}
