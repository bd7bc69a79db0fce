/** A form of an object that clients write instead of the object, such as its Scale, with its field owners. */

import { type KubeObject, type ManagedFields, withManagedFields } from '@listwatch/rules/internal';
import { trackUpdate } from '@listwatch/schema';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import type { OwnersOf } from './field-owners.ts';
import { managerName } from './manager-name.ts';

/** The form of an object that a patch is written for, when that is not the object itself (Scale). */
export interface PatchView {
  /** The kind of the form. */
  readonly definition: ResourceDefinition;
  readonly subresource: string;
  readonly show: (object: KubeObject) => KubeObject;
  /** Applies a changed form to the object. */
  readonly change: (form: KubeObject, object: KubeObject) => KubeObject;
  /** The owners of the form of a stored object. */
  readonly ownersOfForm: (object: KubeObject) => ManagedFields;
  /** The owners of the object after its form was written. */
  readonly ownersOfObject: (form: ManagedFields, object: KubeObject) => ManagedFields;
}

/** The form with its owners, as writes see it. */
export function ownedForm(view: PatchView, object: KubeObject): KubeObject {
  return withManagedFields(view.show(object), view.ownersOfForm(object));
}

/** The owners of an object after an update of its form. */
export function viewOwners(
  context: VerbContext,
  { request }: ResourceCall,
  view: PatchView,
  fieldManager: string,
): OwnersOf {
  const ownership = context.kinds.ownershipOf(view.definition, view.subresource);
  const manager = managerName(fieldManager, request);
  return ({ old, next }) => {
    if (old === undefined) return undefined;
    const form = trackUpdate(ownership, { live: ownedForm(view, old), next: view.show(next), manager });
    return view.ownersOfObject(form, old);
  };
}
