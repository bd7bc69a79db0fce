/** Finds what answers a request for a custom kind, and refuses as kube-apiserver does for them. */

import { genericFailure, methodNotAllowed, notFound, type ResourceRequestPath } from '@listwatch/api';
import type { ApiRequest } from '../contract/api-request.ts';
import { CUSTOM_VERBS } from '../kinds/crd/custom-versions.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';

/** Where a request for a custom kind goes. */
export type CustomTarget = 'object' | 'scale';

/** Verbs over all namespaces. */
const ACROSS: ReadonlySet<string> = new Set(['list', 'watch']);
const PART_VERBS: readonly string[] = ['get', 'patch', 'update'];

/**
 * What a request is about; undefined when no such path is served. Throws the 404 for a subresource that the version does not
 * have, and the 405 for a verb that cannot be used there.
 */
export function customTarget(
  definition: ResourceDefinition,
  request: ApiRequest,
  path: ResourceRequestPath,
): CustomTarget | undefined {
  const { resource, subresources, custom } = definition;
  const { verb, method } = request.route;
  const { belowNamespace, name, subresource, prefix } = path;
  if (prefix === 'proxy') return undefined;
  if (resource.namespaced ? !belowNamespace && !ACROSS.has(verb) : belowNamespace) return undefined;
  // A stream that nobody reads would hold a watch.
  if (method === 'HEAD' && verb === 'watch') throw genericFailure(405);
  const isScale = subresource === 'scale' && custom?.scale !== undefined;
  if (subresource !== '' && !isScale && !Object.hasOwn(subresources, subresource)) throw notFound(resource, name);
  const verbs = subresource === '' ? CUSTOM_VERBS : PART_VERBS;
  if (!verbs.includes(verb)) throw methodNotAllowed(resource, verb);
  return isScale ? 'scale' : 'object';
}
