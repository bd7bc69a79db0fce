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
} from '@listwatch/cel';
import { memoOf } from '../json-memo.ts';
import { type DeclaredSchema, valuesSchema, withObjectMetadata } from './declared-schema.ts';
import { escapeFieldName } from './field-name.ts';

/** A request can have this many bytes: nothing in it is larger. */
export const MAX_REQUEST_BYTES: number = 3 * 1024 * 1024;

const DATE_SIZE = 12;
const TIME_SIZE_MIN = 21;
const TIME_SIZE_MAX = 32;
const DURATION_SIZE_MIN = 3;
const DURATION_SIZE_MAX = 32;
const TEXT_MAX = MAX_REQUEST_BYTES - 2;

/** A type of a schema. Fields of an object are read on first use: rules at each level of a schema would read all below them. */
export interface DeclaredType {
  readonly type: CelType;
  /** Fields by their identifiers, of an object. Read at the first look. */
  readonly fields?: ReadonlyMap<string, DeclaredType>;
  /** The type of the items of a list or map. */
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
export function declaredType(schema: DeclaredSchema, name: string, isRoot: boolean): DeclaredType | undefined {
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

function declaredList(schema: DeclaredSchema, name: string): DeclaredType | undefined {
  if (schema.items === undefined) return undefined;
  const element = declaredType(schema.items, `${name}.@idx`, isEmbedded(schema.items));
  if (element === undefined) return undefined;
  const maxElements = limit(schema.maxItems) ?? Math.floor((MAX_REQUEST_BYTES - 2) / (element.minSize + 1));
  return { type: listType(element.type), element, maxElements, minSize: 2 };
}

function declaredObject(schema: DeclaredSchema, name: string, isRoot: boolean): DeclaredType | undefined {
  const values = valuesSchema(schema);
  if (values !== undefined) return declaredMap(schema, values, name);
  let fields: ReadonlyMap<string, DeclaredType> | undefined;
  return {
    type: objectType(name),
    get fields() {
      fields ??= declaredFields(schema, name, isRoot);
      return fields;
    },
    maxElements: 0,
    get minSize() {
      return objectSize(schema, isRoot);
    },
  };
}

function declaredFields(schema: DeclaredSchema, name: string, isRoot: boolean): ReadonlyMap<string, DeclaredType> {
  const { properties = {} } = isRoot ? withObjectMetadata(schema) : schema;
  const fields = new Map<string, DeclaredType>();
  for (const [field, part] of Object.entries(properties)) {
    const identifier = escapeFieldName(field);
    if (identifier === undefined) continue;
    const declared = declaredType(part, `${name}.${identifier}`, isEmbedded(part));
    if (declared !== undefined) fields.set(identifier, declared);
  }
  return fields;
}

function isEmbedded(schema: DeclaredSchema): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

/** The least size of an object: the size of its required fields. It does not depend on the names of types: environments share it. */
function objectSize(schema: DeclaredSchema, isRoot: boolean): number {
  const memo = memoOf(schema);
  const member = isRoot ? 'rootSize' : 'size';
  let size = memo[member];
  if (size === undefined) {
    const { properties = {}, required = [] } = isRoot ? withObjectMetadata(schema) : schema;
    size = 2;
    for (const field of new Set(required)) {
      const part = Object.hasOwn(properties, field) ? properties[field] : undefined;
      if (part === undefined || part.default !== undefined) continue;
      const declared = declaredType(part, '', isEmbedded(part));
      if (declared !== undefined) size += byteLength(field) + declared.minSize + 4;
    }
    memo[member] = size;
  }
  return size;
}

function declaredMap(schema: DeclaredSchema, values: DeclaredSchema, name: string): DeclaredType | undefined {
  const element = declaredType(values, `${name}.@elem`, isEmbedded(values));
  if (element === undefined) return undefined;
  const maxElements = limit(schema.maxProperties) ?? Math.floor((MAX_REQUEST_BYTES - 2) / (element.minSize + 6));
  return { type: mapType(STRING, element.type), element, isMap: true, maxElements, minSize: 2 };
}

function declaredText(schema: DeclaredSchema): DeclaredType {
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

function maxText(schema: DeclaredSchema): number {
  if (schema.maxLength !== undefined) return fourBytes(schema);
  if (schema.enum === undefined || schema.enum.length === 0) return TEXT_MAX;
  let longest = 0;
  for (const value of schema.enum) longest = Math.max(longest, typeof value === 'string' ? byteLength(value) : 0);
  return longest;
}

/** maxLength counts code points, of up to four bytes. */
function fourBytes(schema: DeclaredSchema): number {
  return (limit(schema.maxLength) ?? 0) * 4;
}

function limit(value: bigint | number | undefined): number | undefined {
  return value === undefined ? undefined : Math.max(0, Number(value));
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
