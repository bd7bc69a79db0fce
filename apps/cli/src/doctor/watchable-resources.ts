/** The resources that an informer can follow. */

import { groupResourceText } from '@listwatch/api';
import type { ServedResource } from '@listwatch/client';
import { isWatchable } from '../discovery/find-resource.ts';

/** Each resource once: in its preferred version, which comes first. */
export function watchableResources(resources: readonly ServedResource[]): readonly ServedResource[] {
  const byName = new Map<string, ServedResource>();
  for (const served of resources.filter(isWatchable)) {
    const name = groupResourceText(served);
    if (!byName.has(name)) byName.set(name, served);
  }
  return [...byName.values()];
}
