/** Which kinds a type is published as: `x-kubernetes-group-version-kind` of schemas. */

import type { KindData } from '@listwatch/kinds/data';
import type { GroupVersionKind, TypeName } from '@listwatch/schema';

/** Of no group: they are in the core version. */
const META_KINDS: readonly (readonly [TypeName, string])[] = [
  ['meta/v1.APIGroup', 'APIGroup'],
  ['meta/v1.APIGroupList', 'APIGroupList'],
  ['meta/v1.APIResourceList', 'APIResourceList'],
  ['meta/v1.APIVersions', 'APIVersions'],
  ['meta/v1.Status', 'Status'],
];

/** Each group and version has its own. */
const SHARED_KINDS: readonly (readonly [TypeName, string])[] = [
  ['meta/v1.DeleteOptions', 'DeleteOptions'],
  ['meta/v1.WatchEvent', 'WatchEvent'],
];

/** The kinds of types, by the names of the types. `versions` are those that the document is about. */
export function publishedKinds(
  kinds: Iterable<KindData>,
  versions: readonly Pick<GroupVersionKind, 'group' | 'version'>[],
): ReadonlyMap<TypeName, readonly GroupVersionKind[]> {
  const core = { group: '', version: 'v1' };
  const found = new Map<TypeName, Map<string, GroupVersionKind>>();
  const add = (type: TypeName, { group, version, kind }: GroupVersionKind): void => {
    const known = found.get(type) ?? new Map<string, GroupVersionKind>();
    found.set(type, known.set(`${group}/${version}/${kind}`, { group, kind, version }));
  };
  for (const data of kinds) {
    add(data.type, data);
    if (data.listType !== undefined) add(data.listType, { ...data, kind: `${data.kind}List` });
    for (const sub of Object.values(data.subresources)) {
      if (!sub.kind.endsWith('Options')) add(sub.type, sub);
    }
  }
  for (const [type, kind] of META_KINDS) add(type, { ...core, kind });
  for (const [type, kind] of SHARED_KINDS) {
    for (const of of [core, ...versions]) add(type, { ...of, kind });
  }
  return new Map([...found].map(([type, known]) => [type, [...known.values()]]));
}
