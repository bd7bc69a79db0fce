/** All kinds that a server serves: looked up by their coordinates or by the keys of their objects. Start here. */

import { apiVersionOf } from '@listwatch/api';
import { BUILT_IN_KINDS } from './built-in-kinds.ts';
import type { ResourceDefinition } from './resource-definition.ts';

/** The folder that all keys lie in. */
export const REGISTRY_ROOT = '/registry/';

/** What a server serves. Iterating gives the kinds in the order of group, version and plural. */
export interface ResourceRegistry extends Iterable<ResourceDefinition> {
  /** The kind served under a group, version and plural; undefined when there is none. */
  readonly find: (group: string, version: string, plural: string) => ResourceDefinition | undefined;
  /**
   * The kind that a key such as `/registry/configmaps/default/a` belongs to, of several that share it the first;
   * undefined for a foreign key.
   */
  readonly findByKey: (key: string) => ResourceDefinition | undefined;
}

/**
 * Makes a registry. Throws a TypeError when two kinds claim the same path, or the same keys without being views of one
 * another.
 */
export function createRegistry(definitions: readonly ResourceDefinition[] = BUILT_IN_KINDS): ResourceRegistry {
  const sorted = definitions.toSorted(byCoordinates);
  const byPath = index(sorted, ({ resource }) => pathOf(resource.group, resource.version, resource.plural));
  const byRoot = index(sorted, storageRoot, (one, other) => one.convert !== undefined && other.convert !== undefined);
  return {
    find: (group, version, plural) => byPath.get(pathOf(group, version, plural)),
    findByKey: (key) =>
      rootsOf(key)
        .map((root) => byRoot.get(root))
        .find((found) => found !== undefined),
    [Symbol.iterator]: () => sorted.values(),
  };
}

/** The folder of a kind's keys, with its last slash: `/registry/configmaps/`. */
export function storageRoot(definition: ResourceDefinition): string {
  return `${REGISTRY_ROOT}${definition.storagePrefix}/`;
}

/** The key of an object. `namespace` is `''` for kinds of the cluster. */
export function objectKey(definition: ResourceDefinition, namespaceName: string, name: string): string {
  return `${namespaceRoot(definition, namespaceName)}${name}`;
}

/** The folder of a namespace's keys of a kind; of all of them when `namespace` is `''`. */
export function namespaceRoot(definition: ResourceDefinition, namespaceName: string): string {
  const root = storageRoot(definition);
  return namespaceName === '' ? root : `${root}${namespaceName}/`;
}

/** The folders that a key lies in, the innermost that can be a root first: a prefix may have a slash of its own. */
function rootsOf(key: string): readonly string[] {
  if (!key.startsWith(REGISTRY_ROOT)) return [];
  const [first = '', second = ''] = key.slice(REGISTRY_ROOT.length).split('/');
  return [`${REGISTRY_ROOT}${first}/${second}/`, `${REGISTRY_ROOT}${first}/`];
}

function index(
  definitions: readonly ResourceDefinition[],
  keyOf: (definition: ResourceDefinition) => string,
  mayShare: (one: ResourceDefinition, other: ResourceDefinition) => boolean = () => false,
): ReadonlyMap<string, ResourceDefinition> {
  const found = new Map<string, ResourceDefinition>();
  for (const definition of definitions) {
    const key = keyOf(definition);
    const other = found.get(key);
    if (other !== undefined && mayShare(definition, other)) continue;
    if (other !== undefined) {
      throw new TypeError(`${other.resource.kind} and ${definition.resource.kind} both claim ${key}`);
    }
    found.set(key, definition);
  }
  return found;
}

function pathOf(group: string, version: string, plural: string): string {
  return `${apiVersionOf({ group, version })}/${plural}`;
}

function byCoordinates(left: ResourceDefinition, right: ResourceDefinition): number {
  return sortKey(left) < sortKey(right) ? -1 : 1;
}

function sortKey({ resource }: ResourceDefinition): string {
  return `${resource.group}/${resource.version}/${resource.plural}`;
}
