/** Reads a value as an object of a kind, as strictly as the server does with `fieldValidation=Strict`. */

import { apiVersionOf, quote } from '@listwatch/api';
import { isRecord, jsonType, recordOf } from '@listwatch/api/values';
import { faultPath, unknownFieldPaths } from '@listwatch/schema';
import type { KubeObject } from '../kube-object.ts';
import { BODY_LIMITS } from '../strategy/body-limits.ts';
import type { KindDefinition } from '../strategy/kind-definition.ts';
import { plainJson } from './plain-json.ts';
import type { ValidationError } from './validation-error.ts';

/** The object, or the errors if the value cannot be decoded. */
export type ReadObject =
  | { readonly object: KubeObject; readonly errors: readonly [] }
  | { readonly object?: undefined; readonly errors: readonly ValidationError[] };

/** Decodes a value. The schemas of the kind must be loaded. Throws the errors of `plainJson`. */
export function readObject(definition: KindDefinition, value: unknown): ReadObject {
  const document = plainJson(value, definition.bodyLimits ?? BODY_LIMITS);
  if (!isRecord(document)) return { errors: [wrongType('', `${jsonType(document)} is not an object`)] };
  const { kind } = definition.resource;
  const apiVersion = apiVersionOf(definition.resource);
  const misnamed = [
    ...misnamedAs('kind', document['kind'], kind),
    ...misnamedAs('apiVersion', document['apiVersion'], apiVersion),
  ];
  if (misnamed.length > 0) return { errors: misnamed };
  const problem = definition.decodeProblem(document);
  if (problem !== undefined) return { errors: [wrongType(faultPath(definition.plan(), document), problem)] };
  const unknown = unknownFieldPaths(definition.plan(), document);
  if (unknown.length > 0) return { errors: unknown.map(unknownField) };
  return { object: { ...document, kind, apiVersion, metadata: recordOf(document['metadata']) }, errors: [] };
}

/** A document may omit its kind. Another kind is an error: the wrong rules would apply to it. */
function misnamedAs(path: string, value: unknown, expected: string): readonly ValidationError[] {
  if (value === undefined || value === null || value === '' || value === expected) return [];
  if (typeof value !== 'string') return [wrongType(path, `${jsonType(value)} is not a string`)];
  return [{ path, type: 'FieldValueInvalid', message: `Invalid value: ${quote(value)}: must be ${expected}` }];
}

function wrongType(path: string, message: string): ValidationError {
  return { path, type: 'FieldValueTypeInvalid', message };
}

function unknownField(path: string): ValidationError {
  return { path, type: 'UnknownField', message: `unknown field ${quote(path)}` };
}
