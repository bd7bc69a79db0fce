/** The context of server-side apply for a kind: types, versions, reset fields, the time. */

import { apiVersionOf } from '@listwatch/api';
import { type KubeObject, wholeSeconds } from '@listwatch/rules/internal';
import { FieldSet, fieldPath, type OwnershipContext } from '@listwatch/schema';
import type { Clock } from '@listwatch/storage';
import type { ServedKinds } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';

/** The time, and the other versions of kinds. */
export interface Versions {
  readonly store: { readonly clock: Pick<Clock, 'now'> };
  readonly kinds: Pick<ServedKinds, 'find'>;
}

const known = new WeakMap<Versions, WeakMap<ResourceDefinition, Map<string, OwnershipContext>>>();

/** The context of writes through an endpoint of a kind: made once. Its schemas are loaded. */
export function ownershipOf(context: Versions, definition: ResourceDefinition, subresource: string): OwnershipContext {
  const kinds = known.get(context) ?? new WeakMap<ResourceDefinition, Map<string, OwnershipContext>>();
  known.set(context, kinds);
  const endpoints = kinds.get(definition) ?? new Map<string, OwnershipContext>();
  kinds.set(definition, endpoints);
  const made = endpoints.get(subresource) ?? createOwnership(context, definition, subresource);
  endpoints.set(subresource, made);
  return made;
}

function createOwnership(context: Versions, definition: ResourceDefinition, subresource: string): OwnershipContext {
  const { resource, zero } = definition;
  const own = apiVersionOf(resource);
  const inVersion = (apiVersion: string): ResourceDefinition | undefined =>
    apiVersion === own ? definition : otherVersion(context, definition, apiVersion);
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
    now: () => wholeSeconds(context.store.clock.now()),
  };
}

function otherVersion(
  { kinds }: Versions,
  definition: ResourceDefinition,
  apiVersion: string,
): ResourceDefinition | undefined {
  if (definition.inVersion !== undefined) return definition.inVersion(apiVersion);
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const other = kinds.find(group, version, definition.resource.plural);
  const isSame = other?.convert !== undefined && other.storagePrefix === definition.storagePrefix;
  // The schemas of kinds that convert are loaded at the start.
  return isSame && other.schemas.has(other.data.type) ? other : undefined;
}

function resetSet(definition: ResourceDefinition | undefined, subresource: string): FieldSet | undefined {
  const paths = definition?.resetFields[subresource] ?? [];
  return paths.length === 0 ? undefined : FieldSet.of(...paths.map((path) => fieldPath(...path)));
}
