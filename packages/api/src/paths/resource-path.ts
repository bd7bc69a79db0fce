/** The paths of a resource: its collection, one namespace of it, one object, one subresource. */
import { checkPathSegment } from '../names/name-syntax.ts';
import type { ResourceCoordinates } from '../objects/resource.ts';

/** Which path of a resource. Nothing at all: the collection in the whole cluster. */
export interface ResourceTarget {
  /** Absent or `''`: every namespace. Never for a resource of the cluster. */
  readonly namespace?: string | undefined;
  /** Absent: the collection. */
  readonly name?: string | undefined;
  /** Such as `status`; needs a name. */
  readonly subresource?: string | undefined;
}

/** The path under which a group and version live: `/api/v1`, `/apis/apps/v1`. */
export function groupVersionPath({ group, version }: Pick<ResourceCoordinates, 'group' | 'version'>): string {
  return group === ''
    ? `/api/${encodeURIComponent(version)}`
    : `/apis/${[group, version].map(encodeURIComponent).join('/')}`;
}

/**
 * The path of a resource, percent-encoded. Throws a TypeError for what no path can say: a namespaced object without its
 * namespace, a namespace for a resource of the cluster, a name that is not a path segment.
 *
 * @example
 * resourcePath(pods, { namespace: 'a', name: 'x', subresource: 'status' }); // /api/v1/namespaces/a/pods/x/status
 */
export function resourcePath(resource: ResourceCoordinates, target: ResourceTarget = {}): string {
  const { namespace = '', name, subresource } = target;
  if (namespace !== '' && !resource.namespaced)
    throw new TypeError(`${resource.plural} have no namespace, not even ${namespace}`);
  if (name !== undefined && namespace === '' && resource.namespaced) {
    throw new TypeError(`${resource.plural} ${name} needs a namespace`);
  }
  if (subresource !== undefined && name === undefined)
    throw new TypeError(`${subresource} needs the name of one of ${resource.plural}`);
  const segments = [
    ...(namespace === '' ? [] : ['namespaces', segment(namespace, 'namespace')]),
    resource.plural,
    ...(name === undefined ? [] : [segment(name, 'name')]),
    // Some subresources go on after a slash of their own: `proxy/healthz`.
    ...(subresource === undefined ? [] : subresource.split('/').map((part) => segment(part, 'subresource'))),
  ];
  return `${groupVersionPath(resource)}/${segments.map(encodeURIComponent).join('/')}`;
}

function segment(text: string, what: string): string {
  const complaints = text === '' ? ['may not be empty'] : checkPathSegment(text);
  if (complaints.length > 0) throw new TypeError(`${what} ${JSON.stringify(text)} ${complaints.join(', ')}`);
  return text;
}
