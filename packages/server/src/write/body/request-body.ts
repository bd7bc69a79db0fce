/** Reads and parses request bodies by their Content-Type: JSON, YAML or protobuf. */

import { failure, MEDIA_TYPE, type StatusError, unsupportedMediaType } from '@listwatch/api';
import { BODY_LIMITS, type BodyLimits } from '@listwatch/rules/internal';
import { openEnvelope, ProtobufProblem, type TypeName } from '@listwatch/schema';
import type { ApiRequest } from '../../contract/api-request.ts';
import type { TypeMeta } from '../../stored/object-layout.ts';
import { decodeBodyMessage, type MessageSchemas } from './body-message.ts';
import { parseJson } from './json-body.ts';
import { type JsonDocument, SyntaxProblem } from './json-document.ts';
import { parseYaml } from './yaml-body.ts';
import { MAX_NODES } from './yaml-composer.ts';

/** The bytes of a body and their media type. */
export interface RequestBody {
  readonly mediaType: typeof MEDIA_TYPE.json | typeof MEDIA_TYPE.yaml | typeof MEDIA_TYPE.protobuf;
  readonly bytes: Buffer;
}

/** The schema of a type, and the schemas that it is in, loaded. */
export interface BodySchema {
  readonly type: TypeName;
  readonly schemas: MessageSchemas;
}

/** Finds the schema of the type that a body names; undefined when the server has no such type. */
export type BodySchemaOf = (type: TypeMeta) => BodySchema | undefined;

const ACCEPTED = [MEDIA_TYPE.json, MEDIA_TYPE.yaml, MEDIA_TYPE.protobuf] as const;

/** The media type in a Content-Type header, in lower case and without parameters; `''` for a missing header. */
export function mediaTypeOf(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The media type of a request's body; JSON by default. Throws 415 for an unsupported one. */
export function bodyType(request: ApiRequest): RequestBody['mediaType'] {
  const mediaType = mediaTypeOf(request.header('content-type')) || MEDIA_TYPE.json;
  const accepted = ACCEPTED.find((type) => type === mediaType);
  if (accepted === undefined) throw unsupportedMediaType(ACCEPTED);
  return accepted;
}

/** Reads the body. Throws 415 for an unsupported media type before it reads anything. */
export async function readBody(request: ApiRequest): Promise<RequestBody> {
  return { mediaType: bodyType(request), bytes: await request.body() };
}

/**
 * Parses a body. Protobuf does not carry field names, so it is decoded by the schema of the type in its envelope. Throws a
 * `SyntaxProblem`, or 415 for protobuf of an unknown type.
 */
export function parseBody(
  { mediaType, bytes }: RequestBody,
  schemaOf: BodySchemaOf,
  limits: BodyLimits = BODY_LIMITS,
): JsonDocument {
  if (mediaType === MEDIA_TYPE.protobuf) return parseProtobuf(bytes, schemaOf, limits);
  return mediaType === MEDIA_TYPE.yaml ? parseYaml(bytes, Math.min(MAX_NODES, limits.parts)) : parseJson(bytes, limits);
}

/** The type that the envelope of a protobuf body names; undefined for a body without one. */
export function envelopeType(bytes: Buffer): TypeMeta | undefined {
  try {
    const { apiVersion, kind } = openEnvelope(bytes, BODY_LIMITS.parts);
    return { apiVersion, kind };
  } catch (error) {
    if (error instanceof ProtobufProblem) return undefined;
    throw error;
  }
}

function parseProtobuf(bytes: Buffer, schemaOf: BodySchemaOf, limits: BodyLimits): JsonDocument {
  let type: TypeMeta | undefined;
  try {
    const { apiVersion, kind, message } = openEnvelope(bytes, limits.parts);
    type = { apiVersion, kind };
    const schema = schemaOf(type);
    if (schema === undefined) throw protobufBody();
    const { fields, isPlain } = decodeBodyMessage(schema.schemas, schema.type, message, limits);
    const value = { kind, apiVersion, ...fields };
    return { value, isCanonical: isPlain, repeatingText: undefined, fractionText: undefined, complaints: [] };
  } catch (cause) {
    if (!(cause instanceof ProtobufProblem)) throw cause;
    throw new SyntaxProblem(cause.message, { cause, ...(type === undefined ? {} : { type }) });
  }
}

function protobufBody(): StatusError {
  const message = `the body of the request is in ${MEDIA_TYPE.protobuf} that this server cannot read: use ${MEDIA_TYPE.json} (accepted media types include: ${MEDIA_TYPE.json}, ${MEDIA_TYPE.yaml})`;
  return failure({ code: 415, reason: 'UnsupportedMediaType', message });
}
