/** The values at the paths of `subresources.scale`. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { goText, goTypeName } from '../strategic-merge/go-text.ts';

/** The value at a path. `problem`: a parent is no object, or the value has another type. */
export interface ScaleValue<T> {
  readonly value?: T;
  readonly problem?: string;
}

/** The integer at a path such as `.spec.replicas`; no value when it is absent. */
export function scaleReplicas(object: JsonRecord, path: string): ScaleValue<bigint | number> {
  const found = valueAt(object, path);
  const { value } = found;
  if (found.problem !== undefined) return { problem: found.problem };
  if (value === undefined || typeof value === 'bigint' || Number.isInteger(value)) return integer(value);
  return { problem: typeProblem(path, value, 'int64') };
}

function integer(value: unknown): ScaleValue<bigint | number> {
  return typeof value === 'bigint' || typeof value === 'number' ? { value } : {};
}

/** The text at a path such as `.status.selector`; no value when it is absent. */
export function scaleSelector(object: JsonRecord, path: string): ScaleValue<string> {
  const { value, problem } = valueAt(object, path);
  if (problem !== undefined) return { problem };
  if (value === undefined) return {};
  return typeof value === 'string' ? { value } : { problem: typeProblem(path, value, 'string') };
}

/** The object with this number of replicas at the path; objects on the way are made. */
export function withReplicas<T extends JsonRecord>(object: T, path: string, replicas: number): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the path is below `spec` or `status`
  return replaced(object, namesOf(path), replicas) as T;
}

function replaced(object: JsonRecord, [name = '', ...rest]: readonly string[], value: unknown): JsonRecord {
  const inner = Object.hasOwn(object, name) ? object[name] : undefined;
  return { ...object, [name]: rest.length === 0 ? value : replaced(isRecord(inner) ? inner : {}, rest, value) };
}

function valueAt(object: JsonRecord, path: string): ScaleValue<unknown> {
  let here: unknown = object;
  const names = namesOf(path);
  for (const [index, name] of names.entries()) {
    if (!isRecord(here)) {
      // null ends the way as an absent value does.
      if (here === null || here === undefined) return {};
      const place = names.slice(0, index + 1).join('.');
      return {
        problem: `.${place} accessor error: ${goText(here)} is of the type ${goTypeName(here)}, expected map[string]interface{}`,
      };
    }
    if (!Object.hasOwn(here, name)) return {};
    here = here[name];
  }
  return { value: here };
}

function typeProblem(path: string, value: unknown, expected: string): string {
  const place = namesOf(path).join('.');
  const type = value === null ? '<nil>' : goTypeName(value);
  return `.${place} accessor error: ${goText(value)} is of the type ${type}, expected ${expected}`;
}

function namesOf(path: string): readonly string[] {
  return (path.startsWith('.') ? path.slice(1) : path).split('.');
}
