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

/** An object to apply: its kind, its name, and the fields that the controller wants to own. */
export interface Dependent {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  /** Without a namespace it is that of the reconciled object. */
  readonly metadata: { readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined } & Pick<ObjectMeta, 'name'>;
}

/** Options of `apply`. */
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

export async function applyDependent<T extends ApiObject, D extends Dependent>(
  { cluster, mapper, owner, fieldManager, followed, cached }: DependentSurroundings<T>,
  dependent: D,
  options: DependentOptions = {},
): Promise<ApiObject & D> {
  checkOptionNames('apply', options, OPTION_NAMES);
  const { owner: isOwned = true, ...rest } = options;
  const resource = await resourceOf(dependent, followed, mapper, options.signal);
  const { name, namespace } = placeOf(dependent, resource, owner);
  const metadata = { ...dependent.metadata, name, namespace };
  const key = keyText({ namespace, name });
  const current = cached(resource, key) ?? (await unfollowed(cluster, resource, { namespace, name }, followed));
  const ownerReferences = isOwned ? ownersOf(dependent, resource, owner, namespace, current) : undefined;
  const body = { ...dependent, metadata: ownerReferences === undefined ? metadata : { ...metadata, ownerReferences } };
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind of the object is that of the resource
    const object = body as unknown as AppliedObject<ApiObject>;
    const result = await applyObject(cluster, resource, object, { fieldManager, force: true, ...rest, current });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the fields that were applied
    return result.object as ApiObject & D;
  } catch (error) {
    // Not the object is missing but its resource: it may be served under another path or version now.
    if (isNotFound(error) && error.status.details?.name === undefined) mapper.invalidate();
    throw error;
  }
}

/** An object that no cache can have: without it nobody would notice that another object manages it. */
async function unfollowed(
  cluster: Cluster,
  resource: Resource,
  target: ObjectTarget,
  followed: readonly Resource[],
): Promise<ApiObject | undefined> {
  if (followed.includes(resource)) return undefined;
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
