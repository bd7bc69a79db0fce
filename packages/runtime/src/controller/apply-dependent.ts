/** Applies what a reconcile makes for its object. */

import {
  type ApiObject,
  apiVersionOf,
  groupKindText,
  isForbidden,
  isNotFound,
  type ObjectMeta,
  type OwnerReference,
  type Resource,
} from '@listwatch/api';
import type { AppliedObject, ApplyOptions, Cluster, ObjectTarget, RestMapper } from '@listwatch/client';
import { applyObject, checkOptionNames, type OptionNames } from '@listwatch/client/internal';
import { controllerOf, ownerReference } from './owner-reference.ts';
import { keyText } from './reconcile-key.ts';

/** An object that names its kind: from a file, or of a kind that only the running program knows. */
export interface Dependent {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  /** Without a namespace it is that of the reconciled object. */
  readonly metadata: { readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined } & Pick<ObjectMeta, 'name'>;
}

/** Options of `apply` and `applyManifest`. */
export interface DependentOptions extends Omit<ApplyOptions, 'subresource'> {
  /** Is the reconciled object the managing owner? It is then deleted with it. Default: true. */
  readonly owner?: boolean | undefined;
  /** The owner of the fields. Default: the name of the controller. */
  readonly fieldManager?: string | undefined;
  /** Take fields from other managers. Default: true, because a controller is right about what it makes. */
  readonly force?: boolean | undefined;
}

const OPTION_NAMES: OptionNames<DependentOptions> = {
  owner: true,
  fieldManager: true,
  force: true,
  dryRun: true,
  fieldValidation: true,
  signal: true,
};

/** The reconciled object. */
export interface DependentOwner<T extends ApiObject> {
  readonly resource: Resource<T>;
  /** Undefined once it has gone. */
  readonly object: T | undefined;
  readonly namespace: string | undefined;
}

/** What an apply needs. */
export interface DependentSurroundings<T extends ApiObject> {
  readonly cluster: Cluster;
  readonly mapper: RestMapper;
  readonly owner: DependentOwner<T>;
  readonly fieldManager: string;
  /** The resources that the controller follows. */
  readonly followed: readonly Resource[];
  /** The whole object as a cache has it. */
  readonly cached: (resource: Resource, key: string) => ApiObject | undefined;
}

/** Applies an object of a kind that is known where it is written. */
export async function applyDependent<T extends ApiObject, S extends ApiObject>(
  { cluster, mapper, owner, fieldManager, followed, cached }: DependentSurroundings<T>,
  resource: Resource<S>,
  applied: AppliedObject<S>,
  options: DependentOptions = {},
): Promise<S> {
  requireResource(resource);
  checkOptionNames('apply', options, OPTION_NAMES);
  const { owner: isOwned = true, ...rest } = options;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what every object has; the compiler cannot see it in any `S`
  const dependent = applied as unknown as Dependent;
  requireKind(dependent, resource);
  const { name, namespace } = placeOf(dependent, resource, owner);
  const metadata = { ...dependent.metadata, name, namespace };
  const key = keyText({ namespace, name });
  const current = cached(resource, key) ?? (await unfollowed(cluster, resource, { namespace, name }, followed));
  const ownerReferences = isOwned ? ownersOf(dependent, resource, owner, namespace, current) : undefined;
  const body = { ...dependent, metadata: ownerReferences === undefined ? metadata : { ...metadata, ownerReferences } };
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the object as it was given, with its place and its owner
    const object = body as unknown as AppliedObject<S>;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the cache of this resource
    const known = current as S | undefined;
    const result = await applyObject(cluster, resource, object, { fieldManager, force: true, ...rest, current: known });
    return result.object;
  } catch (error) {
    // Not the object is missing but its resource: it may be served under another path or version now.
    if (isNotFound(error) && error.status.details?.name === undefined) mapper.invalidate();
    throw error;
  }
}

/** Applies an object that names its kind itself. */
export async function applyManifest<T extends ApiObject, D extends Dependent>(
  surroundings: DependentSurroundings<T>,
  dependent: D,
  options: DependentOptions = {},
): Promise<ApiObject & D> {
  const { followed, mapper } = surroundings;
  const resource = await resourceOf(dependent, followed, mapper, options.signal);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind of the object is that of the resource
  const object = dependent as unknown as AppliedObject<ApiObject>;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the fields that were applied
  return (await applyDependent(surroundings, resource, object, options)) as ApiObject & D;
}

