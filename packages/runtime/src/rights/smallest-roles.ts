/** The smallest roles that have the rights that a program has used. */

import type { UsedRight, UsedRights } from './used-right.ts';

/** A rule of a Role or ClusterRole. */
export interface RoleRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** A Role or ClusterRole, to be printed or applied. */
export interface SmallestRole {
  readonly apiVersion: 'rbac.authorization.k8s.io/v1';
  readonly kind: 'ClusterRole' | 'Role';
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules: readonly RoleRule[];
}

/** Options of {@link smallestRoles}. */
export interface SmallestRolesOptions {
  /** Of all of the roles. */
  readonly name: string;
}

/** In the order in which people write them. */
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
/** A create has no name yet when it is authorized, and a collection has none. */
const NAMELESS: ReadonlySet<string> = new Set(['create', 'deletecollection']);
const LEASES = 'coordination.k8s.io leases';

/**
 * A ClusterRole for what is done in all namespaces or in none, and a Role for each other namespace.
 *
 * A resource that is listed or watched in all namespaces is written in all of them, too: the objects of the run were examples.
 * The same holds for Events of such a program, and for what it did in several namespaces. Names are named where they are not
 * those of somebody's objects: of Leases, and of objects that are followed by their name.
 */
export function smallestRoles({ rights, paths }: UsedRights, { name }: SmallestRolesOptions): readonly SmallestRole[] {
  const scopes = new Map<string, UsedRight[]>();
  const everywhere = clusterWide(rights);
  for (const right of rights) {
    const scope = right.namespace === undefined || everywhere.has(mainResource(right)) ? '' : right.namespace;
    const own = scopes.get(scope) ?? [];
    scopes.set(scope, own);
    own.push(right);
  }
  const roles: SmallestRole[] = [];
  const urls: readonly RoleRule[] =
    paths.length === 0 ? [] : [{ nonResourceURLs: [...paths].toSorted(), verbs: ['get'] }];
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const ofCluster = [...rulesOf(scopes.get('') ?? []), ...urls];
  if (ofCluster.length > 0) roles.push({ apiVersion, kind: 'ClusterRole', metadata: { name }, rules: ofCluster });
  for (const namespace of [...scopes.keys()].filter((scope) => scope !== '').toSorted()) {
    const rules = rulesOf(scopes.get(namespace) ?? []);
    roles.push({ apiVersion, kind: 'Role', metadata: { name, namespace }, rules });
  }
  return roles;
}

function mainResource({ group, resource }: UsedRight): string {
  return `${group} ${resource.split('/', 1)[0]}`;
}

function isEvents(main: string): boolean {
  return main === ' events' || main === 'events.k8s.io events';
}

/** The resources whose rights count in all namespaces. */
function clusterWide(rights: readonly UsedRight[]): ReadonlySet<string> {
  const followed = rights.filter(
    ({ verb, namespace }) => namespace === undefined && (verb === 'list' || verb === 'watch'),
  );
  const found = new Set(followed.map(mainResource));
  if (found.size === 0) return found;
  const namespaces = new Map<string, Set<string>>();
  for (const right of rights) {
    const main = mainResource(right);
    const own = namespaces.get(main) ?? new Set();
    namespaces.set(main, own);
    if (right.namespace !== undefined) own.add(right.namespace);
  }
  for (const [main, own] of namespaces) if (main !== LEASES && (isEvents(main) || own.size > 1)) found.add(main);
  return found;
}

interface ResourceVerbs {
  readonly group: string;
  readonly resource: string;
  readonly names: readonly string[] | undefined;
  readonly verbs: Set<string>;
}

/** Resources of one group with the same verbs share a rule. */
function rulesOf(rights: readonly UsedRight[]): readonly RoleRule[] {
  const byResource = new Map<string, ResourceVerbs>();
  for (const right of rights) {
    const names = fixedNames(right, rights);
    const key = JSON.stringify([right.group, right.resource, names]);
    const found = byResource.get(key) ?? { group: right.group, resource: right.resource, names, verbs: new Set() };
    byResource.set(key, found);
    found.verbs.add(right.verb);
  }
  const rules = new Map<
    string,
    { readonly first: ResourceVerbs; readonly verbs: readonly string[]; readonly resources: string[] }
  >();
  for (const key of [...byResource.keys()].toSorted()) {
    const first = byResource.get(key);
    if (first === undefined) continue;
    const verbs = [...first.verbs].toSorted((a, b) => rank(a) - rank(b));
    const same = JSON.stringify([first.group, verbs, first.names]);
    const rule = rules.get(same) ?? { first, verbs, resources: [] };
    rules.set(same, rule);
    rule.resources.push(first.resource);
  }
  return [...rules.values()].map(({ first: { group, names }, verbs, resources }) => ({
    apiGroups: [group],
    resources,
    ...(names === undefined ? {} : { resourceNames: names }),
    verbs,
  }));
}

function rank(verb: string): number {
  const index = VERBS.indexOf(verb);
  return index < 0 ? VERBS.length : index;
}

function fixedNames(right: UsedRight, rights: readonly UsedRight[]): readonly string[] | undefined {
  const { verb, names } = right;
  if (names === undefined || NAMELESS.has(verb)) return undefined;
  if (mainResource(right) === LEASES) return [...names].toSorted();
  if (verb === 'list' || verb === 'watch') return [...names].toSorted();
  const main = mainResource(right);
  const followed = rights.filter(
    (other) => mainResource(other) === main && (other.verb === 'list' || other.verb === 'watch'),
  );
  const known = new Set(followed.flatMap((other) => other.names ?? []));
  const isByName = followed.length > 0 && followed.every((other) => other.names !== undefined);
  return isByName && names.every((name) => known.has(name)) ? [...names].toSorted() : undefined;
}
