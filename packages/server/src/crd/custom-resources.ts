/** How discovery shows a custom kind. */

import type { DiscoveryResource, DiscoverySubresource } from '../discovery/discovery-resource.ts';
import type { CustomDefinition } from '../kinds/crd/custom-definition.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';

/** Nothing can be written while a definition is being deleted. */
const NOT_WHILE_TERMINATING: ReadonlySet<string> = new Set(['create', 'patch', 'update']);

/** The resources of the versions that are served. */
export function customResources(
  { isTerminating }: CustomDefinition,
  kinds: readonly ResourceDefinition[],
): readonly DiscoveryResource[] {
  return kinds.map(({ data }) => {
    const { group, version, kind } = data;
    const responseKind = { group, version, kind };
    const own = { ...data, responseKind };
    const subresources = Object.entries(data.subresources).map(
      ([name, sub]): DiscoverySubresource => ({
        name,
        verbs: sub.verbs,
        responseKind: { group: sub.group, version: sub.version, kind: sub.kind },
        isOwnKind: sub.kind === kind && sub.group === group,
      }),
    );
    const verbs = isTerminating ? data.verbs.filter((verb) => !NOT_WHILE_TERMINATING.has(verb)) : data.verbs;
    return { ...own, verbs, subresources };
  });
}
