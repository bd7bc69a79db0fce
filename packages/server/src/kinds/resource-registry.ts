/** All kinds that a server serves: looked up by their coordinates or by the keys of their objects. Start here. */

import { apiVersionOf } from '@listwatch/api';
import { BUILT_IN_KINDS } from '@listwatch/rules/internal';
import { folderRoot, REGISTRY_ROOT, storageRoot } from '../stored/object-folder.ts';
import type { ResourceDefinition } from './resource-definition.ts';

/**
 * The kinds that a server serves. Iterating gives the kinds in the order of group, version and plural, custom kinds
 * last.
 */
export interface ResourceRegistry extends Iterable<ResourceDefinition> {
  /** The kind served under a group, version and plural; undefined when there is none. */
  readonly find: (group: string, version: string, plural: string) => ResourceDefinition | undefined;
  /**
   * The kind that a key such as `/registry/configmaps/default/a` belongs to, of several that share it the first;
   * undefined for a foreign key.
   */
  readonly findByKey: (key: string) => ResourceDefinition | undefined;
  /** Does a built-in kind have the keys of this folder? */
  readonly ownsFolder: (storagePrefix: string) => boolean;
  /** Replaces custom kinds. Running requests continue with the kinds that they have found. */
  readonly replace: (old: readonly ResourceDefinition[], next: readonly ResourceDefinition[]) => void;
}

/**
 * Makes a registry. Throws a TypeError when two kinds claim the same path, or the same keys without being views of one
 * another.
 */
export function createRegistry(definitions: readonly ResourceDefinition[] = BUILT_IN_KINDS): ResourceRegistry {
  const sorted = definitions.toSorted(byCoordinates);
  const byPath = index(sorted, ({ resource }) => pathOf(resource.group, resource.version, resource.plural));
  const byRoot = index(sorted, storageRoot, (one, other) => one.convert !== undefined && other.convert !== undefined);
  const custom = new Map<string, ResourceDefinition>();
  const customRoots = new Map<string, ResourceDefinition>();
  return {
    find: (group, version, plural) => {
      const path = pathOf(group, version, plural);
      return byPath.get(path) ?? custom.get(path);
    },
    findByKey: (key) =>
      rootsOf(key)
        .map((root) => byRoot.get(root) ?? customRoots.get(root))
        .find((found) => found !== undefined),
    ownsFolder: (storagePrefix) => byRoot.has(folderRoot(storagePrefix)),
    replace: (old, next) => {
      for (const { resource, storagePrefix } of old) {
        custom.delete(pathOf(resource.group, resource.version, resource.plural));
        customRoots.delete(folderRoot(storagePrefix));
      }
      for (const definition of next) {
        const { group, version, plural } = definition.resource;
        custom.set(pathOf(group, version, plural), definition);
        if (definition === next[0]) customRoots.set(storageRoot(definition), definition);
      }
    },
    *[Symbol.iterator]() {
      yield* sorted;
      yield* custom.values();
    },
  };
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
