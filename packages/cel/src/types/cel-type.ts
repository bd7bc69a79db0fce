/** The types of CEL. A type is a value too: `type(1) == int`. */

/** What sort of type it is. `opaque` is a named type with parameters, such as `optional_type`; `object` has fields. */
export type CelTypeKind =
  | 'any'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'object'
  | 'opaque'
  | 'parameter'
  | 'string'
  | 'timestamp'
  | 'type'
  | 'uint'
  | 'wrapper';

/** The largest size that a comparison looks at; `size` is that of the right value when it is known. */
export type ComparedSize = (size: number | undefined) => number;

const NO_PARAMETERS: readonly CelType[] = [];

/** A type. Types are equal when their kinds, names and parameters are. */
export class CelType {
  readonly kind: CelTypeKind;
  /** The name at run time: `int`, `list`, `google.protobuf.Timestamp`, the name of an object type or of a type parameter. */
  readonly name: string;
  /** The element of a list; key and value of a map; the parameters of an opaque type; the primitive of a wrapper. */
  readonly parameters: readonly CelType[];
  /** The number of types in it, itself included. */
  readonly size: number;
  /** The size of the text that `==` of two opaque values looks at, given that of the right one; at once without it. */
  readonly comparedSize: ComparedSize | undefined;

  constructor(
    kind: CelTypeKind,
    name: string,
    parameters: readonly CelType[] = NO_PARAMETERS,
    comparedSize?: ComparedSize,
  ) {
    this.kind = kind;
    this.name = name;
    this.parameters = parameters;
    let size = 1;
    for (const parameter of parameters) size += parameter.size;
    this.size = size;
    this.comparedSize = comparedSize;
  }

  /** The same type with other parameters. */
  with(parameters: readonly CelType[]): CelType {
    return new CelType(this.kind, this.name, parameters);
  }
}

/** The type of everything: it is checked at run time. */
export const DYN: CelType = new CelType('dyn', 'dyn');
/** The type of `google.protobuf.Any`; checked like `dyn`. */
export const ANY: CelType = new CelType('any', 'google.protobuf.Any');
/** The type of an expression that does not check, so that one mistake is reported once. */
export const ERROR: CelType = new CelType('error', '*error*');
export const NULL: CelType = new CelType('null', 'null_type');
export const BOOL: CelType = new CelType('bool', 'bool');
export const INT: CelType = new CelType('int', 'int');
export const UINT: CelType = new CelType('uint', 'uint');
export const DOUBLE: CelType = new CelType('double', 'double');
export const STRING: CelType = new CelType('string', 'string');
export const BYTES: CelType = new CelType('bytes', 'bytes');
export const TIMESTAMP: CelType = new CelType('timestamp', 'google.protobuf.Timestamp');
export const DURATION: CelType = new CelType('duration', 'google.protobuf.Duration');
/** The type of types whose parameter is unknown. */
export const TYPE: CelType = new CelType('type', 'type');

/** `list(element)`. */
export function listType(element: CelType): CelType {
  return new CelType('list', 'list', [element]);
}

/** `map(key, value)`. */
export function mapType(key: CelType, value: CelType): CelType {
  return new CelType('map', 'map', [key, value]);
}

/** `type(of)`, the type of the type value `of`. */
export function typeType(of: CelType): CelType {
  return new CelType('type', 'type', [of]);
}

/** A named type without fields, such as that of a URL. */
export function opaqueType(
  name: string,
  parameters: readonly CelType[] = NO_PARAMETERS,
  comparedSize?: ComparedSize,
): CelType {
  return new CelType('opaque', name, parameters, comparedSize);
}

/** `optional_type(value)`. */
export function optionalType(value: CelType): CelType {
  return opaqueType('optional_type', [value]);
}

/** A type with fields, which the environment's {@link ObjectTypes} know. */
export function objectType(name: string): CelType {
  return new CelType('object', name);
}

/** A primitive type that may also be null. */
export function wrapperType(primitive: CelType): CelType {
  return new CelType('wrapper', primitive.name, [primitive]);
}

/** A type parameter of an overload, such as `A` in `(A, list(A)) -> bool`. */
export function typeParameter(name: string): CelType {
  return new CelType('parameter', name);
}

/** `list(dyn)` and `map(dyn, dyn)`, the types of lists and maps at run time. */
export const LIST_OF_DYN: CelType = listType(DYN);
export const MAP_OF_DYN: CelType = mapType(DYN, DYN);
