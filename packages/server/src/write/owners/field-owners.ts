/** Computes the owners of fields after a write: `metadata.managedFields`. Start here. */

import { type KubeObject, type ManagedFields, withManagedFields } from '@listwatch/rules/internal';
import { type OwnershipContext, trackUpdate } from '@listwatch/schema';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import { managerName } from './manager-name.ts';

/** A write, as the computation of `managedFields` sees it. */
export interface OwnedWrite {
  /** The stored object; undefined on a creation. */
  readonly old: KubeObject | undefined;
  /** The new one in canonical form with the defaults of its kind, before admission, without `managedFields`. */
  readonly next: KubeObject;
  /** The `managedFields` that came with it. */
  readonly sent: unknown;
}

/** Computes the owners after a write. */
export type OwnersOf = (write: OwnedWrite) => ManagedFields;

/** The manager name of writes that the server makes itself, as in Kubernetes. */
export const SERVER_MANAGER = 'kube-apiserver';

/** The owners after a write other than apply: the manager owns the fields that it has changed. */
export function updateOwners(ownership: OwnershipContext, manager: string): OwnersOf {
  return ({ old, next, sent }) =>
    trackUpdate(ownership, {
      live: old,
      next: sent === undefined ? next : withManagedFields(next, sent),
      manager,
    });
}

/** The same for the write that a request asks for. */
export function requestOwners(
  context: VerbContext,
  { definition, path, request }: ResourceCall,
  fieldManager: string,
): OwnersOf {
  return updateOwners(context.kinds.ownershipOf(definition, path.subresource), managerName(fieldManager, request));
}
