/** Which fields a selector may name, kind by kind. */

import { NAME_FIELD, NAMESPACE_FIELD, unknownField, unsupportedField } from '@listwatch/api';
import type { KindDefinition } from './kind-definition.ts';

type ResolveField = KindDefinition['resolveField'];

/** For a kind without its own fields: only the name and the namespace. */
export const metadataFields: ResolveField = (field, value) => {
  if (field !== NAME_FIELD && field !== NAMESPACE_FIELD) throw unknownField(field);
  return { field, value };
};

/** For a kind with its own list: exactly these fields, and old names of some of them. */
export function listedFields(fields: readonly string[], aliases: Readonly<Record<string, string>> = {}): ResolveField {
  const known = new Set(fields);
  const renamed = new Map(Object.entries(aliases));
  return (asked, value) => {
    const field = renamed.get(asked) ?? asked;
    if (!known.has(field)) throw unsupportedField(asked);
    return { field, value };
  };
}
