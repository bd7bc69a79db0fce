/** A grammar of requests: mostly what clients send, with something wrong in it. */

import fc from 'fast-check';
import { fuzzApply } from './fuzz-apply.ts';
import { fuzzBody } from './fuzz-body.ts';
import { fuzzCustom } from './fuzz-custom.ts';
import { fuzzPath } from './fuzz-path.ts';
import { fuzzProtobuf } from './fuzz-protobuf.ts';
import { fuzzQuery } from './fuzz-query.ts';
import { fuzzWrite } from './fuzz-write.ts';
import { mostly } from './mostly.ts';
import { fuzzFrames } from './websocket-frames.ts';

/** A request as it goes out. */
export interface FuzzRequest {
  readonly transport: 'http/1.1' | 'http/2' | 'websocket';
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** What is sent when a WebSocket is open. */
  readonly frames: Buffer;
}

const TYPES = ['application/json', 'application/yaml', 'application/merge-patch+json', 'application/json-patch+json'];
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: [
    'application/json',
    '*/*',
    'application/yaml',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    'application/vnd.kubernetes.protobuf',
    'text/html',
    ';;;',
    'application/json;q=x',
    '',
  ],
  'accept-encoding': ['gzip', 'identity', 'br', '*;q=0', ','],
  'user-agent': ['curl/8', 'kubectl/v1.36', '', 'Mozilla/5.0', '/'],
  'if-none-match': ['"x"', '*'],
  'content-encoding': ['gzip'],
  'impersonate-user': ['somebody'],
  'x-http-method-override': ['DELETE'],
  'audit-id': ['x', 'é', 'x'.repeat(100)],
  range: ['bytes=0-1'],
  origin: ['https://example.com', 'null', ':'],
};
const anyHeaders = fc
  .array(
    fc
      .constantFrom(...Object.entries(HEADERS))
      .chain(([key, values]) => fc.tuple(fc.constant(key), fc.constantFrom(...values))),
    { maxLength: 3 },
  )
  .map((pairs) => Object.fromEntries(pairs));
const contentType = mostly(
  fc.constantFrom(...TYPES),
  fc.constantFrom(
    '',
    'text/plain',
    'application/strategic-merge-patch+json',
    'application/apply-patch+yaml',
    'application/vnd.kubernetes.protobuf',
    ';;',
    'application/json; charset=x',
  ),
  6,
);
const token = mostly(fc.constant('right'), fc.constantFrom('none', 'wrong', 'basic'), 20);

const anyMethod = fc.oneof(
  { arbitrary: fc.constant('GET'), weight: 8 },
  { arbitrary: fc.constantFrom('POST', 'PUT', 'PATCH'), weight: 8 },
  { arbitrary: fc.constant('DELETE'), weight: 2 },
  { arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK'), weight: 1 },
);

type Parts = Pick<FuzzRequest, 'body' | 'method'> & { readonly path: string; readonly contentType: string };

/** Anything: the parts need not fit together. */
const anyParts: fc.Arbitrary<Parts> = fc.record({ method: anyMethod, path: fuzzPath, contentType, body: fuzzBody });

const anyTransport: fc.Arbitrary<FuzzRequest['transport']> = fc.oneof(
  { arbitrary: fc.constant('http/1.1'), weight: 8 },
  { arbitrary: fc.constant('http/2'), weight: 8 },
  { arbitrary: fc.constant('websocket'), weight: 1 },
);

/** Requests with this token where they show the right one. */
export function fuzzRequests(bearer: string): fc.Arbitrary<FuzzRequest> {
  const authorization = { right: `Bearer ${bearer}`, wrong: 'Bearer wrong', basic: 'Basic eDp5', none: undefined };
  return fc
    .record({
      transport: anyTransport,
      parts: fc.oneof(
        { arbitrary: anyParts, weight: 10 },
        { arbitrary: fuzzWrite, weight: 5 },
        { arbitrary: fuzzCustom, weight: 6 },
        { arbitrary: fuzzApply, weight: 5 },
        { arbitrary: fuzzProtobuf, weight: 1 },
      ),
      query: fuzzQuery,
      headers: anyHeaders,
      token,
      frames: fuzzFrames,
    })
    .map((drawn) => {
      const { path, body, ...parts } = drawn.parts;
      const isSocket = drawn.transport === 'websocket';
      const method = isSocket ? 'GET' : parts.method;
      const hasBody = body !== undefined && ['PATCH', 'POST', 'PUT', 'DELETE'].includes(method);
      const who = authorization[drawn.token];
      return {
        transport: drawn.transport,
        method,
        target: path.includes('?') ? path : path + (isSocket ? watching(drawn.query) : drawn.query),
        headers: {
          ...(isSocket ? { origin: 'https://example.com' } : {}),
          ...drawn.headers,
          ...(hasBody ? { 'content-type': parts.contentType } : {}),
          ...(who === undefined ? {} : { authorization: who }),
        },
        body: hasBody ? body : undefined,
        frames: drawn.frames,
      };
    });
}

/** A WebSocket is opened for a watch only, so most should ask for one. */
function watching(query: string): string {
  return query === '' ? '?watch=1' : `${query}&watch=1`;
}

/** A request as a person would write it down, to be tried again. */
export function requestText({ transport, method, target, headers, body }: FuzzRequest): string {
  const { authorization: _secret, ...shown } = headers;
  const start = body === undefined ? '' : ` ${JSON.stringify(body.subarray(0, 300).toString())}`;
  return `${transport} ${method} ${target} ${JSON.stringify(shown)}${start}`;
}
