/** The resources of an API, sorted into groups and versions. */

import { compareVersions } from '../kinds/version-order.ts';
import type { DiscoveryResource } from './discovery-resource.ts';

/** One version of a group. */
export interface ServedGroupVersion {
  readonly version: string;
  /** In the order of their plurals. */
  readonly resources: readonly DiscoveryResource[];
}

/** A group; its first version is the preferred one. */
export interface ApiGroup {
  readonly name: string;
  readonly versions: readonly ServedGroupVersion[];
}

/** Groups in this order, the others behind them in the order of their names; versions the most stable and newest first. */
export function groupResources(
  resources: Iterable<DiscoveryResource>,
  order: readonly string[] = [],
): readonly ApiGroup[] {
  const rankOf = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  const groups = new Map<string, Map<string, DiscoveryResource[]>>();
  for (const resource of resources) {
    const versions = groups.get(resource.group) ?? new Map<string, DiscoveryResource[]>();
    groups.set(resource.group, versions);
    versions.set(resource.version, [...(versions.get(resource.version) ?? []), resource]);
  }
  return [...groups]
    .map(([name, versions]) => ({
      name,
      versions: [...versions]
        .map(([version, members]) => ({ version, resources: members.toSorted(byPlural) }))
        .toSorted((left, right) => compareVersions(left.version, right.version)),
    }))
    .toSorted((left, right) => rankOf(left.name) - rankOf(right.name) || (left.name < right.name ? -1 : 1));
}

function byPlural(left: DiscoveryResource, right: DiscoveryResource): number {
  return left.plural < right.plural ? -1 : 1;
}
