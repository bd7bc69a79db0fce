/** One resource as discovery shows it. */

import type { KindData } from '@listwatch/kinds/data';

/** The coordinates of what a subresource takes and gives. Group and version are `''` when they are those of its resource. */
export interface ResponseKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A subresource, such as `status`. */
export interface DiscoverySubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** Default: the kind of its resource. */
  readonly responseKind?: ResponseKind;
  /** `responseKind` is that of the resource: only the aggregated form names it. */
  readonly isOwnKind?: boolean;
}

/** A resource, stored or not. */
export interface DiscoveryResource {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** What it takes and gives, where the aggregated form names it in full (custom kinds). Default: the kind of the list. */
  readonly responseKind?: ResponseKind;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** In the order of their names. */
  readonly subresources?: readonly DiscoverySubresource[];
  /**
   * A short name for the form in which a kind is stored: clients that see it change know that objects were rewritten. Absent:
   * virtual resources such as reviews have none.
   */
  readonly storageVersionHash?: string;
}

/** How discovery shows a kind. */
export function discoveryResource(data: KindData): DiscoveryResource {
  const { group, version, plural, singular, kind, namespaced, verbs, shortNames, categories, storageVersionHash } =
    data;
  const subresources = Object.entries(data.subresources)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, { verbs: subverbs, ...own }]) => {
      const isOwn = own.group === group && own.version === version;
      // A group and a version are named only where they are not those of the resource.
      const shown = isOwn ? { group: '', version: '' } : { group: own.group, version: own.version };
      return { name, verbs: subverbs, responseKind: { ...shown, kind: own.kind } };
    });
  return {
    group,
    version,
    plural,
    singular,
    kind,
    namespaced,
    verbs,
    shortNames,
    categories,
    subresources,
    ...(storageVersionHash === undefined ? {} : { storageVersionHash }),
  };
}
