/** Who owns which fields after a write: `metadata.managedFields`. Start here. */

import { sameJson } from '@listwatch/api/values';
import { type KubeObject, type ManagedFields, withManagedFields } from '@listwatch/rules/internal';
import { managedFieldsButTimes, type OwnershipContext, type Steps, trackUpdateSteps } from '@listwatch/schema';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import { ownershipOf } from './kind-ownership.ts';
import { managerName } from './manager-name.ts';

/** A write whose owners are wanted. */
export interface OwnedWrite {
  /** The stored object; undefined on a creation. */
  readonly old: KubeObject | undefined;
  /** The new one in canonical form with the defaults of its kind, before admission, without `managedFields`. */
  readonly next: KubeObject;
  /** The `managedFields` that came with it. */
  readonly sent: unknown;
  /** The objects are large: they are compared in steps. Default: false. */
  readonly isLarge?: boolean | undefined;
}

/** Computes the owners after a write, in steps: those of a large object take several turns of the event loop. */
export type OwnersOf = (write: OwnedWrite) => Steps<ManagedFields>;

/** The manager of what the server writes by itself: clients know it by this name. */
export const SERVER_MANAGER = 'kube-apiserver';

/** The owners after a write that is no apply: the manager gets what it has changed. */
export function updateOwners(ownership: OwnershipContext, manager: string): OwnersOf {
  return ({ old, next, sent, isLarge }) =>
    trackUpdateSteps(ownership, {
      live: old,
      next: sent === undefined ? next : withManagedFields(next, sent),
      manager,
      isLarge,
    });
}

/** The same for the write that a request asks for. */
export function requestOwners(
  context: VerbContext,
  { definition, path, request }: ResourceCall,
  fieldManager: string,
): OwnersOf {
  return updateOwners(ownershipOf(context, definition, path.subresource), managerName(fieldManager, request));
}

/**
 * The owners to store with an object that equals the stored one in all else: the stored ones when only times differ, so that
 * nothing is written.
 */
export function ownersUnlessTimes(stored: ManagedFields, written: ManagedFields): ManagedFields {
  if (sameJson(stored, written)) return stored;
  return managedFieldsButTimes(stored, written) ?? written;
}
