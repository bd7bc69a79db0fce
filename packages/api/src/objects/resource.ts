/** A resource: one collection of the API, its coordinates and the TypeScript type of its objects. */
import type { ApiObject } from './api-object.ts';

declare const objectType: unique symbol;

/** The coordinates of a resource. */
export interface ResourceCoordinates {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  /** The name in the path, such as `configmaps`. */
  readonly plural: string;
  /** The name in the objects, such as `ConfigMap`. */
  readonly kind: string;
  readonly namespaced: boolean;
}

/** A resource whose objects have the type `T`. Made by `resource()`. */
export interface Resource<T extends ApiObject = ApiObject> extends ResourceCoordinates {
  /** Carries `T` for the compiler; never present at run time. */
  readonly [objectType]?: T;
}

/** What `resource()` is given. */
export interface NewResource extends Omit<ResourceCoordinates, 'group'> {
  /** Default: `''`, the core group. */
  readonly group?: string | undefined;
}

/** The name of a resource without its version, as Status details and messages use it. Any `Resource` fits. */
export type GroupResource = Pick<ResourceCoordinates, 'group' | 'plural'>;

/** The name of a kind without its version, as validation failures use it. Any `Resource` fits. */
export type GroupKind = Pick<ResourceCoordinates, 'group' | 'kind'>;

/** The type of the objects of a resource. */
export type ObjectOf<R> = R extends Resource<infer T> ? T : never;

/**
 * Declares a resource and keeps the type of its objects. Throws a TypeError for a definition that is not complete.
 *
 * @example
 * const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
 */
export function resource<T extends ApiObject = ApiObject>(definition: NewResource): Resource<T> {
  const { group = '', version, plural, kind, namespaced } = definition ?? {};
  for (const [field, value] of Object.entries({ version, plural, kind })) {
    if (typeof value === 'string' && value !== '') continue;
    throw new TypeError(`a resource needs a ${field}, a text that is not empty: ${JSON.stringify(definition)}`);
  }
  if (typeof group !== 'string')
    throw new TypeError(`the group of a resource must be a text: ${JSON.stringify(definition)}`);
  // A resource without it would be taken for one of the cluster, and asked for at the wrong path.
  if (typeof namespaced !== 'boolean') {
    throw new TypeError(`a resource needs namespaced: true or false: ${JSON.stringify(definition)}`);
  }
  return Object.freeze({ group, version, plural, kind, namespaced });
}

/** The `apiVersion` of a resource's objects: `v1` in the core group, `apps/v1` elsewhere. */
export function apiVersionOf(definition: Pick<ResourceCoordinates, 'group' | 'version'>): string {
  return definition.group === '' ? definition.version : `${definition.group}/${definition.version}`;
}

/** The name of a resource in messages: `pods`, `deployments.apps`. */
export function groupResourceText(resourceName: GroupResource): string {
  return qualified(resourceName.plural, resourceName.group);
}

/** The name of a kind in messages: `Pod`, `Deployment.apps`. */
export function groupKindText(kindName: GroupKind): string {
  return qualified(kindName.kind, kindName.group);
}

function qualified(name: string, group: string): string {
  return group === '' ? name : `${name}.${group}`;
}
