/** Reads a configuration file strictly: every field is known and of its type. */

import { isRecord, type JsonRecord, jsonType } from '@listwatch/api/values';
import { load } from 'js-yaml';

/** A type of JSON: a scalar, the items of a list, or the fields of an object. */
export type Shape = 'boolean' | 'string' | readonly [Shape] | { readonly [field: string]: Shape };

/** What a file must hold. */
export interface FileKind {
  readonly kind: string;
  /** The supported values of `apiVersion`. */
  readonly versions: readonly string[];
  /** The fields beside `kind` and `apiVersion`. */
  readonly shape: { readonly [field: string]: Shape };
}

/** No configuration is larger: 64 providers with their certificates. */
const TEXT_MAX = 4 * 1024 * 1024;

/** Parses YAML or JSON. Throws a `TypeError` that says what is wrong and where. */
export function readStrictly(text: string, { kind, versions, shape }: FileKind): JsonRecord {
  if (text.length > TEXT_MAX) throw new TypeError(`the file has more than ${TEXT_MAX} characters`);
  const value = decoded(text);
  if (!isRecord(value)) throw new TypeError(`the file must hold an object, not ${jsonType(value)}`);
  if (value['kind'] !== kind || !versions.some((version) => version === value['apiVersion'])) {
    const [given, version] = [value['kind'] ?? '', value['apiVersion'] ?? ''].map((one) => JSON.stringify(one));
    throw new TypeError(`no kind ${given} is known for version ${version}: use ${kind} of ${versions.join(' or ')}`);
  }
  const problems = [...problemsOf(value, { apiVersion: 'string', kind: 'string', ...shape }, '')];
  if (problems.length > 0) throw new TypeError(`strict decoding error: ${problems.join(', ')}`);
  return value;
}

function decoded(text: string): unknown {
  try {
    return load(text, { maxAliases: 0 });
  } catch (error) {
    throw new TypeError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function* problemsOf(value: unknown, shape: Shape, path: string): Generator<string> {
  if (value === null || value === undefined) return;
  if (typeof shape === 'string') {
    if (typeof value !== shape) yield `${path} must be a ${shape}, not ${jsonType(value)}`;
  } else if (isList(shape)) {
    if (!Array.isArray(value)) yield `${path} must be a list, not ${jsonType(value)}`;
    else for (const [index, item] of value.entries()) yield* problemsOf(item, shape[0], `${path}[${index}]`);
  } else if (isRecord(value)) {
    for (const [name, member] of Object.entries(value)) {
      const field = path === '' ? name : `${path}.${name}`;
      const inner = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (inner === undefined) yield `unknown field ${JSON.stringify(field)}`;
      else yield* problemsOf(member, inner, field);
    }
  } else yield `${path} must be an object, not ${jsonType(value)}`;
}

function isList(shape: Exclude<Shape, string>): shape is readonly [Shape] {
  return Array.isArray(shape);
}
