/** Parses the body of a PATCH: a JSON patch or a merge patch. */

import { badRequest, genericFailure, MEDIA_TYPE, requestEntityTooLarge, unsupportedMediaType } from '@listwatch/api';
import { DecodePlans, jsonType, SchemaSet } from '@listwatch/schema';
import type { KubeObject } from '../../kinds/resource-definition.ts';
import { isRecord, recordsOf, textOf } from '../../kinds/shapes/json-value.ts';
import { fieldComplaints } from '../body/field-check.ts';
import { parseJson } from '../body/json-body.ts';
import { type JsonDocument, SyntaxProblem } from '../body/json-document.ts';
import { applyJsonPatch, JsonPatchError, type JsonPatchOperation } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';

/** A parsed patch. */
export interface PatchDocument {
  /** Applies the patch to an object. Throws 422 if it does not apply. */
  readonly apply: (object: KubeObject) => unknown;
  /** Unknown and duplicate fields of the patch itself. */
  readonly complaints: readonly string[];
}

/** The supported patch types. */
export const PATCH_TYPES: readonly string[] = [MEDIA_TYPE.jsonPatch, MEDIA_TYPE.mergePatch];

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
export function requirePatchType(mediaType: string): void {
  if (PATCH_TYPES.includes(mediaType)) return;
  const known = mediaType === MEDIA_TYPE.strategicMergePatch || mediaType === MEDIA_TYPE.applyPatch;
  throw known
    ? unsupportedMediaType(PATCH_TYPES)
    : genericFailure(415, { serverMessage: '415: Unsupported Media Type' });
}

/** Parses a patch. Throws 400 for a malformed one, 413 for too many operations. */
export function readPatch(mediaType: string, bytes: Buffer): PatchDocument {
  return mediaType === MEDIA_TYPE.jsonPatch
    ? readJsonPatch(parsePatch(bytes, MAX_PATCH_MEMBERS))
    : readMergePatch(parsePatch(bytes));
}

function parsePatch(bytes: Buffer, maxMembers?: number): JsonDocument {
  try {
    return parseJson(bytes, maxMembers);
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
  return { apply: (object) => applyMergePatch(object, value), complaints };
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
  return { apply: (object) => applyOperations(object, operations), complaints };
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
