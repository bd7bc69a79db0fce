/** Reads the body of a server-side apply: the first YAML document, or JSON, which is YAML too. */

import { badRequest, type StatusError } from '@listwatch/api';
import { isRecord, type JsonRecord, jsonType, recordOf, textOf } from '@listwatch/api/values';
import type { BodyLimits } from '@listwatch/rules/internal';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { parseJson } from './json-body.ts';
import { type JsonDocument, SyntaxProblem } from './json-document.ts';
import { parseYaml } from './yaml-body.ts';

/** The applied configuration. */
export interface ApplyBody {
  /** Without `managedFields`. */
  readonly config: JsonRecord;
  /** Errors for duplicate keys. */
  readonly complaints: readonly string[];
}

/** Reads the body. Throws the 400 unless it is an object of the kind, the 413 for more than the decode limits. */
export function readApplyBody(definition: ResourceDefinition, bytes: Buffer): ApplyBody {
  const { value, complaints } = parseDocument(bytes, definition.bodyLimits);
  if (value !== null && !isRecord(value)) {
    const problem = `json: cannot unmarshal ${jsonType(value)} into Go value of type map[string]interface {}`;
    throw undecodable(`error unmarshaling JSON: while decoding JSON: ${problem}`);
  }
  const config = value ?? {};
  requireType(definition, config);
  const { managedFields, ...metadata } = recordOf(config['metadata']);
  if (Array.isArray(managedFields)) throw badRequest('metadata.managedFields must be nil');
  return { config: managedFields === null ? { ...config, metadata } : config, complaints };
}

/** The 400 for duplicate keys, for clients with `fieldValidation=Strict`. */
export function repeatedKeys(complaints: readonly string[]): StatusError {
  const lines = complaints.map((complaint) => `\n  ${complaint}`).join('');
  return badRequest(`error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:${lines}`);
}

const OPENING_BRACE = 0x7b;

function parseDocument(bytes: Buffer, limits: BodyLimits | undefined): JsonDocument {
  return parsedJson(bytes, limits) ?? parsedYaml(bytes);
}

/** Parses JSON, which is much faster than the YAML parser; undefined for a body that needs the YAML parser. */
function parsedJson(bytes: Buffer, limits: BodyLimits | undefined): JsonDocument | undefined {
  if (bytes[0] !== OPENING_BRACE) return undefined;
  try {
    const document = parseJson(bytes, limits);
    // The YAML parser knows the lines of repeated keys.
    return document.repeatingText === undefined ? document : undefined;
  } catch (error) {
    if (error instanceof SyntaxProblem) return undefined;
    throw error;
  }
}

function parsedYaml(bytes: Buffer): JsonDocument {
  try {
    return parseYaml(bytes);
  } catch (error) {
    throw error instanceof SyntaxProblem ? undecodable(`error converting YAML to JSON: ${error.message}`) : error;
  }
}

/** Throws the 400 for an object of another kind or version. */
function requireType({ resource }: ResourceDefinition, config: JsonRecord): void {
  const parts = textOf(config['apiVersion']).split('/');
  const [version = '', group = ''] = parts.length > 2 ? [] : parts.toReversed();
  const kind = parts.length > 2 ? '' : textOf(config['kind']);
  if (kind === resource.kind && version === resource.version && group === resource.group) return;
  throw badRequest(`invalid object type: ${group}/${version}, Kind=${kind}`);
}

function undecodable(problem: string): StatusError {
  return badRequest(`error decoding YAML: ${problem}`);
}
