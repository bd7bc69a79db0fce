/** Validates subresources, printer columns and selectable fields. */

import { type FieldError, fieldDuplicate, fieldInvalid, fieldRequired, fieldTooMany } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import { childPath, indexPath } from '../error-path.ts';
import { recordAt, textAt } from './definition-view.ts';
import { schemaAtPath } from './schema-path.ts';

/** The faults of `subresources`. */
export function subresourceProblems(subresources: JsonRecord | undefined, path: string): readonly FieldError[] {
  const scale = subresources === undefined ? undefined : recordAt(subresources, 'scale');
  if (scale === undefined) return [];
  return [
    ...scalePathProblems(scale, 'specReplicasPath', path, ['.spec.']),
    ...scalePathProblems(scale, 'statusReplicasPath', path, ['.status.']),
    ...(textAt(scale, 'labelSelectorPath') === ''
      ? []
      : scalePathProblems(scale, 'labelSelectorPath', path, ['.spec.', '.status.'])),
  ];
}

function scalePathProblems(
  scale: JsonRecord,
  name: string,
  path: string,
  prefixes: readonly string[],
): readonly FieldError[] {
  const field = childPath(path, `scale.${name}`);
  const text = textAt(scale, name);
  if (text === '') return [fieldRequired(field)];
  if (!text.startsWith('.')) return [fieldInvalid(field, text, SIMPLE_PATH)];
  if (prefixes.some((prefix) => text.startsWith(prefix))) return [];
  const place = prefixes.length === 1 ? (prefixes[0] ?? '').slice(0, -1) : 'either .spec or .status';
  return [fieldInvalid(field, text, `should be a json path under ${place}`)];
}

const SIMPLE_PATH = 'must be a simple json path starting with .';
const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** The faults of `additionalPrinterColumns`. */
export function columnProblems(columns: readonly JsonRecord[], path: string): readonly FieldError[] {
  return columns.flatMap((column, index) => problemsOfColumn(column, indexPath(path, index)));
}

function problemsOfColumn(column: JsonRecord, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = textAt(column, 'type');
  const format = textAt(column, 'format');
  const jsonPath = textAt(column, 'jsonPath');
  if (textAt(column, 'name') === '') errors.push(fieldRequired(childPath(path, 'name')));
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  if (type === '') errors.push(fieldRequired(childPath(path, 'type'), types));
  else if (!COLUMN_TYPES.includes(type)) errors.push(fieldInvalid(childPath(path, 'type'), type, types));
  if (format !== '' && !COLUMN_FORMATS.includes(format)) {
    errors.push(fieldInvalid(childPath(path, 'format'), format, `must be one of ${COLUMN_FORMATS.join(',')}`));
  }
  const pathField = childPath(path, 'JSONPath');
  if (jsonPath === '') errors.push(fieldRequired(pathField));
  else if (!jsonPath.startsWith('.')) errors.push(fieldInvalid(pathField, jsonPath, SIMPLE_PATH));
  return errors;
}

const SELECTABLE_MAX = 8;

/** The faults of `selectableFields`. `allowsMany`: the stored definition has more than eight. */
export function selectableFieldProblems(
  fields: readonly JsonRecord[],
  schema: JsonRecord,
  path: string,
  allowsMany: boolean,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, one] of fields.entries()) {
    const field = childPath(indexPath(path, index), 'jsonPath');
    const jsonPath = textAt(one, 'jsonPath');
    if (jsonPath === '') {
      errors.push(fieldRequired(field));
      continue;
    }
    const found = schemaAtPath(schema, jsonPath, { allowsBrackets: false });
    if ('problem' in found) {
      errors.push(fieldInvalid(field, jsonPath, `is an invalid path: ${found.problem}`));
      continue;
    }
    if (found.root === 'metadata') errors.push(fieldInvalid(field, jsonPath, 'must not point to fields in metadata'));
    if (!['string', 'boolean', 'integer'].includes(textAt(found.schema ?? {}, 'type'))) {
      errors.push(fieldInvalid(field, jsonPath, SELECTABLE_TYPES));
    }
    if (seen.has(found.path)) errors.push(fieldDuplicate(field, jsonPath));
    seen.add(found.path);
  }
  if (seen.size > SELECTABLE_MAX && !allowsMany) errors.push(fieldTooMany(path, seen.size, SELECTABLE_MAX));
  return errors;
}

const SELECTABLE_TYPES =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
