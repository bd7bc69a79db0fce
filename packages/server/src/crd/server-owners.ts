/** Tracks the owners of fields that the server itself writes, under the manager name `kube-apiserver`. */

import { type KubeObject, managedFieldsOf, withManagedFields } from '@listwatch/rules/internal';
import type { Clock } from '@listwatch/storage';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { type OwnersOf, SERVER_MANAGER, updateOwners } from '../write/owners/field-owners.ts';
import { endpointOwnership } from '../write/owners/kind-ownership.ts';

/** The parts that tracking needs. The kind has one version. */
export interface ServerOwnersParts {
  readonly clock: Clock;
  readonly definition: ResourceDefinition;
}

/** Returns the object with its `managedFields` after this write; `old` is undefined on a creation. */
export type ServerOwners = (old: KubeObject | undefined, next: KubeObject) => Promise<KubeObject>;

/** For the writes through an endpoint: a subresource, or '' for the object itself. */
export function serverOwners({ clock, definition }: ServerOwnersParts, subresource: string): ServerOwners {
  const parts = { clock, find: () => undefined };
  let ownersOf: OwnersOf | undefined;
  return async (old, next) => {
    await definition.load();
    ownersOf ??= updateOwners(endpointOwnership(parts, definition, subresource), SERVER_MANAGER);
    const compared =
      subresource === 'status' ? { old: old && withoutSpec(old), next: withoutSpec(next) } : { old, next };
    const owners = ownersOf({
      old: compared.old,
      next: withManagedFields(compared.next, undefined),
      sent: old && managedFieldsOf(old),
    });
    return withManagedFields(next, owners);
  };
}

/** Writes of the status do not change the spec. Comparing the spec of a CRD would take as long as tracking its creation. */
function withoutSpec({ spec: _spec, ...rest }: KubeObject): KubeObject {
  return rest;
}
