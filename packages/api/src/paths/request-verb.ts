/** The verb of a request: what a method on a path asks of a resource. */
import type { ResourceRequestPath } from './request-path.ts';

/** The verbs of the API, as authorization knows them. */
export type RequestVerb =
  | 'create'
  | 'delete'
  | 'deletecollection'
  | 'get'
  | 'list'
  | 'patch'
  | 'proxy'
  | 'update'
  | 'watch';

type Verbs = readonly [onObject: RequestVerb, onCollection: RequestVerb];

const VERBS: Readonly<Record<string, Verbs>> = {
  DELETE: ['delete', 'deletecollection'],
  GET: ['get', 'list'],
  HEAD: ['get', 'list'],
  PATCH: ['patch', 'patch'],
  POST: ['create', 'create'],
  PUT: ['update', 'update'],
};

/**
 * The verb of a request; `undefined` for a method that has none. `watch` is the query's own parameter and counts for
 * collections only: a GET of one object with `watch=true` is a plain get.
 */
export function requestVerb(method: string, path: ResourceRequestPath, watch: boolean): RequestVerb | undefined {
  if (path.prefix !== undefined) return path.prefix;
  const verb = Object.hasOwn(VERBS, method) ? VERBS[method]?.[path.name === '' ? 1 : 0] : undefined;
  return verb === 'list' && watch ? 'watch' : verb;
}
