/** Owner references: who made an object, and who must go before it is deleted. */

import { type ApiObject, apiVersionOf, type OwnerReference, type Resource } from '@listwatch/api';

/** The reference of a managing controller to its object, for `metadata.ownerReferences` of what it makes. */
export function ownerReference<T extends ApiObject>(resource: Resource<T>, owner: T): OwnerReference {
  const { name, uid } = owner.metadata;
  if (uid === undefined) throw new TypeError(`${resource.kind} ${name} has no uid: only stored objects can own others`);
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** The reference to the one owner that manages the object. */
export function controllerOf({ metadata }: ApiObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** Does the reference name an object of this resource? Versions of a group are one kind. */
export function refersTo({ apiVersion, kind }: OwnerReference, resource: Resource): boolean {
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  return kind === resource.kind && group === resource.group;
}
