/** Whether the selectors of a request can be matched here exactly as the upstream matches them. */

import { firstValue, PARAM, parseFieldSelector, parseLabelSelector, type Query } from '@listwatch/api';
import { KNOWN_KINDS } from '@listwatch/server/read';
import type { RelayedKind } from '../kinds/relayed-kind.ts';

/** Longer selectors are passed on: the upstream says what it takes. */
const MAX_CHARACTERS = 16_384;
/** Every release selects by these. */
const COMMON_FIELDS: ReadonlySet<string> = new Set(['metadata.name', 'metadata.namespace']);

/** Other fields are known only where the upstream is of the same release: another one may refuse them, or know more. */
export function isKnownSelection(query: Query, kind: RelayedKind, isSameRelease: boolean): boolean {
  const labels = firstValue(query, PARAM.labelSelector) ?? '';
  const fields = firstValue(query, PARAM.fieldSelector) ?? '';
  if (labels === '' && fields === '') return true;
  if (labels.length + fields.length > MAX_CHARACTERS) return false;
  try {
    parseLabelSelector(labels);
    // Those of a custom kind are named by its definition, whatever the release.
    const known = isSameRelease || kind.custom !== undefined ? fieldsOf(kind) : [];
    return parseFieldSelector(fields).terms.every(({ field }) => isCommon(field, kind) || known.includes(field));
  } catch {
    return false;
  }
}

function isCommon(field: string, { resource }: RelayedKind): boolean {
  return COMMON_FIELDS.has(field) && (resource.namespaced || field === 'metadata.name');
}

function fieldsOf({ definition, custom }: RelayedKind): readonly string[] {
  if (custom !== undefined) return definition.data.selectableFields;
  return KNOWN_KINDS.find((known) => known === definition)?.data.selectableFields ?? [];
}