/** JavaScript can leave the resource out, and would otherwise be told that a group of undefined has no path. */
function requireResource(resource: Resource): void {
  if (typeof resource?.plural === 'string') return;
  throw new TypeError(
    'apply takes the resource first, as in apply(services, object); applyManifest takes an object that names its kind',
  );
}

/** An object of another kind would be sent to the path of this one, and the answer would not say which of the two is wrong. */
function requireKind({ apiVersion, kind, metadata }: Dependent, resource: Resource): void {
  const wanted = [apiVersionOf(resource), resource.kind];
  const given = [apiVersion ?? wanted[0], kind ?? wanted[1]];
  if (given.join(' ') === wanted.join(' ')) return;
  throw new TypeError(
    `${metadata.name} is to be applied as ${wanted.join(' ')} and says that it is ${given.join(' ')}`,
  );
}

function isSameResource(a: Resource, b: Resource): boolean {
  return a.plural === b.plural && a.group === b.group;
}

/** An object that no cache can have: without it nobody would notice that another object manages it. */
async function unfollowed(
  cluster: Cluster,
  resource: Resource,
  target: ObjectTarget,
  followed: readonly Resource[],
): Promise<ApiObject | undefined> {
  if (followed.some((one) => isSameResource(one, resource))) return undefined;
  try {
    return await cluster.get(resource, target);
  } catch (error) {
    // Whoever may patch but not get can still apply.
    if (isNotFound(error) || isForbidden(error)) return undefined;
    throw error;
  }
}

async function resourceOf(
  { apiVersion, kind, metadata }: Dependent,
  followed: readonly Resource[],
  mapper: RestMapper,
  signal: AbortSignal | undefined,
): Promise<Resource> {
  if (apiVersion === undefined || kind === undefined) {
    throw new TypeError(`an object to apply needs apiVersion and kind: ${JSON.stringify(metadata.name)}`);
  }
  const known = followed.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion);
  return known ?? mapper.kind(apiVersion, kind, { signal });
}

function placeOf(
  { metadata: { name, namespace } }: Dependent,
  resource: Resource,
  owner: DependentOwner<ApiObject>,
): Pick<ObjectMeta, 'name'> & { readonly namespace: string | undefined } {
  if (!resource.namespaced || namespace !== undefined) return { name, namespace };
  if (owner.namespace === undefined) {
    throw new TypeError(
      `${groupKindText(resource)} ${name} needs metadata.namespace: its owner, a ${owner.resource.kind}, has none`,
    );
  }
  return { name, namespace: owner.namespace };
}

/** The references of the object and ours. Throws for what Kubernetes refuses or, worse, would collect as garbage. */
function ownersOf<T extends ApiObject>(
  dependent: Dependent,
  resource: Resource,
  { resource: ownerResource, object, namespace: ownerNamespace }: DependentOwner<T>,
  namespace: string | undefined,
  current: ApiObject | undefined,
): readonly OwnerReference[] {
  const what = `${groupKindText(resource)} ${keyText({ namespace, name: dependent.metadata.name })}`;
  const hint = 'pass owner: false to apply it without an owner';
  if (object === undefined) throw new TypeError(`${what} cannot be owned by an object that is gone; ${hint}`);
  const ownerText = `${ownerResource.kind} ${keyText(object.metadata)}`;
  if (ownerNamespace !== undefined && ownerNamespace !== namespace) {
    const where = namespace === undefined ? 'the cluster' : `the namespace ${namespace}`;
    throw new TypeError(`${ownerText} cannot own ${what}, an object of ${where}: Kubernetes would delete it; ${hint}`);
  }
  const own = ownerReference(ownerResource, object);
  const others = (dependent.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== own.uid);
  const manager = others.find(({ controller }) => controller === true) ?? (current && controllerOf(current));
  if (manager !== undefined && manager.uid !== own.uid) {
    throw new TypeError(
      `${ownerText} cannot own ${what}: ${manager.kind} ${manager.name} (uid ${manager.uid}) does already; ${hint}`,
    );
  }
  return [...others, own];
}
