/** Parses the body of a PATCH: a JSON patch, a merge patch or a strategic merge patch. */

import {
  badRequest,
  genericFailure,
  MEDIA_TYPE,
  requestEntityTooLarge,
  unknownError,
  unsupportedMediaType,
} from '@listwatch/api';
import { isRecord, jsonType, recordsOf, textOf } from '@listwatch/api/values';
import { BODY_LIMITS, type BodyLimits, type KubeObject } from '@listwatch/rules/internal';
import {
  DecodePlans,
  fieldComplaints,
  SchemaSet,
  StrategicMergeError,
  type StrategicResult,
  strategicResult,
} from '@listwatch/schema';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { parseJson } from './json-body.ts';
import { type JsonDocument, SyntaxProblem } from './json-document.ts';
import { applyJsonPatch, JsonPatchError, type JsonPatchOperation } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';

/** A parsed patch. */
export interface PatchDocument {
  /** Applies the patch to an object. Throws the refusal if it does not apply. */
  readonly apply: (object: KubeObject) => PatchedDocument;
  /** Unknown and duplicate fields of the patch itself. */
  readonly complaints: readonly string[];
}

/** The result of a patch. */
export interface PatchedDocument {
  readonly value: unknown;
  /** A strategic merge patch without its directives: error messages show it instead of the document. */
  readonly rest?: ReadonlyMap<string, unknown> | undefined;
}

/** The supported patch types. `apply-body.ts` reads the last one. */
export const PATCH_TYPES: readonly string[] = [
  MEDIA_TYPE.jsonPatch,
  MEDIA_TYPE.mergePatch,
  MEDIA_TYPE.strategicMergePatch,
  MEDIA_TYPE.applyPatch,
];

/** The patch types of custom kinds: as in kube-apiserver, they have no strategic merge patch. */
const CUSTOM_PATCH_TYPES: readonly string[] = [MEDIA_TYPE.jsonPatch, MEDIA_TYPE.mergePatch, MEDIA_TYPE.applyPatch];

const plans = new DecodePlans(new SchemaSet());
const MERGE_PATCH = plans.of('any');
const JSON_PATCH = plans.of({
  list: {
    fields: { op: { type: 'string' }, from: { type: 'string' }, path: { type: 'string' }, value: { type: 'any' } },
  },
});

const MAX_OPERATIONS = 10_000;
/** 10 000 operations of four members each. They share their names, so they parse faster than other members. */
const MAX_PATCH_MEMBERS = 50_000;

/** Throws 415 for an unsupported patch type; for a patch type of Kubernetes the message lists the supported ones. */
export function requirePatchType(mediaType: string, { custom }: Pick<ResourceDefinition, 'custom'> = {}): void {
  if (custom !== undefined && mediaType === MEDIA_TYPE.strategicMergePatch)
    throw unsupportedMediaType(CUSTOM_PATCH_TYPES);
  if (PATCH_TYPES.includes(mediaType)) return;
  throw genericFailure(415, { serverMessage: '415: Unsupported Media Type' });
}

/** Parses a patch of an object of a kind. Throws 400 for a malformed one, 413 for too many operations. */
export function readPatch(definition: ResourceDefinition, mediaType: string, bytes: Buffer): PatchDocument {
  if (mediaType === MEDIA_TYPE.strategicMergePatch) return readStrategicPatch(definition, bytes);
  return mediaType === MEDIA_TYPE.jsonPatch
    ? readJsonPatch(parsePatch(bytes, jsonPatchLimits(definition)))
    : readMergePatch(parsePatch(bytes, definition.bodyLimits));
}

function jsonPatchLimits({ bodyLimits = BODY_LIMITS }: ResourceDefinition): BodyLimits {
  return { ...bodyLimits, members: Math.max(bodyLimits.members, MAX_PATCH_MEMBERS) };
}

