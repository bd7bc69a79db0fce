/** Ownership after a write that is not an apply: create, update and the other patches. */

import type { ManagedFieldsEntry } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import { isManagedFieldsReset } from './managed-fields.ts';
import { type Managers, printManagers } from './managers/managed-entry.ts';
import { metadataText, rawManagedFields, withoutManagedFields } from './managers/managed-object.ts';
import { readableManagers, readManagers } from './managers/read-managers.ts';
import { trackCreation, trackOwners } from './managers/track-owners.ts';
import type { OwnershipContext } from './ownership-context.ts';

/** One write that is not an apply. Objects are in canonical form, in the version of the context. */
export interface TrackedUpdate {
  /** The stored object with its managedFields; undefined: the write creates. */
  readonly live: JsonRecord | undefined;
  /** The object to write, with the managedFields that the client has sent, if any. */
  readonly next: JsonRecord;
  /** Empty: `unknown`. */
  readonly manager: string;
}

/**
 * The managedFields of the written object; undefined: it has none. Never throws: when they cannot be computed, because an object does
 * not fit its schema or `convert` throws, they are cleared, and `onProblem` is told why.
 */
export function trackUpdate(
  context: OwnershipContext,
  write: TrackedUpdate,
  onProblem?: (problem: unknown) => void,
): readonly ManagedFieldsEntry[] | undefined {
  const { live, next, manager } = write;
  const managers = managersBefore(context, live, next);
  // An object without managers was written before it was tracked, or was told to forget them. Its first apply starts anew.
  const isCreate = live === undefined || metadataText(live, 'uid') === '';
  if (managers.size === 0 && !isCreate) return undefined;
  try {
    const before = withoutManagedFields(live ?? context.zero());
    const after = withoutManagedFields(next);
    const owned = { live: before, next: after, manager };
    const isBare = live === undefined && managers.size === 0;
    const result = isBare ? trackCreation(context, owned) : trackOwners(context, owned, managers);
    return printManagers(result);
  } catch (problem) {
    onProblem?.(problem);
    return undefined;
  }
}

/** The managers that the client has sent, if it may send them and they can be read; otherwise the stored ones. */
function managersBefore(context: OwnershipContext, live: JsonRecord | undefined, next: JsonRecord): Managers {
  const stored = live === undefined ? undefined : rawManagedFields(live);
  const sent = rawManagedFields(next);
  const isSubresource = (context.subresource ?? '') !== '';
  if (isSubresource || sent === undefined || sent === null || sent === stored) return readableManagers(stored);
  if (isManagedFieldsReset(sent)) return new Map();
  const managers = readManagers(sent);
  return 'problem' in managers || managers.size === 0 ? readableManagers(stored) : managers;
}
