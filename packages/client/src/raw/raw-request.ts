/** A request of any kind, as `cluster.raw` takes it. */

import type { AbortOptions } from '@listwatch/api';
import { checkOptionNames, type OptionNames } from '../request/option-names.ts';
import type { TransportRequest } from '../transport/transport.ts';

/** Options of `cluster.raw`. */
export interface RawRequest extends AbortOptions {
  /** Default: GET. */
  readonly method?: TransportRequest['method'] | undefined;
  /** Names in any case. Login, and the User-Agent unless you set one, are added. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** Bytes and text go as they are, any other object as JSON. */
  readonly body?: Uint8Array | object | string | undefined;
  /** How long the server may take to answer. Default: that of the cluster. 0: no limit. */
  readonly headersTimeoutMs?: number | undefined;
  /** How long the body may be silent. Default: for ever. */
  readonly idleTimeoutMs?: number | undefined;
  /** How often it may be sent again where that is safe. Default: that of the cluster. */
  readonly maxRetries?: number | undefined;
}

const RAW_NAMES: OptionNames<RawRequest> = {
  signal: true,
  method: true,
  headers: true,
  body: true,
  headersTimeoutMs: true,
  idleTimeoutMs: true,
  maxRetries: true,
};

/** The request as a transport takes it. Throws a `TypeError` for a path that leads to another server. */
export function rawRequest(path: string, options: RawRequest, userAgent: string): TransportRequest {
  checkOptionNames('raw', options, RAW_NAMES);
  // A token that goes to another host is a token that is lost: what begins with two slashes is a host.
  if (typeof path !== 'string' || !/^\/(?!\/)[\x21-\x7e]*$/u.test(path)) {
    throw new TypeError(`the path must begin with one / and be percent-encoded: ${JSON.stringify(path)}`);
  }
  // A browser makes another path of it: out of the target of a proxy, for one that is made of what somebody typed.
  if (
    path
      .replace(/\?.*$/u, '')
      .split('/')
      .some((segment) => /^(?:\.|%2e){1,2}$/iu.test(segment))
  ) {
    throw new TypeError(`the path must have no part . or ..: ${JSON.stringify(path)}`);
  }
  const { method = 'GET', headers = {}, body, ...rest } = options;
  const isJson = typeof body === 'object' && !(body instanceof Uint8Array);
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    ...rest,
    method,
    path,
    headers: { 'user-agent': userAgent, ...(isJson ? { 'content-type': 'application/json' } : {}), ...given },
    body: bytesOf(body),
  };
}

function bytesOf(body: RawRequest['body']): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}
