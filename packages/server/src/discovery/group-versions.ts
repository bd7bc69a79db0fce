/** The resources of an API, sorted into groups and versions. */

import type { DiscoveryResource } from './discovery-resource.ts';

/** One version of a group. */
export interface GroupVersion {
  readonly version: string;
  /** In the order of their plurals. */
  readonly resources: readonly DiscoveryResource[];
}

/** A group; its first version is the preferred one. */
export interface ApiGroup {
  readonly name: string;
  readonly versions: readonly GroupVersion[];
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

const VERSION = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const STABILITY: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };

/** Which version comes first: v2, v1, v1beta2, v1beta1, v2alpha1, then what is no version, by its text. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [rank(left), rank(right)];
  for (const [index, value] of a.entries()) {
    const difference = (b[index] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return left < right ? -1 : Number(left > right);
}

function rank(version: string): readonly number[] {
  const [, major, stage, minor] = VERSION.exec(version) ?? [];
  if (major === undefined) return [-1, 0, 0];
  return [stage === undefined ? 2 : (STABILITY[stage] ?? 0), Number(major), Number(minor ?? 0)];
}

function byPlural(left: DiscoveryResource, right: DiscoveryResource): number {
  return left.plural < right.plural ? -1 : 1;
}
