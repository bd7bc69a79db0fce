/** The path of a collection, with its options. */

import { type ListOptions, printListOptions, type Resource, resourcePath } from '@listwatch/api';

/** Throws a TypeError for a namespace where there is none, a RangeError for a number that is none. */
export function listPath(resource: Resource, query: ListOptions & { readonly namespace?: string | undefined }): string {
  return withQuery(resourcePath(resource, { namespace: query.namespace }), printListOptions(query));
}

/** Joins a path and a query string, if there is one. */
export function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}
