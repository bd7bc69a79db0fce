/** Ownership after a write that is not an apply: create, update and the other patches. */

import type { ManagedFieldsEntry } from '@listwatch/api';
import { resumableSteps } from '@listwatch/api/internal';
import type { JsonRecord } from '@listwatch/api/values';
import { finish, type Steps } from '../crd/steps.ts';
import { isManagedFieldsReset } from './managed-fields.ts';
import { type Managers, printManagers } from './managers/managed-entry.ts';
import { managedFieldsOf, metadataText, withoutManagedFields } from './managers/managed-object.ts';
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
  /** The objects are compared in steps, which costs more than at once. Default: false. */
  readonly isLarge?: boolean | undefined;
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
  return finish(trackUpdateSteps(context, write, onProblem));
}

/** The same in steps: objects with ten thousands of fields hold the event loop for too long at once. */
export function* trackUpdateSteps(
  context: OwnershipContext,
  write: TrackedUpdate,
  onProblem?: (problem: unknown) => void,
): Steps<readonly ManagedFieldsEntry[] | undefined> {
  const { live, next, manager, isLarge } = write;
  const known = (): Managers => managersBefore(context, live, next);
  const managers = isLarge === true ? yield* resumableSteps(known) : known();
  // An object without managers was written before it was tracked, or was told to forget them. Its first apply starts anew.
  const isCreate = live === undefined || metadataText(live, 'uid') === '';
  if (managers.size === 0 && !isCreate) return undefined;
  yield;
  try {
    const before = withoutManagedFields(live ?? context.zero());
    const after = withoutManagedFields(next);
    const owned = { live: before, next: after, manager, isLarge };
    const isBare = live === undefined && managers.size === 0;
    const result = yield* isBare ? trackCreation(context, owned) : trackOwners(context, owned, managers);
    yield;
    return yield* printManagers(result);
  } catch (problem) {
    onProblem?.(problem);
    return undefined;
  }
}

/** Those that the client has sent, if it may and they can be read; otherwise the stored ones. */
function managersBefore(context: OwnershipContext, live: JsonRecord | undefined, next: JsonRecord): Managers {
  const stored = live === undefined ? undefined : managedFieldsOf(live);
  const sent = managedFieldsOf(next);
  const isSubresource = (context.subresource ?? '') !== '';
  if (isSubresource || sent === undefined || sent === null || sent === stored) return readableManagers(stored);
  if (isManagedFieldsReset(sent)) return new Map();
  const managers = readManagers(sent);
  return 'problem' in managers || managers.size === 0 ? readableManagers(stored) : managers;
}
