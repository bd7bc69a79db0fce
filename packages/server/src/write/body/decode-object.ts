/** Decodes the body of a create or an update into an object. */

import { apiVersionOf, badRequest, MEDIA_TYPE, quote, type StatusError } from '@listwatch/api';
import { isRecord, type JsonRecord, recordOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import { fieldComplaints, fractionProblem, strictError } from '@listwatch/schema';
import type { ServedKinds } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { decodeCustomBody } from './custom-body.ts';
import { type JsonDocument, SyntaxProblem } from './json-document.ts';
import { envelopeType, parseBody, type RequestBody } from './request-body.ts';
import {
  type DocumentType,
  documentType,
  loadNamedKind,
  schemasAt,
  typeMetaProblem,
  typeProblem,
} from './type-problem.ts';
import type { FieldValidation } from './write-options.ts';

/** A decoded object, and warnings for the client. */
export interface DecodedObject {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
  /** The object is in the canonical form of its kind already. Default: false. */
  readonly isCanonical?: boolean;
}

/** An error message shows this much of a body that cannot be decoded. */
const SUMMARY_BYTES = 30;

/** Decodes a body as an object of the kind. Rejects with 400 and the reason if it is something else. */
export async function decodeObject(
  kinds: Pick<ServedKinds, 'find'>,
  definition: ResourceDefinition,
  body: RequestBody,
  fieldValidation: FieldValidation,
): Promise<DecodedObject> {
  // Nearly all bodies have the kind of their endpoint and need no load: do not `await`, it would cost a turn.
  const loading = loadBodyKind(kinds, definition, body);
  if (loading !== undefined) await loading;
  const document = parse(kinds, definition, body);
  const unreadable = typeMetaProblem(document.value);
  if (unreadable !== undefined) throw unrecognized(definition, body, noType(unreadable));
  const fields = recordOf(document.value);
  const { custom } = definition;
  if (custom !== undefined) {
    if ((fields['kind'] ?? '') === '') throw unrecognized(definition, body, kindMissing(body));
    return decodeCustomBody(definition, custom.schema, document, fieldValidation);
  }
  const plain = plainObject(definition, document, fields);
  if (plain !== undefined) return { object: plain, warnings: [], isCanonical: true };
  const type = documentType(fields, definition);
  if (type === undefined) {
    const apiVersion = String(fields['apiVersion']);
    throw unrecognized(definition, body, `unexpected GroupVersion string: ${apiVersion}`);
  }
  const named = loadNamedKind(kinds, fields, definition);
  if (named !== undefined) await named;
  const wrong =
    typeProblem(kinds, fields, type, definition) ??
    definition.decodeProblem(fields) ??
    (document.fractionText === undefined ? undefined : fractionProblem(definition.plan(), document.fractionText));
  const complaints = wrong === undefined && fieldValidation !== 'Ignore' ? complaintsOf(definition, document) : [];
  const problem =
    wrong ?? (fieldValidation === 'Strict' && complaints.length > 0 ? strictError(complaints) : undefined);
  if (problem !== undefined) throw unhandled(definition, type, problem);
  return { object: typedObject(definition, fields), warnings: complaints };
}

/** Loads the schema of the kind that a protobuf body names: decoding needs it. */
function loadBodyKind(
  kinds: Pick<ServedKinds, 'find'>,
  definition: ResourceDefinition,
  { mediaType, bytes }: RequestBody,
): Promise<void> | undefined {
  const type = mediaType === MEDIA_TYPE.protobuf ? envelopeType(bytes) : undefined;
  return type && loadNamedKind(kinds, { ...type }, definition);
}

/** Nearly all documents: they name the kind of their endpoint and have no fault. They are read once. */
function plainObject(
  { plainForm, resource }: ResourceDefinition,
  { members, isCanonical, fractionText, complaints }: JsonDocument,
  fields: JsonRecord,
): KubeObject | undefined {
  if (plainForm === undefined || fractionText !== undefined || complaints.length > 0) return undefined;
  if (fields['kind'] !== resource.kind || fields['apiVersion'] !== apiVersionOf(resource)) return undefined;
  // The managers are validated as they were sent.
  if (!isRecord(fields['metadata']) || fields['metadata']['managedFields'] !== undefined) return undefined;
  if (isCanonical !== true) return plainForm(fields, members);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- seen above
  return fields as unknown as KubeObject;
}

/** The document as an object of the kind. Adds a missing kind and apiVersion. */
export function typedObject(definition: ResourceDefinition, fields: JsonRecord): KubeObject {
  const { group, version, kind } = definition.resource;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return { ...fields, kind, apiVersion, metadata: recordOf(fields['metadata']) };
}

function parse(kinds: Pick<ServedKinds, 'find'>, definition: ResourceDefinition, body: RequestBody): JsonDocument {
  try {
    // Custom kinds have no protobuf.
    return parseBody(
      body,
      definition.custom === undefined ? schemasAt(kinds, definition) : () => undefined,
      definition.bodyLimits,
    );
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    const type = error.type === undefined ? undefined : documentType({ ...error.type }, definition);
    if (type !== undefined) throw unhandled(definition, type, error.message);
    const isOwnWords = body.mediaType === MEDIA_TYPE.protobuf || error.message.startsWith('yaml: ');
    const problem = isOwnWords ? error.message : noType(error.message);
    throw unrecognized(definition, body, problem);
  }
}

function complaintsOf(definition: ResourceDefinition, document: JsonDocument): readonly string[] {
  return [...document.complaints, ...fieldComplaints(definition.plan(), document)];
}

/** How much of a body the message shows. */
const SHOWN_BYTES = 1024;

function kindMissing({ bytes }: RequestBody): string {
  return `Object 'Kind' is missing in '${bytes.toString('utf8', 0, SHOWN_BYTES)}'`;
}

function noType(problem: string): string {
  return `couldn't get version/kind; json parse error: ${problem}`;
}

function unhandled({ resource }: ResourceDefinition, type: DocumentType, problem: string): StatusError {
  const { kind } = resource;
  return badRequest(`${type.kind} in version ${quote(type.version)} cannot be handled as a ${kind}: ${problem}`);
}

function unrecognized(definition: ResourceDefinition, { bytes }: RequestBody, problem: string): StatusError {
  const { kind } = definition.resource;
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem} (${summary(bytes)})`);
}

/** The beginning of a body: as text if it looks like JSON, otherwise in hex. */
function summary(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const start = bytes.subarray(0, SUMMARY_BYTES).toString(bytes[0] === OPENING_BRACE ? 'utf8' : 'hex');
  return bytes.length > SUMMARY_BYTES ? `${start} ...` : start;
}

const OPENING_BRACE = 0x7b;
