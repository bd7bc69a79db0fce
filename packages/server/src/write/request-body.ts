/** The body of a request, read by its Content-Type: JSON, YAML or protobuf. */

import { failure, jsonSyntaxError, MEDIA_TYPE, type StatusError, unsupportedMediaType } from '@listwatch/api';
import type { CollectionTag, ScalarTag } from 'yaml';
import { yaml } from '../answer/yaml-library.ts';
import type { ApiRequest } from '../contract/api-request.ts';
import type { TypeMeta } from '../kinds/object-layout.ts';
import { MAX_DEPTH, scanJson } from '../kinds/shapes/json-scan.ts';
import type { StructShape } from '../kinds/shapes/shape.ts';
import { decodeMessage } from '../protobuf/decode-message.ts';
import { openEnvelope } from '../protobuf/envelope.ts';
import { ProtobufProblem } from '../protobuf/protobuf-problem.ts';

/** A body as it came. */
export interface RequestBody {
  readonly mediaType: typeof MEDIA_TYPE.json | typeof MEDIA_TYPE.yaml | typeof MEDIA_TYPE.protobuf;
  readonly bytes: Buffer;
}

/** A body that has been parsed. */
export interface JsonDocument {
  readonly value: unknown;
  /** The paths of fields that are given twice (JSON). */
  readonly duplicates: readonly string[];
  /** As it came (JSON). */
  readonly text: string;
  /** Complaints about keys that are given twice (YAML), in the words of its parser. */
  readonly complaints: readonly string[];
}

/** The shape of the documents of a type; undefined when there are none. */
export type ShapeOf = (type: TypeMeta) => StructShape | undefined;

/** A body that is not what its Content-Type says. The message is what Kubernetes says about it. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
  /** What the body said it is before it broke (protobuf). */
  readonly type: TypeMeta | undefined;

  constructor(message: string, { type, ...options }: ErrorOptions & { readonly type?: TypeMeta } = {}) {
    super(message, options);
    this.type = type;
  }
}

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

/** Parses JSON. Throws a `SyntaxProblem`. */
export function parseJson(bytes: Buffer): JsonDocument {
  const text = bytes.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SyntaxProblem(jsonSyntaxError(bytes) ?? 'exceeded max depth');
  }
  const { duplicates, depth } = scanJson(text);
  if (depth > MAX_DEPTH) throw new SyntaxProblem('exceeded max depth');
  return { value, duplicates, text, complaints: [] };
}

function parseProtobuf(bytes: Buffer, shapeOf: ShapeOf): JsonDocument {
  let type: TypeMeta | undefined;
  try {
    const { apiVersion, kind, message } = openEnvelope(bytes);
    type = { apiVersion, kind };
    const shape = shapeOf(type);
    if (shape === undefined) throw protobufBody();
    return { value: { ...decodeMessage(shape, message), ...type }, duplicates: [], text: '', complaints: [] };
  } catch (cause) {
    if (!(cause instanceof ProtobufProblem)) throw cause;
    throw new SyntaxProblem(cause.message, { cause, ...(type === undefined ? {} : { type }) });
  }
}

function parseYaml(bytes: Buffer): JsonDocument {
  const { isScalar, LineCounter, parseDocument, visit } = yaml();
  const lineCounter = new LineCounter();
  const document = parseDocument(bytes.toString(), {
    // As in Go: `y` and `on` are booleans, times stay text, and the last of two equal keys counts.
    version: '1.1',
    customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || !isTimeTag(tag)),
    uniqueKeys: false,
    lineCounter,
    logLevel: 'silent',
  });
  const [error] = document.errors;
  if (error !== undefined) {
    throw new SyntaxProblem(`yaml: line ${error.linePos?.[0].line ?? 1}: ${error.message.split('\n', 1)[0]}`);
  }
  const complaints: string[] = [];
  visit(document, {
    Map(_, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const text = String(key);
        const offset = isScalar(key) ? key.range?.[0] : 0;
        if (seen.has(text)) {
          complaints.push(
            `line ${lineCounter.linePos(offset ?? 0).line}: key ${JSON.stringify(text)} already set in map`,
          );
        }
        seen.add(text);
      }
    },
  });
  try {
    // Through JSON, so that what only YAML has (NaN, keys that are numbers) becomes what JSON makes of it.
    const json = JSON.stringify(document.toJS({ maxAliasCount: 100 })) ?? 'null';
    return { ...parseJson(Buffer.from(json)), complaints };
  } catch (cause) {
    if (cause instanceof SyntaxProblem) throw cause;
    throw new SyntaxProblem(`yaml: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function isTimeTag(tag: CollectionTag | ScalarTag): boolean {
  return ('format' in tag && tag.format === 'TIME') || tag.tag === 'tag:yaml.org,2002:timestamp';
}

function protobufBody(): StatusError {
  const message = `the body of the request is in ${MEDIA_TYPE.protobuf} that this server cannot read: use ${MEDIA_TYPE.json} (accepted media types include: ${MEDIA_TYPE.json}, ${MEDIA_TYPE.yaml})`;
  return failure({ code: 415, reason: 'UnsupportedMediaType', message });
}
