/** The scope of a list or a watch, from its path and its selectors. */

import { nameSelectorMismatch, type ParsedListOptions } from '@listwatch/api';
import type { WatchScope } from '../cache/watch-scope.ts';
import type { ReadCall } from '../contract/verb.ts';

/**
 * The scope of a call. Throws the 400 `StatusError` for a field that the kind does not have, and for a field selector that
 * contradicts the name in the path.
 */
export function readScope({ definition, path }: ReadCall, options: ParsedListOptions): WatchScope {
  const fields = options.fieldSelector.transform((term) => ({
    ...term,
    ...definition.resolveField(term.field, term.value),
  }));
  const namespace = definition.resource.namespaced ? path.namespace : '';
  const pinned = fields.name;
  if (path.name !== '' && !fields.isEmpty && pinned !== path.name) throw nameSelectorMismatch();
  return { namespace, name: path.name === '' ? (pinned ?? '') : path.name, labels: options.labelSelector, fields };
}
