/** Which fields a selector may name, kind by kind. */

import { NAME_FIELD, NAMESPACE_FIELD, unknownField, unsupportedField } from '@listwatch/api';
import type { KindDefinition } from './kind-definition.ts';

type ResolveField = KindDefinition['resolveField'];

/** A kind without fields of its own: its name and its namespace only. */
export const metadataFields: ResolveField = (field, value) => {
  if (field !== NAME_FIELD && field !== NAMESPACE_FIELD) throw unknownField(field);
  return { field, value };
};

/** A kind with a list of its own: exactly these fields, and the old names of some of them. */
export function listedFields(fields: readonly string[], aliases: Readonly<Record<string, string>> = {}): ResolveField {
  const known = new Set(fields);
  const renamed = new Map(Object.entries(aliases));
  return (asked, value) => {
    const field = renamed.get(asked) ?? asked;
    if (!known.has(field)) throw unsupportedField(asked);
    return { field, value };
  };
}
