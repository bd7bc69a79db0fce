/** One resource as discovery shows it. */

import { createHash } from 'node:crypto';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';

/** The coordinates of what a subresource takes and gives, when it is of another kind than its resource. */
export interface ResponseKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A subresource, such as `status`. */
export interface DiscoverySubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  readonly responseKind?: ResponseKind;
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
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** In the order of their names. */
  readonly subresources?: readonly DiscoverySubresource[];
  /** Reviews and the like are answered and never stored: they have no hash of their storage version. */
  readonly stored: boolean;
}

/** Subresources whose objects are of another kind than their resource. */
const RESPONSE_KINDS: Readonly<Record<string, ResponseKind>> = {
  scale: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
};

/** How discovery shows a kind. */
export function discoveryResource(definition: ResourceDefinition): DiscoveryResource {
  const { group, version, plural, kind, namespaced } = definition.resource;
  const subresources = Object.entries(definition.subresources)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, verbs]) => {
      const responseKind = RESPONSE_KINDS[name];
      return responseKind === undefined ? { name, verbs } : { name, verbs, responseKind };
    });
  return {
    group,
    version,
    plural,
    singular: definition.singular,
    kind,
    namespaced,
    verbs: definition.verbs,
    shortNames: definition.shortNames,
    categories: definition.categories,
    subresources,
    stored: true,
  };
}

/** A short name for the form in which a kind is stored: clients that see it change know that objects were rewritten. */
export function storageVersionHash(resource: Pick<DiscoveryResource, 'group' | 'version' | 'kind'>): string {
  const form = `${resource.group}/${resource.version}/${resource.kind}`;
  return createHash('sha256').update(form).digest().subarray(0, 8).toString('base64');
}
