/** `/openapi/v2` and `/openapi/v3`: which document, in which form, and whether the client has it already. */

import { firstValue } from '@listwatch/api';
import { notFoundPage } from '../answer/text-response.ts';
import { acceptsGzip } from '../answer/write-response.ts';
import type { ApiRequest } from '../contract/api-request.ts';
import type { ApiResponse, BytesResponse, ResponseHeaders } from '../contract/api-response.ts';
import type { DocumentForm } from '../openapi/document-form.ts';
import type { OpenApiDocuments, PackedDocument } from '../openapi/openapi-documents.ts';
import { parseAccept } from './accept-clause.ts';

/** What the endpoint needs. */
export interface OpenApiEndpointParts {
  /** Called for the first request: a server that nobody asks for them loads no documents and no code of them. */
  readonly documents: () => Promise<OpenApiDocuments>;
  /** The documents of backends. Default: there are none. */
  readonly remote?:
    | {
        readonly index: () => Readonly<Record<string, object>>;
        readonly answer: (name: string, request: ApiRequest) => Promise<ApiResponse> | undefined;
      }
    | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const ROOT = '/openapi/';
const VERSION_3 = '/openapi/v3/';
/** Of all answers, so that no cache mixes their forms. */
const VARY = 'Accept-Encoding, Accept';
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** Answers a request below `/openapi/`, with any method, as kube-apiserver does; undefined for any other path. */
export function answerOpenApi(parts: OpenApiEndpointParts, request: ApiRequest): Promise<ApiResponse> | undefined {
  const path = request.route.rawPath;
  return path.startsWith(ROOT) ? answer(parts, request, path) : undefined;
}

async function answer(parts: OpenApiEndpointParts, request: ApiRequest, path: string): Promise<ApiResponse> {
  if (path === '/openapi/v2') return answerVersion2(parts, request);
  if (path === '/openapi/v3') {
    const documents = await parts.documents();
    return bytes(200, { 'content-type': 'text/plain; charset=utf-8' }, await documents.index(parts.remote?.index()));
  }
  return path.startsWith(VERSION_3) ? answerVersion3(parts, request, path) : notFoundPage();
}

async function answerVersion2({ documents }: OpenApiEndpointParts, request: ApiRequest): Promise<ApiResponse> {
  const form = acceptedForm(request, 2);
  if (form === undefined) return bytes(406, { vary: VARY });
  const document = await (await documents()).version2(form);
  return send(request, document, { 'content-type': mediaType(2, form) });
}

async function answerVersion3(parts: OpenApiEndpointParts, request: ApiRequest, path: string): Promise<ApiResponse> {
  const name = path.slice(VERSION_3.length);
  const proxied = parts.remote?.answer(name, request);
  if (proxied !== undefined) return proxied;
  const documents = await parts.documents();
  if (!documents.has(name)) return bytes(404, {});
  const form = acceptedForm(request, 3);
  if (form === undefined) return bytes(406, { vary: VARY });
  const document = await documents.version3(name, form);
  const type = { 'content-type': mediaType(3, form) };
  const wanted = firstValue(request.route.query, 'hash') ?? '';
  if (wanted === '') return send(request, document, type);
  if (wanted !== document.hash) {
    const location = `${path}?hash=${document.hash}`;
    return bytes(301, { ...type, etag: etagOf(document), vary: VARY, location });
  }
  // The address names the content: clients may keep it without asking again.
  const expires = new Date(parts.now() + YEAR_MS).toUTCString();
  return send(request, document, { ...type, 'cache-control': 'public, immutable', expires });
}

async function send(request: ApiRequest, document: PackedDocument, headers: ResponseHeaders): Promise<BytesResponse> {
  const etag = etagOf(document);
  if (names(request.header('if-none-match'), etag)) return bytes(304, { etag, vary: VARY });
  if (!acceptsGzip(request.header('accept-encoding'))) {
    return bytes(200, { ...headers, etag, vary: VARY }, await document.plain());
  }
  return bytes(200, { ...headers, etag, vary: VARY, 'content-encoding': 'gzip' }, document.packed);
}

function etagOf({ hash }: PackedDocument): string {
  return `"${hash}"`;
}

/** Does a list of tags name this one? Proxies that pack answers make tags weak. */
function names(tags: string | undefined, etag: string): boolean {
  return (tags ?? '').split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//u, '') === etag);
}

/** JSON for a client that takes anything; undefined when it takes neither form. */
function acceptedForm(request: ApiRequest, version: 2 | 3): DocumentForm | undefined {
  const accept = request.header('accept') ?? '';
  if (accept === '') return 'json';
  for (const { type, subtype } of parseAccept(accept)) {
    if (type !== 'application' && type !== '*') continue;
    if (subtype === '*' || subtype === 'json') return 'json';
    if (subtype === protobufSubtype(version, '.') || subtype === protobufSubtype(version, '@')) return 'protobuf';
  }
  return undefined;
}

/** Media types have no `@`: the form with a dot came later, and clients send both. */
function protobufSubtype(version: 2 | 3, separator: '.' | '@'): string {
  return `com.github.proto-openapi.spec.v${version}${separator}v1.0+protobuf`;
}

function mediaType(version: 2 | 3, form: DocumentForm): string {
  return `application/${form === 'json' ? 'json' : protobufSubtype(version, '.')}`;
}

function bytes(status: number, headers: ResponseHeaders, body: Buffer = Buffer.alloc(0)): BytesResponse {
  return { type: 'bytes', status, headers, body };
}
