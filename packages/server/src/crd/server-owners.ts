/** Owners of the fields that the server itself writes: clients see them as those of `kube-apiserver`. */

import { type KubeObject, managedFieldsOf, withManagedFields } from '@listwatch/rules/internal';
import { finishInTurns } from '@listwatch/schema';
import type { Clock } from '@listwatch/storage';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { nextTurn } from '../write/event-loop-turn.ts';
import { SERVER_MANAGER, updateOwners } from '../write/owners/field-owners.ts';
import { ownershipOf } from '../write/owners/kind-ownership.ts';

/** What it needs. The kind has one version. */
export interface ServerOwnersParts {
  readonly clock: Clock;
  readonly definition: ResourceDefinition;
}

/** The object with the owners that it has after this write; `old` is undefined on a creation. */
export type ServerOwners = (old: KubeObject | undefined, next: KubeObject) => Promise<KubeObject>;

/** For the writes through an endpoint: a subresource, or '' for the object itself. */
export function serverOwners({ clock, definition }: ServerOwnersParts, subresource: string): ServerOwners {
  const context = { store: { clock }, kinds: { find: () => undefined } };
  return async (old, next) => {
    await definition.load();
    const ownersOf = updateOwners(ownershipOf(context, definition, subresource), SERVER_MANAGER);
    const compared =
      subresource === 'status' ? { old: old && withoutSpec(old), next: withoutSpec(next) } : { old, next };
    const steps = ownersOf({
      old: compared.old,
      next: withManagedFields(compared.next, undefined),
      sent: old && managedFieldsOf(old),
    });
    return withManagedFields(next, await finishInTurns(steps, nextTurn));
  };
}

/** A write of the status leaves the spec as it is. To compare that of a CRD takes as long as to track its creation. */
function withoutSpec({ spec: _spec, ...rest }: KubeObject): KubeObject {
  return rest;
}
