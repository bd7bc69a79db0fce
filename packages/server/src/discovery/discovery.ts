/** What the server serves, for clients that ask before they use it: documents made once. Start here. */

import { GROUP_TABLE, type KindData } from '@listwatch/kinds/data';
import { type AggregatedDiscovery, aggregatedDiscovery } from './aggregated-discovery.ts';
import { type DiscoveryResource, discoveryResource } from './discovery-resource.ts';
import { groupResources } from './group-versions.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions, type Document } from './resource-list.ts';

/** What discovery shows beside the kinds. */
export interface DiscoveryOptions {
  /** Where the server is reached from outside, such as `10.0.0.1:6443`. Default: `''`. */
  readonly serverAddress?: string;
  /** Resources that are no built-in kinds. Default: none. */
  readonly others?: readonly DiscoveryResource[];
}

/** The documents, as JSON with its last newline. Undefined: the path does not exist. */
export interface Discovery {
  /** `/api` */
  readonly core: Buffer;
  /** `/apis` */
  readonly groups: Buffer;
  /** `/apis/{group}` */
  readonly group: (group: string) => Buffer | undefined;
  /** `/api/{version}` (the group is `''`) and `/apis/{group}/{version}` */
  readonly resources: (group: string, version: string) => Buffer | undefined;
  /** `/api` for clients that accept the aggregated form. */
  readonly aggregatedCore: AggregatedDiscovery;
  /** `/apis` for clients that accept the aggregated form. */
  readonly aggregatedGroups: AggregatedDiscovery;
}

/** Makes all documents for kinds, stored or not. */
export function createDiscovery(kinds: Iterable<KindData>, options: DiscoveryOptions = {}): Discovery {
  const resources = [...[...kinds].map(discoveryResource), ...(options.others ?? [])];
  const all = groupResources(resources, GROUP_ORDER);
  const core = all.filter(({ name }) => name === '');
  const named = all.filter(({ name }) => name !== '');
  const groupDocuments = new Map(named.map((group) => [group.name, encode(apiGroup(group))]));
  const resourceDocuments = new Map(
    all.flatMap(({ name, versions }) =>
      versions.map((version) => [`${name}/${version.version}`, encode(apiResourceList(name, version))] as const),
    ),
  );
  return {
    core: encode(apiVersions(core[0]?.versions ?? [], options.serverAddress ?? '')),
    groups: encode(apiGroupList(named)),
    group: (group) => groupDocuments.get(group),
    resources: (group, version) => resourceDocuments.get(`${group}/${version}`),
    aggregatedCore: aggregatedDiscovery(core),
    aggregatedGroups: aggregatedDiscovery(named),
  };
}

const GROUP_ORDER = GROUP_TABLE.map(({ group }) => group);

function encode(document: Document): Buffer {
  return Buffer.from(`${JSON.stringify(document)}\n`);
}
