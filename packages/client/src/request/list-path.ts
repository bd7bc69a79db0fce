/** The path of a collection, with its options. */

import {
  type FieldSelector,
  type LabelSelector,
  type ListOptions,
  parseFieldSelector,
  parseLabelSelector,
  printListOptions,
  type Resource,
  resourcePath,
} from '@listwatch/api';

/** Throws a TypeError for a bad selector or a namespace that the resource does not have, a RangeError for a bad number. */
export function listPath(resource: Resource, query: ListOptions & { readonly namespace?: string | undefined }): string {
  checkSelector('labelSelector', query.labelSelector, parseLabelSelector);
  checkSelector('fieldSelector', query.fieldSelector, parseFieldSelector);
  return withQuery(resourcePath(resource, { namespace: query.namespace }), printListOptions(query));
}

/** Without it a bad selector comes back as a 400 of the server, or never: an informer keeps trying. */
export function checkSelector(
  name: string,
  selector: FieldSelector | LabelSelector | string | undefined,
  parse: (text: string) => unknown,
): void {
  if (selector === undefined) return;
  const text = String(selector);
  try {
    parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`${name} ${JSON.stringify(text)}: ${why}`, { cause });
  }
}

/** Joins a path and a query string, if there is one. */
export function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}
