/** Finds resources by the names that kubectl takes. */

import type { ResourceName } from './resource-name.ts';
import type { ServedResource } from './served-resource.ts';

/** How a word can name a resource, the surest first: a kind that is called as another's short name must not win over it. */
const WAYS: readonly ((served: ServedResource, word: string) => boolean)[] = [
  ({ plural }, word) => plural === word,
  ({ singular, kind }, word) => singular === word || kind.toLowerCase() === word,
  ({ shortNames }, word) => shortNames.includes(word),
];

/** The resources that a name can mean, in the order of `all`: the core group wins, and a group's preferred version. */
export function resourceMatches(
  { word, group, version }: ResourceName,
  all: readonly ServedResource[],
): readonly ServedResource[] {
  const inVersion = all.filter((served) => version === undefined || served.version === version);
  const exact = inVersion.filter((served) => group === undefined || served.group === group);
  // As kubectl: the beginning of a group will do, such as `leases.coordination`.
  const among =
    exact.length === 0 && group !== undefined && group !== ''
      ? inVersion.filter((served) => served.group.startsWith(group))
      : exact;
  const lower = word.toLowerCase();
  return WAYS.flatMap((matches) => among.filter((served) => matches(served, lower)));
}
