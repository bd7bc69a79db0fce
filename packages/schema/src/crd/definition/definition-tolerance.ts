/** The faults of a stored definition: an update may keep them. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { pruneValue } from '../object/prune-value.ts';
import { partOf } from '../schema-part.ts';
import { allSchemas } from '../schema-walk.ts';
import { definitionView, textAt, versionSchema } from './definition-view.ts';
import { isLooseSet, itemProblems } from './list-type-problems.ts';
import type { SchemaTolerance } from './schema-problems.ts';
import { structuralProblems } from './structural-problems.ts';

/** The old faults that an update may keep. */
export interface DefinitionTolerance extends SchemaTolerance {
  readonly allowsNoSchema: boolean;
  readonly allowsNonStructural: boolean;
  readonly allowsUnknownDefaults: boolean;
  /** The versions with more than eight selectable fields; `''` for fields that all versions share. */
  readonly manyFields: ReadonlySet<string>;
}

/** Nothing: a new definition is validated so. */
export const STRICT: DefinitionTolerance = {
  allowsAnyType: false,
  allowsAnySet: false,
  allowsAnyKeys: false,
  allowsNoSchema: false,
  allowsNonStructural: false,
  allowsUnknownDefaults: false,
  manyFields: new Set(),
};

const TYPES = new Set(['', 'array', 'boolean', 'integer', 'number', 'object', 'string']);
const SELECTABLE_MAX = 8;

/** The faults of a definition. */
export function definitionTolerance(definition: JsonRecord): DefinitionTolerance {
  const view = definitionView(definition);
  const schemas = view.versions.map((version) => versionSchema(view, version));
  const given = [...new Set(schemas.filter(isRecord))];
  let allowsNonStructural = false;
  for (const schema of given) {
    allowsNonStructural ||= structuralProblems(schema, '').length > 0;
  }
  const has = (test: (schema: JsonRecord) => boolean): boolean =>
    given.some((schema) => [...allSchemas(schema)].some(test));
  const many = [['', view.common] as const, ...view.versions.map((version) => [version.name, version] as const)];
  return {
    allowsAnyType: has((schema) => !TYPES.has(textAt(schema, 'type'))),
    allowsAnySet: has(isLooseSet),
    allowsAnyKeys: has((schema) => itemProblems(schema, '').length > 0),
    allowsNoSchema: schemas.some((schema) => schema === undefined),
    allowsNonStructural,
    allowsUnknownDefaults: !allowsNonStructural && has(hasUnknownDefault),
    manyFields: new Set(
      many.filter(([, { selectableFields }]) => selectableFields.length > SELECTABLE_MAX).map(([name]) => name),
    ),
  };
}

function hasUnknownDefault(schema: JsonRecord): boolean {
  const part = partOf(schema);
  return part.default !== undefined && pruneValue(part.default, part, part.isEmbedded) !== part.default;
}
