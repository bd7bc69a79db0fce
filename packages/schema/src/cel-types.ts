/** The types of built-in kinds as expressions of the type checker see them: those that their OpenAPI schemas declare. */

import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DYN,
  INT,
  listType,
  mapType,
  type ObjectTypes,
  objectType,
  STRING,
  TIMESTAMP,
} from '@listwatch/cel';
import { escapeFieldName, isReserved } from './crd/cel/field-name.ts';
import type { ScalarType, Schema, TypeName } from './schema.ts';
import { isScalarType, type SchemaSet } from './schema-set.ts';

/** Undefined: OpenAPI names no type, so that expressions do not see such a field. */
const SCALARS: Readonly<Record<ScalarType, CelType | undefined>> = {
  any: undefined,
  bool: BOOL,
  bytes: BYTES,
  duration: STRING,
  fieldsV1: objectType('fieldsV1'),
  float64: DOUBLE,
  int32: INT,
  int64: INT,
  intOrString: DYN,
  json: undefined,
  microTime: TIMESTAMP,
  quantity: undefined,
  rawExtension: objectType('rawExtension'),
  string: STRING,
  time: TIMESTAMP,
};

const NO_FIELDS: ReadonlyMap<string, CelType> = new Map();

/** The object types of a set of schemas, by the names of their types; structs without a name are called by their path. */
export class SchemaTypes implements ObjectTypes {
  readonly #set: SchemaSet;
  readonly #unnamed = new Map<string, Schema>();
  readonly #fields = new Map<string, ReadonlyMap<string, CelType>>();

  constructor(set: SchemaSet) {
    this.#set = set;
  }

  /** The type of a struct by its name. Its schema is loaded. */
  type(name: TypeName): CelType {
    return objectType(name);
  }

  fields(name: string): ReadonlyMap<string, CelType> | undefined {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    if (name === 'fieldsV1' || name === 'rawExtension') return NO_FIELDS;
    const schema = this.#unnamed.get(name) ?? (this.#set.has(name) ? this.#set.get(name) : undefined);
    if (schema === undefined) return undefined;
    const resolved = this.#set.resolve(schema);
    if (!('fields' in resolved)) return undefined;
    const fields = new Map<string, CelType>();
    for (const [field, part] of Object.entries(resolved.fields)) {
      const identifier = escapeFieldName(field);
      const type = this.#type(part, `${name}.${field}`);
      if (identifier === undefined || type === undefined) continue;
      fields.set(identifier, type);
      if (isReserved(field)) fields.set(field, type);
    }
    this.#fields.set(name, fields);
    return fields;
  }

  #type(schema: Schema, path: string): CelType | undefined {
    const named = typeof schema === 'string' ? schema : 'type' in schema ? schema.type : undefined;
    const resolved = this.#set.resolve(schema);
    if ('list' in resolved) {
      const item = this.#type(resolved.list, `${path}.@idx`);
      return item && listType(item);
    }
    if ('map' in resolved) {
      const value = this.#type(resolved.map, `${path}.@elem`);
      return value && mapType(STRING, value);
    }
    if ('fields' in resolved) {
      // A schema of a definition is in JSON one of several things.
      if (resolved.form !== undefined) return undefined;
      if (named !== undefined && !isScalarType(named)) return objectType(named);
      this.#unnamed.set(path, schema);
      return objectType(path);
    }
    return SCALARS[resolved.type];
  }
}
