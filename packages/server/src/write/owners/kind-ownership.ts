/** The context of server-side apply for a kind: types, versions, reset fields, the time. */

import { apiVersionOf } from '@listwatch/api';
import { type KubeObject, wholeSeconds } from '@listwatch/rules/internal';
import { FieldSet, fieldPath, type OwnershipContext } from '@listwatch/schema';
import type { Clock } from '@listwatch/storage';
import type { ServedKinds } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';

/** The time, and the other versions of kinds. */
export interface OwnershipParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly find: ServedKinds['find'];
}

/** Makes the context of each endpoint once: what is known of the shapes of its objects is kept by context. */
export function kindOwnership(parts: OwnershipParts): ServedKinds['ownershipOf'] {
  // A custom kind gets another definition with each change.
  const known = new WeakMap<ResourceDefinition, Map<string, OwnershipContext>>();
  return (definition, subresource) => {
    const endpoints = known.get(definition) ?? new Map<string, OwnershipContext>();
    known.set(definition, endpoints);
    const made = endpoints.get(subresource) ?? endpointOwnership(parts, definition, subresource);
    endpoints.set(subresource, made);
    return made;
  };
}

/** The context of writes through one endpoint. The schemas of the kind are loaded. */
export function endpointOwnership(
  parts: OwnershipParts,
  definition: ResourceDefinition,
  subresource: string,
): OwnershipContext {
  const { resource, zero } = definition;
  const own = apiVersionOf(resource);
  const inVersion = (apiVersion: string): ResourceDefinition | undefined =>
    apiVersion === own ? definition : otherVersion(parts, definition, apiVersion);
  const resets = new Map<string, FieldSet | undefined>();
  return {
    apiVersion: own,
    kind: resource.kind,
    subresource,
    typeOf(apiVersion) {
      const found = inVersion(apiVersion);
      return found?.schemas.applyType(found.data.type);
    },
    convert(object, apiVersion) {
      const found = inVersion(apiVersion);
      if (found === undefined || object['apiVersion'] === apiVersion) return object;
      // The versions of a custom kind differ only in their apiVersion.
      if (found.convert === undefined) return { ...object, apiVersion };
      // An object from which the fields of a manager were removed may have lost its metadata.
      const { metadata = {} } = object;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the objects of a kind are objects of the API
      return found.convert({ ...object, metadata } as KubeObject);
    },
    resetFields(apiVersion) {
      if (!resets.has(apiVersion)) resets.set(apiVersion, resetSet(inVersion(apiVersion), subresource));
      return resets.get(apiVersion);
    },
    zero,
    now: () => wholeSeconds(parts.clock.now()),
  };
}

function otherVersion(
  { find }: OwnershipParts,
  definition: ResourceDefinition,
  apiVersion: string,
): ResourceDefinition | undefined {
  if (definition.inVersion !== undefined) return definition.inVersion(apiVersion);
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const other = find(group, version, definition.resource.plural);
  const isSame = other?.convert !== undefined && other.storagePrefix === definition.storagePrefix;
  // The schemas of kinds that convert are loaded at the start.
  return isSame && other.schemas.has(other.data.type) ? other : undefined;
}

function resetSet(definition: ResourceDefinition | undefined, subresource: string): FieldSet | undefined {
  const paths = definition?.resetFields[subresource];
  return paths && FieldSet.of(...paths.map((path) => fieldPath(...path)));
}
