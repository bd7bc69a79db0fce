/** The types that a structural schema declares to expressions, with the sizes that estimates of cost need. */
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  objectType,
  STRING,
  TIMESTAMP,
} from '../types/cel-type.ts';
import { type StructuralSchema, valuesSchema, withObjectMetadata } from './declared-schema.ts';
import { escapeFieldName } from './field-name.ts';

/** A request can have this many bytes: nothing in it is larger. */
export const MAX_REQUEST_BYTES: number = 3 * 1024 * 1024;

const DATE_SIZE = 12;
const TIME_SIZE_MIN = 21;
const TIME_SIZE_MAX = 32;
const DURATION_SIZE_MIN = 3;
const DURATION_SIZE_MAX = 32;
const TEXT_MAX = MAX_REQUEST_BYTES - 2;

/** A type of a schema. */
export interface DeclaredType {
  readonly type: CelType;
  /** Fields by their identifiers, of an object. */
  readonly fields?: ReadonlyMap<string, DeclaredType>;
  /** What a list or map has in it. */
  readonly element?: DeclaredType;
  readonly isMap?: boolean;
  /** The largest number of characters, items or entries. */
  readonly maxElements: number;
  /** The least number of bytes as JSON. */
  readonly minSize: number;
}

/**
 * The type of a schema, whose object types are called `name`, `name.field`, `name.@idx` and `name.@elem`. `undefined` when
 * expressions cannot see such values. `isRoot`: it is the schema of a whole object.
 */
export function declaredType(schema: StructuralSchema, name: string, isRoot: boolean): DeclaredType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) {
    return { type: DYN, maxElements: schema.maxLength === undefined ? TEXT_MAX : fourBytes(schema), minSize: 1 };
  }
  switch (schema.type ?? '') {
    case 'array':
      return declaredList(schema, name);
    case 'object':
      return declaredObject(schema, name, isRoot);
    case 'string':
      return declaredText(schema);
    case 'boolean':
      return { type: BOOL, maxElements: 0, minSize: 4 };
    case 'number':
      return { type: DOUBLE, maxElements: 0, minSize: 1 };
    case 'integer':
      return { type: INT, maxElements: 0, minSize: 1 };
    default:
      return undefined;
  }
}

/** A value with this type can be this often in a request. */
export function maxCardinality(declared: DeclaredType): number {
  return Math.floor(MAX_REQUEST_BYTES / (declared.minSize + 1));
}

/** The fields of every object type within a type, by its name. */
export function objectFields(declared: DeclaredType): Map<string, ReadonlyMap<string, CelType>> {
  const found = new Map<string, ReadonlyMap<string, CelType>>();
  const visit = (one: DeclaredType): void => {
    if (one.fields !== undefined) {
      found.set(one.type.name, new Map([...one.fields].map(([field, type]) => [field, type.type])));
      for (const field of one.fields.values()) visit(field);
    }
    if (one.element !== undefined) visit(one.element);
  };
  visit(declared);
  return found;
}

function declaredList(schema: StructuralSchema, name: string): DeclaredType | undefined {
  if (schema.items === undefined) return undefined;
  const element = declaredType(schema.items, `${name}.@idx`, schema.items['x-kubernetes-embedded-resource'] === true);
  if (element === undefined) return undefined;
  const maxElements = limit(schema.maxItems) ?? Math.floor((MAX_REQUEST_BYTES - 2) / (element.minSize + 1));
  return { type: listType(element.type), element, maxElements, minSize: 2 };
}

function declaredObject(schema: StructuralSchema, name: string, isRoot: boolean): DeclaredType | undefined {
  const values = valuesSchema(schema);
  if (values !== undefined) return declaredMap(schema, values, name);
  const { properties = {}, required = [] } = isRoot ? withObjectMetadata(schema) : schema;
  const fields = new Map<string, DeclaredType>();
  let minSize = 2;
  for (const [field, part] of Object.entries(properties)) {
    const identifier = escapeFieldName(field);
    const declared = declaredType(
      part,
      `${name}.${identifier ?? field}`,
      part['x-kubernetes-embedded-resource'] === true,
    );
    if (declared === undefined) continue;
    if (identifier !== undefined) fields.set(identifier, declared);
    if (required.includes(field) && part.default === undefined) minSize += byteLength(field) + declared.minSize + 4;
  }
  return { type: objectType(name), fields, maxElements: 0, minSize };
}

function declaredMap(schema: StructuralSchema, values: StructuralSchema, name: string): DeclaredType | undefined {
  const element = declaredType(values, `${name}.@elem`, values['x-kubernetes-embedded-resource'] === true);
  if (element === undefined) return undefined;
  const maxElements = limit(schema.maxProperties) ?? Math.floor((MAX_REQUEST_BYTES - 2) / (element.minSize + 6));
  return { type: mapType(STRING, element.type), element, isMap: true, maxElements, minSize: 2 };
}

function declaredText(schema: StructuralSchema): DeclaredType {
  switch (schema.format ?? '') {
    case 'byte':
      return { type: BYTES, maxElements: limit(schema.maxLength) ?? TEXT_MAX, minSize: 2 };
    case 'duration':
      return { type: DURATION, maxElements: DURATION_SIZE_MAX, minSize: DURATION_SIZE_MIN };
    case 'date':
      return { type: TIMESTAMP, maxElements: DATE_SIZE, minSize: DATE_SIZE };
    case 'date-time':
      return { type: TIMESTAMP, maxElements: TIME_SIZE_MAX, minSize: TIME_SIZE_MIN };
    default:
      return { type: STRING, maxElements: maxText(schema), minSize: 2 };
  }
}

function maxText(schema: StructuralSchema): number {
  if (schema.maxLength !== undefined) return fourBytes(schema);
  if (schema.enum === undefined || schema.enum.length === 0) return TEXT_MAX;
  return Math.max(0, ...schema.enum.map((value) => (typeof value === 'string' ? byteLength(value) : 0)));
}

/** maxLength counts code points, of up to four bytes. */
function fourBytes(schema: StructuralSchema): number {
  return (limit(schema.maxLength) ?? 0) * 4;
}

function limit(value: bigint | number | undefined): number | undefined {
  return value === undefined ? undefined : Math.max(0, Number(value));
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
