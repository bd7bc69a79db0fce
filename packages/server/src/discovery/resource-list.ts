/** The documents of discovery, one for each path: APIVersions, APIGroupList, APIGroup, APIResourceList. */

import { apiVersionOf } from '@listwatch/api';
import type { DiscoveryResource } from './discovery-resource.ts';
import type { ApiGroup, ServedGroupVersion } from './group-versions.ts';

/** A JSON document. */
export type Document = Readonly<Record<string, unknown>>;

/** `/api`: the versions of the core group. `address` is where the server is reached, such as `10.0.0.1:6443`. */
export function apiVersions(versions: readonly ServedGroupVersion[], address: string): Document {
  return {
    kind: 'APIVersions',
    versions: versions.map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

/** `/apis`: all groups but the core group. */
export function apiGroupList(groups: readonly ApiGroup[]): Document {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupOf) };
}

/** `/apis/{group}`. */
export function apiGroup(group: ApiGroup): Document {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group) };
}

/** `/api/v1` and `/apis/{group}/{version}`: the resources, each followed by its subresources. */
export function apiResourceList(group: string, { version, resources }: ServedGroupVersion): Document {
  return {
    kind: 'APIResourceList',
    // The list of the core group is older than this field and goes without it.
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources: resources.flatMap((resource) => [entryOf(resource), ...subentriesOf(resource)]),
  };
}

function groupOf({ name, versions }: ApiGroup): Document {
  const shown = versions.map(({ version }) => ({ groupVersion: apiVersionOf({ group: name, version }), version }));
  return { name, versions: shown, preferredVersion: shown[0] };
}

function entryOf(resource: DiscoveryResource): Document {
  return {
    name: resource.plural,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: resource.verbs,
    ...unlessEmpty('shortNames', resource.shortNames),
    ...unlessEmpty('categories', resource.categories),
    ...(resource.storageVersionHash === undefined ? {} : { storageVersionHash: resource.storageVersionHash }),
  };
}

function subentriesOf(resource: DiscoveryResource): readonly Document[] {
  return (resource.subresources ?? []).map(({ name, verbs, responseKind, isOwnKind }) => ({
    name: `${resource.plural}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(responseKind === undefined || responseKind.version === '' || isOwnKind === true
      ? {}
      : { group: responseKind.group, version: responseKind.version }),
    kind: responseKind?.kind ?? resource.kind,
    verbs,
  }));
}

function unlessEmpty(name: string, values: readonly string[] = []): Document {
  return values.length === 0 ? {} : { [name]: values };
}
