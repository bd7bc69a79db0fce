/** What the server serves, for clients that ask before they use it. Start here. */

import { GROUP_TABLE, type KindData } from '@listwatch/kinds/data';
import {
  type AggregatedDiscovery,
  aggregatedDiscovery,
  aggregatedGroup,
  aggregatedVersion,
} from './aggregated-discovery.ts';
import { type DiscoveryResource, discoveryResource } from './discovery-resource.ts';
import { type ApiGroup, groupResources } from './group-versions.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions, type Document } from './resource-list.ts';

/** What discovery shows beside the kinds. */
export interface DiscoveryOptions {
  /** Where the server is reached from outside, such as `10.0.0.1:6443`. Default: `''`. */
  readonly serverAddress?: string;
  /** Resources that are no built-in kinds. Default: none. */
  readonly others?: readonly DiscoveryResource[];
}

/** The documents, as JSON with its last newline. Undefined: the path does not exist. */
export interface ServedDiscovery {
  /** `/api` */
  readonly core: Buffer;
  /** `/apis` */
  readonly groups: Buffer;
  /** `/apis/{group}` */
  readonly group: (group: string) => Buffer | undefined;
  /** `/api/{version}` (the group is `''`) and `/apis/{group}/{version}` */
  readonly resources: (group: string, version: string) => Buffer | undefined;
  /** Is this a version of the built-in kinds? Custom kinds are not served there. */
  readonly isBuiltIn: (group: string, version: string) => boolean;
  /** `/api` for clients that accept the aggregated form. */
  readonly aggregatedCore: AggregatedDiscovery;
  /** `/apis` for clients that accept the aggregated form. */
  readonly aggregatedGroups: AggregatedDiscovery;
}

/** Lists the resources of an owner: at least one, always the same. */
type ListResources = () => readonly DiscoveryResource[];

/** Documents that are made when they are first asked for, and again after a change of what they show. */
export class LiveDiscovery implements ServedDiscovery {
  readonly #address: string;
  readonly #builtIn: ReadonlySet<string>;
  /** By group: the resources of each owner. */
  readonly #shown = new Map<string, Map<string, ListResources>>();
  readonly #groups = new Map<string, GroupDocuments>();
  /** The documents of all groups. */
  #whole = new Map<string, unknown>();
  /** Raised by each change. */
  revision = 0;

  constructor(kinds: Iterable<KindData>, { serverAddress = '', others = [] }: DiscoveryOptions = {}) {
    this.#address = serverAddress;
    const resources = [...[...kinds].map(discoveryResource), ...others];
    this.#builtIn = new Set(resources.map(({ group, version }) => `${group}/${version}`));
    for (const group of new Set(resources.map((one) => one.group))) {
      const own = resources.filter((one) => one.group === group);
      this.show(group, BUILT_IN, () => own);
    }
  }

  /**
   * Shows these resources of a group in the place of those that their owner had there before; undefined: none. They are listed
   * when a document is asked for: those of ten thousand unused versions would take ten megabytes.
   */
  show(group: string, owner: string, resources: ListResources | undefined): void {
    const owners = this.#shown.get(group) ?? new Map<string, ListResources>();
    if (resources !== undefined) this.#shown.set(group, owners.set(owner, resources));
    else if (owners.delete(owner) && owners.size === 0) this.#shown.delete(group);
    this.#groups.delete(group);
    this.#whole = new Map();
    this.revision += 1;
  }

  /** The groups with at least one resource. */
  get groupNames(): Iterable<string> {
    return this.#shown.keys();
  }

  /** The versions of a group, the preferred one first. */
  versions(group: string): readonly string[] {
    return this.#of(group)?.versions ?? [];
  }

  /** JSON of a group in the aggregated form. */
  aggregated(group: string): string | undefined {
    return this.#of(group)?.aggregated;
  }

  /** The same of one version. */
  aggregatedVersion(group: string, version: string): string | undefined {
    return this.#of(group)?.aggregatedVersion(version);
  }

  get core(): Buffer {
    return this.#once('core', () => encode(apiVersions(this.#of('')?.group.versions ?? [], this.#address)));
  }

  get groups(): Buffer {
    return this.#once('groups', () => encode(apiGroupList(this.#named.map(({ group }) => group))));
  }

  get aggregatedCore(): AggregatedDiscovery {
    return this.#once('aggregatedCore', () => aggregatedDiscovery([this.#of('')?.aggregated ?? ''].filter(Boolean)));
  }

  get aggregatedGroups(): AggregatedDiscovery {
    return this.#once('aggregatedGroups', () => aggregatedDiscovery(this.#named.map(({ aggregated }) => aggregated)));
  }

  group(group: string): Buffer | undefined {
    return group === '' ? undefined : this.#of(group)?.document;
  }

  resources(group: string, version: string): Buffer | undefined {
    return this.#of(group)?.resources(version);
  }

  isBuiltIn(group: string, version: string): boolean {
    return this.#builtIn.has(`${group}/${version}`);
  }

  /** The groups that have a name, in the order in which clients are shown them. */
  get #named(): readonly GroupDocuments[] {
    const custom = [...this.#shown.keys()].filter((name) => !GROUP_ORDER.includes(name)).toSorted();
    return [...GROUP_ORDER, ...custom].flatMap((name) => (name === '' ? [] : (this.#of(name) ?? [])));
  }

  #of(group: string): GroupDocuments | undefined {
    const known = this.#groups.get(group);
    if (known !== undefined) return known;
    const owners = this.#shown.get(group);
    const [made] = owners === undefined ? [] : groupResources([...owners.values()].flatMap((list) => list()));
    if (made === undefined) return undefined;
    const documents = new GroupDocuments(made);
    this.#groups.set(group, documents);
    return documents;
  }

  #once<T>(name: string, make: () => T): T {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name has one type
    const known = this.#whole.get(name) as T | undefined;
    if (known !== undefined) return known;
    const made = make();
    this.#whole.set(name, made);
    return made;
  }
}

/** The documents of one group. */
class GroupDocuments {
  readonly group: ApiGroup;
  readonly #resources = new Map<string, Buffer>();
  #document: Buffer | undefined;
  #aggregated: string | undefined;

  constructor(group: ApiGroup) {
    this.group = group;
  }

  get document(): Buffer {
    this.#document ??= encode(apiGroup(this.group));
    return this.#document;
  }

  /** JSON, to be put together with that of other groups. */
  get aggregated(): string {
    this.#aggregated ??= JSON.stringify(aggregatedGroup(this.group));
    return this.#aggregated;
  }

  get versions(): readonly string[] {
    return this.group.versions.map(({ version }) => version);
  }

  aggregatedVersion(version: string): string | undefined {
    const found = this.group.versions.find((one) => one.version === version);
    return found && JSON.stringify(aggregatedVersion(found));
  }

  resources(version: string): Buffer | undefined {
    const known = this.#resources.get(version);
    if (known !== undefined) return known;
    const found = this.group.versions.find((one) => one.version === version);
    if (found === undefined) return undefined;
    const made = encode(apiResourceList(this.group.name, found));
    this.#resources.set(version, made);
    return made;
  }
}

/** The owner of what is always shown. */
const BUILT_IN = '';

const GROUP_ORDER = GROUP_TABLE.map(({ group }) => group);

function encode(document: Document): Buffer {
  return Buffer.from(`${JSON.stringify(document)}\n`);
}