function readStrategicPatch({ schemas, data, bodyLimits }: ResourceDefinition, bytes: Buffer): PatchDocument {
  const document = parseStrategicPatch(bytes, bodyLimits);
  const { value } = document;
  if (value !== null && !isRecord(value)) throw badRequest(cannotUnmarshal(value, 'map[string]interface {}'));
  return {
    apply: (object) => {
      const { object: patched, rest } = applyStrategic(schemas.set, data.type, object, value ?? {});
      return { value: patched, rest };
    },
    complaints: fieldComplaints(MERGE_PATCH, document),
  };
}

function parseStrategicPatch(bytes: Buffer, limits: BodyLimits | undefined): JsonDocument {
  try {
    return parseJson(bytes, limits);
  } catch (error) {
    throw error instanceof SyntaxProblem ? badRequest(error.message) : error;
  }
}

function applyStrategic(...args: Parameters<typeof strategicResult>): StrategicResult {
  try {
    return strategicResult(...args);
  } catch (error) {
    if (!(error instanceof StrategicMergeError)) throw error;
    // kube-apiserver answers 500 when a patch does not fit the object.
    throw error.code === 'MALFORMED_PATCH' ? badRequest(error.message) : unknownError(error.message);
  }
}

function parsePatch(bytes: Buffer, limits: BodyLimits | undefined): JsonDocument {
  try {
    return parseJson(bytes, limits);
  } catch (error) {
    throw error instanceof SyntaxProblem ? undecodable(error.message) : error;
  }
}

function readMergePatch(document: JsonDocument): PatchDocument {
  const { value } = document;
  if (value !== null && !isRecord(value)) throw undecodable(cannotUnmarshal(value, 'map[string]interface {}'));
  // Go decodes null into an empty map, but kube-apiserver refuses it as a patch.
  if (value === null) throw badRequest('Invalid JSON Patch');
  const complaints = fieldComplaints(MERGE_PATCH, document);
  return { apply: (object) => ({ value: applyMergePatch(object, value) }), complaints };
}

const TEXT_MEMBERS = ['op', 'from', 'path'] as const;

function readJsonPatch(document: JsonDocument): PatchDocument {
  const { value } = document;
  if (value !== null && !Array.isArray(value)) throw undecodable(cannotUnmarshal(value, '[]handlers.jsonPatchOp'));
  for (const item of value ?? []) requireOperation(item);
  const operations = recordsOf(value).map(operationOf);
  if (operations.length > MAX_OPERATIONS) {
    throw requestEntityTooLarge(
      `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`,
    );
  }
  const complaints = fieldComplaints(JSON_PATCH, document).map((complaint) => `json patch ${complaint}`);
  return { apply: (object) => ({ value: applyOperations(object, operations) }), complaints };
}

function requireOperation(item: unknown): void {
  if (item !== null && !isRecord(item)) throw undecodable(cannotUnmarshal(item, 'handlers.jsonPatchOp'));
  for (const member of TEXT_MEMBERS) {
    const text = item?.[member] ?? '';
    if (typeof text !== 'string') {
      const type = jsonType(text);
      throw undecodable(`json: cannot unmarshal ${type} into Go struct field jsonPatchOp.${member} of type string`);
    }
  }
}

function operationOf(item: Readonly<Record<string, unknown>>): JsonPatchOperation {
  const { op, path, from, value } = item;
  return { op: textOf(op), path: typeof path === 'string' ? path : undefined, from: textOf(from), value };
}

function applyOperations(object: KubeObject, operations: readonly JsonPatchOperation[]): unknown {
  try {
    return applyJsonPatch(object, operations);
  } catch (error) {
    throw error instanceof JsonPatchError ? genericFailure(422) : error;
  }
}

function cannotUnmarshal(value: unknown, type: string): string {
  return `json: cannot unmarshal ${jsonType(value)} into Go value of type ${type}`;
}

function undecodable(problem: string): Error {
  return badRequest(`error decoding patch: ${problem}`);
}
