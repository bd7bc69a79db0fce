/** The features that a schema uses anywhere: checks for the other features are skipped. */

import type { JsonRecord } from '@listwatch/api/values';
import { memoOf } from './json-memo.ts';
import { allSchemas } from './schema-walk.ts';

/** The features of a schema and of all schemas within it. */
export interface SchemaTraits {
  readonly hasDefaults: boolean;
  readonly hasEmbedded: boolean;
  /** Sets, or lists with keys. */
  readonly hasUniqueLists: boolean;
}

/** The traits of a schema; found out once. */
export function traitsOf(schema: JsonRecord): SchemaTraits {
  const memo = memoOf(schema);
  memo.traits ??= findTraits(schema);
  return memo.traits;
}

function findTraits(schema: JsonRecord): SchemaTraits {
  const found = { hasDefaults: false, hasEmbedded: false, hasUniqueLists: false };
  for (const one of allSchemas(schema)) {
    if (one['default'] !== undefined && one['default'] !== null) found.hasDefaults = true;
    if (one['x-kubernetes-embedded-resource'] === true) found.hasEmbedded = true;
    const listType = one['x-kubernetes-list-type'];
    if (listType === 'set' || listType === 'map') found.hasUniqueLists = true;
  }
  return found;
}
