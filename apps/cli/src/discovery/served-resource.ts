/** A resource as discovery describes it. */

import { groupResourceText, type ResourceDefinition } from '@listwatch/api';

/** What people call it, and what it can do. */
export interface ServedResource extends ResourceDefinition {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly verbs: readonly string[];
}

/** Can it be listed and watched? */
export function isWatchable({ verbs }: ServedResource): boolean {
  return verbs.includes('list') && verbs.includes('watch');
}

/** Its name for people: `pods`, `deployments.apps`. */
export function servedName(served: ServedResource): string {
  return groupResourceText(served);
}
