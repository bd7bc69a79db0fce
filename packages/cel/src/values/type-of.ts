/** The types of values at run time. */
import {
  BOOL,
  BYTES,
  CelType,
  DOUBLE,
  DURATION,
  INT,
  LIST_OF_DYN,
  MAP_OF_DYN,
  NULL,
  objectType,
  opaqueType,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
} from '../types/cel-type.ts';
import { CelError } from './cel-error.ts';
import { CelList } from './cel-list.ts';
import { CelMap } from './cel-map.ts';
import {
  CelDouble,
  CelDuration,
  type CelOpaque,
  CelOptional,
  type CelResult,
  CelTimestamp,
  CelUint,
  type CelValue,
} from './cel-value.ts';

const OPTIONAL: CelType = opaqueType('optional_type');

/** The type of a value. Lists, maps and optionals do not know their parameters at run time: these are `dyn`. */
export function typeOf(value: CelValue): CelType {
  if (typeof value === 'number' || typeof value === 'bigint') return INT;
  if (typeof value === 'string') return STRING;
  if (typeof value === 'boolean') return BOOL;
  if (value === null) return NULL;
  if (value instanceof CelMap) return value.typeName === 'map' ? MAP_OF_DYN : objectType(value.typeName);
  if (value instanceof CelList) return LIST_OF_DYN;
  if (value instanceof CelDouble) return DOUBLE;
  if (value instanceof CelUint) return UINT;
  if (value instanceof CelTimestamp) return TIMESTAMP;
  if (value instanceof CelDuration) return DURATION;
  if (value instanceof CelOptional) return OPTIONAL;
  if (value instanceof CelType) return TYPE;
  if (value instanceof Uint8Array) return BYTES;
  return value.opaqueType;
}

/** Is it a value of a library's own type? */
export function isOpaque(value: CelResult): value is CelOpaque {
  return typeof value === 'object' && value !== null && 'opaqueType' in value;
}

/** Is it an error? */
export function isError(value: CelResult): value is CelError {
  return value instanceof CelError;
}

/** Has a list elements of its declared type? cel-go looks at the first one only. */
function matchesFirst(list: CelList, { parameters: [element] }: CelType): boolean {
  return list.size === 0 || element === undefined || matchesType(list.at(0), element);
}

/** May the value be passed where `type` is declared? Parameters of maps and optionals are not looked at. */
export function matchesType(value: CelValue, type: CelType): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'any':
    case 'parameter':
    case 'error':
      return true;
    case 'int':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'string':
      return typeof value === 'string';
    case 'bool':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'double':
      return value instanceof CelDouble;
    case 'uint':
      return value instanceof CelUint;
    case 'bytes':
      return value instanceof Uint8Array;
    case 'list':
      return value instanceof CelList && matchesFirst(value, type);
    case 'map':
      return value instanceof CelMap;
    case 'object':
      return value instanceof CelMap
        ? value.typeName === type.name
        : isOpaque(value) && value.opaqueType.name === type.name;
    case 'timestamp':
      return value instanceof CelTimestamp;
    case 'duration':
      return value instanceof CelDuration;
    case 'type':
      return value instanceof CelType;
    case 'opaque':
      return type.name === 'optional_type'
        ? value instanceof CelOptional
        : isOpaque(value) && value.opaqueType.name === type.name;
    case 'wrapper': {
      const primitive = type.parameters[0];
      return value === null || (primitive !== undefined && matchesType(value, primitive));
    }
    default:
      return type.kind satisfies never;
  }
}
