/** All APIServices of the cache: which versions other servers answer, and the order of groups. */

import { CacheFollower } from '../cache/cache-follower.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { compareVersions } from '../kinds/version-order.ts';
import { type ApiService, isRemote, isServedHere, type RemoteApiService, readApiService } from './api-service-view.ts';

/** A group and its versions, the preferred one first. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: readonly ApiService[];
}

/** Follows the cache from its first generation on. */
export class ApiServiceTable {
  readonly #services = new Map<string, ApiService>();
  /** By `group/version`. */
  readonly #remote = new Map<string, RemoteApiService>();
  readonly #follower: CacheFollower;
  #groups: readonly ServedGroup[] | undefined;
  /** Told of each change. `next` is undefined when it was deleted. */
  onChange: ((name: string, next: ApiService | undefined, old: ApiService | undefined) => void) | undefined;

  constructor(cache: ResourceCache) {
    this.#follower = new CacheFollower(cache, {
      set: (object) => this.#set(readApiService(object)),
      remove: (_, name) => this.#remove(name),
    });
    cache.onGeneration = () => this.#follower.catchUp();
  }

  /** Was the cache ever filled? Until then nothing is known. */
  get isReady(): boolean {
    return this.#follower.isReady;
  }

  /** The number of versions that backends serve. */
  get remoteCount(): number {
    return this.#remote.size;
  }

  get(name: string): ApiService | undefined {
    return this.#services.get(name);
  }

  /** The backend of a version; undefined when this server answers itself. */
  remote(group: string, version: string): RemoteApiService | undefined {
    return this.#remote.size === 0 ? undefined : this.#remote.get(`${group}/${version}`);
  }

  get remotes(): Iterable<RemoteApiService> {
    return this.#remote.values();
  }

  get all(): Iterable<ApiService> {
    return this.#services.values();
  }

  /** By the highest priority of their versions. The same list until the next change. */
  get groups(): readonly ServedGroup[] {
    this.#groups ??= servedGroups(this.#services.values());
    return this.#groups;
  }

  #set(next: ApiService): void {
    const old = this.#services.get(next.name);
    if (old !== undefined && isRemote(old)) this.#remote.delete(`${old.group}/${old.version}`);
    this.#services.set(next.name, next);
    if (isRemote(next) && !isServedHere(next.service)) this.#remote.set(`${next.group}/${next.version}`, next);
    this.#groups = undefined;
    this.onChange?.(next.name, next, old);
  }

  #remove(name: string): void {
    const old = this.#services.get(name);
    if (old === undefined) return;
    this.#services.delete(name);
    this.#remote.delete(`${old.group}/${old.version}`);
    this.#groups = undefined;
    this.onChange?.(name, undefined, old);
  }
}

/** Groups by the highest `groupPriorityMinimum`, then by the name of that APIService; versions by `versionPriority`, then by their order. */
export function servedGroups(services: Iterable<ApiService>): readonly ServedGroup[] {
  const byPriority = [...services].toSorted(
    (left, right) => right.groupPriority - left.groupPriority || (left.name < right.name ? -1 : 1),
  );
  const groups = new Map<string, ApiService[]>();
  for (const service of byPriority) {
    const known = groups.get(service.group);
    if (known === undefined) groups.set(service.group, [service]);
    else known.push(service);
  }
  return [...groups].map(([name, versions]) => ({
    name,
    versions: versions.toSorted(
      (left, right) => right.versionPriority - left.versionPriority || compareVersions(left.version, right.version),
    ),
  }));
}
