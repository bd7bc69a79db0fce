/** Decodes bodies and patched documents of custom kinds: by their schema, in the words of kube-apiserver for them. */

import {
  apiVersionMismatch,
  apiVersionOf,
  badRequest,
  fieldInvalid,
  invalid,
  quote,
  type StatusError,
} from '@listwatch/api';
import { isRecord, type JsonRecord, recordOf, textOf } from '@listwatch/api/values';
import { type KubeObject, metadataPlan } from '@listwatch/rules/internal';
import {
  type CustomSchema,
  DecodePlans,
  decodeCustomObject,
  decodeProblem,
  fieldComplaints,
  SchemaSet,
  strictError,
  unknownFieldComplaints,
  unknownFields,
} from '@listwatch/schema';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import type { JsonDocument } from './json-document.ts';
import type { FieldValidation } from './write-options.ts';

/** A decoded custom object. */
export interface CustomBody {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

const ANYTHING = new DecodePlans(new SchemaSet()).of('any');

/** The object of a body. It has a kind. Throws the 400 for one that is malformed, and the 422 for one of another kind. */
export function decodeCustomBody(
  definition: ResourceDefinition,
  schema: CustomSchema,
  document: JsonDocument,
  fieldValidation: FieldValidation,
): CustomBody {
  const { resource } = definition;
  const { kind } = resource;
  const fields = recordOf(document.value);
  const unhandled = (problem: string): StatusError => {
    const type = `${textOf(fields['kind'])} in version ${quote(versionOf(textOf(fields['apiVersion'])))}`;
    return badRequest(`${type} cannot be handled as a ${kind}: ${problem}`);
  };
  const duplicates = document.repeatingText === undefined ? [] : fieldComplaints(ANYTHING, document);
  const decoded = decodeFields(schema, fields);
  if (decoded.problem !== undefined) throw unhandled(decoded.problem);
  const complaints = fieldValidation === 'Ignore' ? [] : [...document.complaints, ...duplicates, ...decoded.complaints];
  if (fieldValidation === 'Strict' && complaints.length > 0) throw unhandled(strictError(complaints));
  const apiVersion = textOf(fields['apiVersion']);
  if (apiVersion !== apiVersionOf(resource)) throw apiVersionMismatch(apiVersion, apiVersionOf(resource));
  requireType(definition, fields);
  return { object: decoded.object, warnings: complaints };
}

/** The problem with a patched document, or its object. */
export function decodeCustomPatched(
  definition: ResourceDefinition,
  schema: CustomSchema,
  value: unknown,
): { readonly problem: string } | (CustomBody & { readonly problem?: undefined }) {
  if (!isRecord(value))
    return { problem: 'json: cannot unmarshal array into Go value of type map[string]interface {}' };
  if (textOf(value['kind']) === '') return { problem: "Object 'Kind' is missing" };
  const decoded = decodeFields(schema, value);
  if (decoded.problem !== undefined) return { problem: decoded.problem };
  requireType(definition, value);
  return { object: decoded.object, warnings: decoded.complaints };
}

interface DecodedFields {
  readonly object: KubeObject;
  readonly complaints: readonly string[];
  readonly problem?: string | undefined;
}

function decodeFields(schema: CustomSchema, fields: JsonRecord): DecodedFields {
  const { kind, apiVersion, metadata, ...rest } = fields;
  const given: KubeObject = {
    kind: textOf(kind),
    apiVersion: textOf(apiVersion),
    metadata: recordOf(metadata),
    ...rest,
  };
  const wrong = typeProblem(fields) ?? decodeProblem(metadataPlan(), metadata ?? {});
  if (wrong !== undefined) return { object: given, complaints: [], problem: wrong };
  const complaints = [
    ...unknownFieldComplaints(metadataPlan(), given.metadata).map(inMetadata),
    ...unknownFields(schema, given).map((path) => `unknown field ${quote(path)}`),
  ];
  const { object, problem } = decodeCustomObject(schema, given);
  return { object, complaints, problem };
}

function typeProblem({ kind, apiVersion }: JsonRecord): string | undefined {
  if (kind !== undefined && typeof kind !== 'string') return '.kind accessor error: not a string';
  return apiVersion === undefined || apiVersion === null || typeof apiVersion === 'string'
    ? undefined
    : '.apiVersion accessor error: not a string';
}

/** Throws the 422 for an object of another kind or version. */
function requireType({ resource }: ResourceDefinition, fields: JsonRecord): void {
  const { group, kind } = resource;
  const wanted = { kind, apiVersion: apiVersionOf(resource) };
  const named = textOf(fields['kind']);
  const errors = [
    ...(named === wanted.kind ? [] : [fieldInvalid('kind', named, `must be ${wanted.kind}`)]),
    ...(fields['apiVersion'] === wanted.apiVersion
      ? []
      : [fieldInvalid('apiVersion', textOf(fields['apiVersion']), `must be ${wanted.apiVersion}`)]),
  ];
  if (errors.length > 0) throw invalid({ group, kind: named }, textOf(recordOf(fields['metadata'])['name']), errors);
}

function inMetadata(complaint: string): string {
  return complaint.replace('unknown field "', 'unknown field "metadata.');
}

function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}
