/** What the server checks of a value, as sentences for a comment. */

import { isRecord } from '@listwatch/api/values';
import type { StructuralSchema } from './schema-place.ts';

/** One line each. */
export function constraintsOf(schema: StructuralSchema): readonly string[] {
  const { default: value, pattern, format, multipleOf } = schema;
  return [
    ...(value === undefined ? [] : [`Default: \`${JSON.stringify(value)}\`.`]),
    ...range(schema, 'minimum', 'maximum', ''),
    ...range(schema, 'minLength', 'maxLength', 'character'),
    ...range(schema, 'minItems', 'maxItems', 'item'),
    ...range(schema, 'minProperties', 'maxProperties', 'entry'),
    ...(multipleOf === undefined ? [] : [`A multiple of ${text(multipleOf)}.`]),
    ...(pattern === undefined ? [] : [`Matches \`${text(pattern)}\`.`]),
    ...(format === undefined || isWidth(format) ? [] : [`Format: ${text(format)}.`]),
    ...listText(schema),
    ...rules(schema['x-kubernetes-validations']),
  ];
}

/** The format of every other number; a reader learns nothing from it. */
function isWidth(format: unknown): boolean {
  return format === 'int32' || format === 'int64' || format === 'double' || format === 'float';
}

function range(schema: StructuralSchema, low: string, high: string, unit: string): readonly string[] {
  const { [low]: least, [high]: most } = schema;
  const from = schema['exclusiveMinimum'] === true && low === 'minimum' ? 'More than' : 'At least';
  const to = schema['exclusiveMaximum'] === true && high === 'maximum' ? 'Less than' : 'At most';
  return [
    ...(least === undefined ? [] : [`${from} ${count(least, unit)}.`]),
    ...(most === undefined ? [] : [`${to} ${count(most, unit)}.`]),
  ];
}

function count(value: unknown, unit: string): string {
  if (unit === '') return text(value);
  const several = unit === 'entry' ? 'entries' : `${unit}s`;
  return `${text(value)} ${value === 1 ? unit : several}`;
}

function listText(schema: StructuralSchema): readonly string[] {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (Array.isArray(keys)) return [`Items differ in ${keys.map(String).join(', ')}.`];
  return schema['x-kubernetes-list-type'] === 'set' ? ['No item twice.'] : [];
}

function rules(validations: unknown): readonly string[] {
  if (!Array.isArray(validations)) return [];
  return validations.filter(isRecord).map(({ rule, message }) => {
    const line = `Rule: \`${text(rule).replaceAll(/\s+/gu, ' ')}\``;
    return message === undefined ? `${line}.` : `${line}: ${text(message)}`;
  });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
