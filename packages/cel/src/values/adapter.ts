/** Makes values of JSON, by the types that are declared for it. Nothing is copied: lists and maps are views. */
import type { ObjectTypes } from '../checker/object-types.ts';
import { parseGoDuration, parseTimestamp } from '../standard/go-literals.ts';
import { type CelType, DYN } from '../types/cel-type.ts';
import { type Adapt, CelList } from './cel-list.ts';
import { CelMap, type FieldAdapters, isRawObject } from './cel-map.ts';
import { CelDouble, CelDuration, CelUint, type CelValue, intValue } from './cel-value.ts';

/**
 * A function that makes values of a type from JSON: numbers become int, uint or double as declared, strings become bytes
 * (base64), timestamps (RFC 3339) and durations (`1h30m`) as declared. What does not fit its type is adapted as `dyn`.
 */
export function adapter(type: CelType, objectTypes?: ObjectTypes): Adapt {
  return adapterOf(type, { objectTypes, objects: new Map() });
}

interface Known {
  readonly objectTypes: ObjectTypes | undefined;
  /** The fields of types that are being made: a type may contain itself. */
  readonly objects: Map<string, FieldAdapters>;
}

function adapterOf(type: CelType, known: Known): Adapt {
  const parameters = type.parameters.map((parameter) => adapterOf(parameter, known));
  const [first = adaptAny, second = adaptAny] = parameters;
  switch (type.kind) {
    case 'double':
      return (raw) => (typeof raw === 'number' ? new CelDouble(raw) : adaptAny(raw));
    case 'uint':
      return (raw) => (isUint(raw) ? new CelUint(BigInt(raw)) : adaptAny(raw));
    case 'bytes':
      return (raw) => (typeof raw === 'string' ? (decodeBase64(raw) ?? raw) : adaptAny(raw));
    case 'timestamp':
      return (raw) => (typeof raw === 'string' ? (parseTimestamp(raw) ?? raw) : adaptAny(raw));
    case 'duration':
      return (raw) => (typeof raw === 'string' ? adaptDuration(raw) : adaptAny(raw));
    case 'list':
      return (raw) => (Array.isArray(raw) ? CelList.adapted(raw, first) : adaptAny(raw));
    case 'map':
      return (raw) => (isRawObject(raw) ? CelMap.adapted(raw, second) : adaptAny(raw));
    case 'wrapper':
      return (raw) => (raw === null ? null : first(raw));
    case 'object': {
      const fields = objectFields(type.name, known);
      return (raw) => (isRawObject(raw) ? CelMap.object(type.name, raw, fields) : adaptAny(raw));
    }
    case 'any':
    case 'bool':
    case 'dyn':
    case 'error':
    case 'int':
    case 'null':
    case 'opaque':
    case 'parameter':
    case 'string':
    case 'type':
      return adaptAny;
    default:
      return type.kind satisfies never;
  }
}

function objectFields(name: string, known: Known): FieldAdapters {
  const before = known.objects.get(name);
  if (before !== undefined) return before;
  const fields = new Map<string, Adapt>();
  known.objects.set(name, fields);
  for (const [field, type] of known.objectTypes?.fields(name) ?? []) fields.set(field, adapterOf(type, known));
  return fields;
}

/** JSON without a declared type: integers are ints, other numbers doubles. */
function adaptAny(raw: unknown): CelValue {
  switch (typeof raw) {
    case 'string':
    case 'boolean':
      return raw;
    case 'number':
      return Number.isSafeInteger(raw) ? raw + 0 : new CelDouble(raw);
    case 'bigint':
      return intValue(raw) ?? new CelDouble(Number(raw));
    case 'object':
      if (Array.isArray(raw)) return CelList.adapted(raw, adaptAny);
      return isRawObject(raw) ? CelMap.adapted(raw, adaptAny) : null;
    case 'function':
    case 'symbol':
    case 'undefined':
      return null;
    default:
      return null;
  }
}

function isUint(raw: unknown): raw is number | bigint {
  return (typeof raw === 'bigint' && raw >= 0n) || (typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= 0);
}

function adaptDuration(raw: string): CelValue {
  const nanoseconds = parseGoDuration(raw);
  return nanoseconds === undefined ? raw : new CelDuration(nanoseconds);
}

function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** The adapter of JSON without a declared type. */
export const adaptJson: Adapt = adapter(DYN);
