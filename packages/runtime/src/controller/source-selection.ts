/** Which objects a cache can have. */

import { type ApiObject, NAME_FIELD, NAMESPACE_FIELD, parseFieldSelector, parseLabelSelector } from '@listwatch/api';
import type { SourceSelection } from './controller-options.ts';

/** Says whether an object is, or may be, in a cache of this selection. Only fields of the server's choice remain unknown. */
export function selectionTest<T extends ApiObject>(selection: SourceSelection<T>): (object: ApiObject) => boolean {
  const { namespace, namespaces = namespace === undefined ? undefined : [namespace] } = selection;
  const labels = parseLabelSelector(String(selection.labelSelector ?? ''));
  const fields = parseFieldSelector(String(selection.fieldSelector ?? ''));
  const isKnown = fields.terms.every(({ field }) => field === NAME_FIELD || field === NAMESPACE_FIELD);
  return ({ metadata }) =>
    (namespaces === undefined || namespaces.includes(metadata.namespace ?? '')) &&
    labels.matches(metadata.labels) &&
    (!isKnown || fields.matches({ [NAME_FIELD]: metadata.name, [NAMESPACE_FIELD]: metadata.namespace }));
}
