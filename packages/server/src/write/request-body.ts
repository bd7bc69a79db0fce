/** The body of a request, read by its Content-Type: JSON, YAML or protobuf. */

import { failure, MEDIA_TYPE, type StatusError, unsupportedMediaType } from '@listwatch/api';
import type { ApiRequest } from '../contract/api-request.ts';
import type { TypeMeta } from '../kinds/object-layout.ts';
import type { StructShape } from '../kinds/shapes/shape.ts';
import { decodeMessage } from '../protobuf/decode-message.ts';
import { openEnvelope } from '../protobuf/envelope.ts';
import { ProtobufProblem } from '../protobuf/protobuf-problem.ts';
import { parseJson } from './json-body.ts';
import { type JsonDocument, SyntaxProblem } from './json-document.ts';
import { parseYaml } from './yaml-body.ts';

/** A body as it came. */
export interface RequestBody {
  readonly mediaType: typeof MEDIA_TYPE.json | typeof MEDIA_TYPE.yaml | typeof MEDIA_TYPE.protobuf;
  readonly bytes: Buffer;
}

/** The shape of the documents of a type; undefined when there are none. */
export type ShapeOf = (type: TypeMeta) => StructShape | undefined;

const ACCEPTED = [MEDIA_TYPE.json, MEDIA_TYPE.yaml, MEDIA_TYPE.protobuf] as const;

/** The media type of a header, without its parameters and in lower case; `''` when there is none. */
export function mediaTypeOf(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The media type of a body. Throws the 415 for one that cannot be read; none means JSON. */
export function bodyType(request: ApiRequest): RequestBody['mediaType'] {
  const mediaType = mediaTypeOf(request.header('content-type')) || MEDIA_TYPE.json;
  const accepted = ACCEPTED.find((type) => type === mediaType);
  if (accepted === undefined) throw unsupportedMediaType(ACCEPTED);
  return accepted;
}

/** Reads the body. Throws the 415 for a media type that cannot be read, before anything is read of it. */
export async function readBody(request: ApiRequest): Promise<RequestBody> {
  return { mediaType: bodyType(request), bytes: await request.body() };
}

/**
 * Parses a body; protobuf has no names for its fields and is read by the shape of what it says it is. Throws a
 * `SyntaxProblem`, and the 415 for protobuf of a type that has no shape here.
 */
export function parseBody({ mediaType, bytes }: RequestBody, shapeOf: ShapeOf): JsonDocument {
  if (mediaType === MEDIA_TYPE.protobuf) return parseProtobuf(bytes, shapeOf);
  return mediaType === MEDIA_TYPE.yaml ? parseYaml(bytes) : parseJson(bytes);
}

function parseProtobuf(bytes: Buffer, shapeOf: ShapeOf): JsonDocument {
  let type: TypeMeta | undefined;
  try {
    const { apiVersion, kind, message } = openEnvelope(bytes);
    type = { apiVersion, kind };
    const shape = shapeOf(type);
    if (shape === undefined) throw protobufBody();
    const value = { ...decodeMessage(shape, message), ...type };
    return { value, repeatingText: undefined, complaints: [] };
  } catch (cause) {
    if (!(cause instanceof ProtobufProblem)) throw cause;
    throw new SyntaxProblem(cause.message, { cause, ...(type === undefined ? {} : { type }) });
  }
}

function protobufBody(): StatusError {
  const message = `the body of the request is in ${MEDIA_TYPE.protobuf} that this server cannot read: use ${MEDIA_TYPE.json} (accepted media types include: ${MEDIA_TYPE.json}, ${MEDIA_TYPE.yaml})`;
  return failure({ code: 415, reason: 'UnsupportedMediaType', message });
}
