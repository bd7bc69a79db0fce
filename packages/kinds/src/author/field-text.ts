/** The types of the fields of a CRD, with what the server checks as comments. */

import { isRecord } from '@listwatch/api/values';
import { constraintsOf } from './schema-constraints.ts';
import type { StructuralSchema } from './schema-place.ts';

/** Deeper than any real schema: a hostile one must not overflow the stack. */
const MAX_DEPTH = 100;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/u;

/** `read`: as the server answers, with every default filled in. `new`: as an author writes it. */
export type ObjectForm = 'new' | 'read';

/** Where a type stands, and in which form. */
export interface TypePlace {
  readonly depth: number;
  readonly form: ObjectForm;
}

/** `?`, unless the field is always there. What has a default is always read, and need not be written. */
export function optionalMark(field: StructuralSchema, isRequired: boolean, form: ObjectForm): string {
  const hasDefault = field['default'] !== undefined;
  return (form === 'read' ? isRequired || hasDefault : isRequired && !hasDefault) ? '' : '?';
}

/** Is there a default in it, however deep? */
export function hasDefaults(schema: StructuralSchema, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  const { properties, additionalProperties, items } = schema;
  const parts = [...Object.values(record(properties)), additionalProperties, items].filter(isRecord);
  return parts.some((part) => part['default'] !== undefined || hasDefaults(part, depth + 1));
}

export function fieldLines(schema: StructuralSchema, place: TypePlace): readonly string[] {
  const { depth, form } = place;
  const required = list(schema['required']);
  const lines = Object.entries(record(schema['properties'])).map(([name, field]) => {
    const part = record(field);
    const optional = optionalMark(part, required.includes(name), form);
    return `${comment(part, depth)}${indent(depth)}readonly ${property(name)}${optional}: ${typeText(part, place)};`;
  });
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return open ? [...lines, `${indent(depth)}readonly [field: string]: unknown;`] : lines;
}

export function typeText(schema: StructuralSchema, place: TypePlace): string {
  const text = plainType(schema, place);
  return schema['nullable'] === true ? `${text} | null` : text;
}

function plainType(schema: StructuralSchema, place: TypePlace): string {
  if (place.depth > MAX_DEPTH) return 'unknown';
  if (schema['x-kubernetes-int-or-string'] === true) return 'number | string';
  const values = schema['enum'];
  if (Array.isArray(values) && values.length > 0) return values.map(literal).join(' | ');
  switch (schema['type']) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const item = typeText(record(schema['items']), place);
      return /^(?:[\w.]+|\{.*\})$/su.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`;
    }
    case 'object':
      return objectType(schema, place);
    default:
      return 'unknown';
  }
}

function objectType(schema: StructuralSchema, place: TypePlace): string {
  const { depth } = place;
  const { properties, additionalProperties } = schema;
  if (schema['x-kubernetes-embedded-resource'] === true) return 'ApiObject';
  if (isRecord(properties) && Object.keys(properties).length > 0) {
    return ['{', ...fieldLines(schema, { ...place, depth: depth + 1 }), `${indent(depth)}}`].join('\n');
  }
  const value = isRecord(additionalProperties) ? typeText(additionalProperties, place) : 'unknown';
  return `Readonly<Record<string, ${value}>>`;
}

export function comment(schema: StructuralSchema, depth: number): string {
  const { description } = schema;
  const lines = [...(typeof description === 'string' ? [description] : []), ...constraintsOf(schema)]
    .flatMap((text) => text.split('\n'))
    // A text that ends the comment would be read as code.
    .map((line) => line.replaceAll('*/', '*\\/').replaceAll('\r', '').trimEnd());
  if (lines.length === 0) return '';
  const [only = ''] = lines;
  if (lines.length === 1) return `${indent(depth)}/** ${only} */\n`;
  return `${[`${indent(depth)}/**`, ...lines.map((line) => `${indent(depth)} * ${line}`.trimEnd()), `${indent(depth)} */`].join('\n')}\n`;
}

export function property(name: string): string {
  return IDENTIFIER.test(name) ? name : literal(name);
}

export function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);
}

function indent(depth: number): string {
  return '  '.repeat(depth);
}

export function record(value: unknown): StructuralSchema {
  return isRecord(value) ? value : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
