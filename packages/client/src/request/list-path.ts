/** The path of a collection, with its options. */

import { type ListOptions, printListOptions, type Resource, resourcePath } from '@listwatch/api';
import { checkSelectors } from '@listwatch/api/internal/selector-check';

/** Throws a TypeError for a bad selector (on Node) or a namespace that the resource does not have, a RangeError for a bad number. */
export function listPath(resource: Resource, query: ListOptions & { readonly namespace?: string | undefined }): string {
  checkSelectors(query);
  return withQuery(resourcePath(resource, { namespace: query.namespace }), printListOptions(query));
}

/** Joins a path and a query string, if there is one. */
export function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}
