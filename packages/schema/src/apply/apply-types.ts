/** Turns schemas into types of apply, each once. */

import { EMPTY_SCALARS } from '../openapi/openapi-scalars.ts';
import type {
  Field,
  ListSchema,
  MapSchema,
  NamedSchema,
  ResolvedSchema,
  ScalarType,
  Schema,
  SchemaNode,
  StructSchema,
} from '../schema.ts';
import { isScalarType, type SchemaSet, schemaNode } from '../schema-set.ts';
import { DEDUCED, NO_FIELDS, UNTYPED } from './any-type.ts';
import type { ApplyField, ApplyFields, ApplyList, ApplyMap, ApplyType } from './apply-type.ts';
import { hasNoMembers } from './typed/members.ts';

/**
 * The types of apply of a set of schemas, made when they are first needed and then shared.
 *
 * @example
 * new ApplyTypes(schemas).type('apps/v1.Deployment');
 */
export class ApplyTypes {
  readonly #set: SchemaSet;
  readonly #named = new Map<string, ApplyType>();
  readonly #nodes = new WeakMap<SchemaNode, ApplyType>();

  constructor(set: SchemaSet) {
    this.#set = set;
  }

  /** Throws a RangeError for an unknown type. */
  type(schema: Schema): ApplyType {
    if (typeof schema === 'string') return this.#typeOf(schema, CUSTOM);
    const known = this.#nodes.get(schema);
    if (known !== undefined) return known;
    const type = this.#typeOf(schema, CUSTOM);
    this.#nodes.set(schema, type);
    return type;
  }

  #typeOf(schema: Schema, place: Place): ApplyType {
    const node = schemaNode(schema);
    return 'type' in node && !isScalarType(node.type) ? this.#namedType(node, place) : this.#make(node, place);
  }

  #namedType(node: NamedSchema, outside: Place): ApplyType {
    // Named types of Go begin anew: they keep no unknown fields, whatever refers to them.
    const place = this.#set.packageOf(node.type)?.goPackage === undefined ? outside : BUILT_IN;
    const key = `${node.type} ${node.mapType ?? ''} ${place.keepsUnknown}`;
    const known = this.#named.get(key);
    if (known !== undefined) return known;
    const type = this.#make(node, place);
    this.#named.set(key, type);
    return type;
  }

  #make(node: SchemaNode, place: Place): ApplyType {
    const resolved = this.#set.resolve(node);
    if ('list' in resolved) return { ...NONE, list: this.#list(resolved, place) };
    if ('map' in resolved) return { ...NONE, map: this.#map(resolved, place) };
    if ('fields' in resolved) return resolved.form === undefined ? this.#struct(resolved, place) : DEDUCED;
    return scalarType(resolved);
  }

  #list({ list, listType = 'atomic', keys = [] }: ListSchema, place: Place): ApplyList {
    return {
      isAtomic: listType === 'atomic',
      item: this.#typeOf(list, place),
      keys: listType === 'map' ? keys : [],
    };
  }

  #map({ map, mapType }: MapSchema, place: Place): ApplyMap {
    const element = this.#typeOf(map, place);
    return { isAtomic: mapType === 'atomic', fields: NO_FIELDS, element, isDeduced: element.scalar === 'untyped' };
  }

  #struct({ fields, mapType, keepsUnknown }: StructSchema, outside: Place): ApplyType {
    const place = keepsUnknown === true ? { ...outside, keepsUnknown } : outside;
    const isEmpty = hasNoMembers(fields);
    const map = {
      isAtomic: mapType === 'atomic',
      fields: new LazyFields(fields, (field) => this.#field(field, place)),
      // Nothing is said of the members of an object without properties.
      element: place.keepsUnknown || isEmpty ? DEDUCED : undefined,
      isDeduced: isEmpty,
    };
    return { ...NONE, map };
  }

  #field(field: Field, place: Place): ApplyField {
    const implied = place.isBuiltIn ? this.#impliedDefault(field) : undefined;
    return new LazyField(field.default ?? implied, () => this.#typeOf(field, place));
  }

  /** What Go writes for a field that nobody has set. */
  #impliedDefault(field: Field): unknown {
    if (field.pointer === true || field.always !== true) return undefined;
    const resolved = this.#set.resolve(field);
    return 'type' in resolved ? EMPTY_SCALARS[resolved.type] : undefined;
  }
}

/** The fields of a struct, each made when it is first asked for: a custom kind may have tens of thousands. */
class LazyFields implements ApplyFields {
  readonly #sources: StructSchema['fields'];
  readonly #make: (field: Field) => ApplyField;
  readonly #made = new Map<string, ApplyField>();

  constructor(sources: StructSchema['fields'], make: (field: Field) => ApplyField) {
    this.#sources = sources;
    this.#make = make;
  }

  get(name: string): ApplyField | undefined {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const source = Object.hasOwn(this.#sources, name) ? this.#sources[name] : undefined;
    if (source === undefined) return undefined;
    const made = this.#make(source);
    this.#made.set(name, made);
    return made;
  }

  *values(): Generator<ApplyField, void, undefined> {
    for (const name of Object.keys(this.#sources)) {
      const field = this.get(name);
      if (field !== undefined) yield field;
    }
  }
}

/** A field whose type is made when it is first read: types refer to themselves, and most fields are never sent. */
class LazyField implements ApplyField {
  readonly default: unknown;
  readonly #make: () => ApplyType;
  #type: ApplyType | undefined;

  constructor(fallback: unknown, make: () => ApplyType) {
    this.default = fallback;
    this.#make = make;
  }

  get type(): ApplyType {
    this.#type ??= this.#make();
    return this.#type;
  }
}

/** Where a schema stands. */
interface Place {
  /** In a type of Go, whose fields have implied defaults. */
  readonly isBuiltIn: boolean;
  /** Below a struct that keeps unknown fields: all structs there do. */
  readonly keepsUnknown: boolean;
}

const BUILT_IN: Place = { isBuiltIn: true, keepsUnknown: false };
const CUSTOM: Place = { isBuiltIn: false, keepsUnknown: false };

const NONE = { scalar: undefined, list: undefined, map: undefined } as const;
const NUMERIC: ApplyType = { ...NONE, scalar: 'numeric' };
const STRING: ApplyType = { ...NONE, scalar: 'string' };
const FORMATTED: ApplyType = { ...NONE, scalar: 'untyped' };

const SCALARS: Readonly<Record<ScalarType, ApplyType>> = {
  any: DEDUCED,
  bool: { ...NONE, scalar: 'boolean' },
  bytes: STRING,
  duration: STRING,
  fieldsV1: { ...NONE, map: DEDUCED.map },
  float64: NUMERIC,
  int32: NUMERIC,
  int64: NUMERIC,
  intOrString: DEDUCED,
  json: DEDUCED,
  microTime: FORMATTED,
  quantity: FORMATTED,
  rawExtension: UNTYPED,
  string: STRING,
  time: FORMATTED,
};

function scalarType({ type, validation }: ResolvedSchema & { readonly type: ScalarType }): ApplyType {
  // Texts with a format, such as `date-time`, are not checked to be texts.
  const format = validation?.format ?? '';
  return type === 'string' && format !== '' && format !== 'byte' ? FORMATTED : SCALARS[type];
}
