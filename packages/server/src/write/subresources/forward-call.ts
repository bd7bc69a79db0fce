/** Forwards a call to another server. */

import { badRequest } from '@listwatch/api';
import type { ApiRequest } from '../../contract/api-request.ts';
import type { ApiResponse } from '../../contract/api-response.ts';
import { ForwardError, type ForwardedAnswer, type Forwarder, type KubeletStreams } from '../../contract/forwarding.ts';
import type { ResourceCall } from '../../contract/verb.ts';

/** The parts that forwarding needs. */
export interface ForwardingParts {
  /** Absent: no server can be reached. */
  readonly forwarder: Forwarder | undefined;
  /** The headers of a request to forward. */
  readonly headers: (
    raw: readonly string[],
    options: { readonly host: string; readonly upgrade: string | undefined },
  ) => readonly string[];
  /** Throws the 403 when the user lacks the verb `create` on the resource of the request. */
  readonly requireCreate: (request: ApiRequest) => Promise<void>;
}

/** The target of a call. */
export interface ForwardTarget {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly isKubelet: boolean;
  /** With the query. */
  readonly path: string;
  /** What a kubelet is asked for, when that can be translated. */
  readonly streams?: KubeletStreams | undefined;
  /** The error for an unreachable target. */
  readonly unreachable: (why: string) => Error;
}

export const REFUSED = 'connect: connection refused';

/** Sends it. Throws the target's own error when it cannot be reached. */
export async function forward(
  { forwarder, headers }: ForwardingParts,
  { request }: ResourceCall,
  target: ForwardTarget,
): Promise<ForwardedAnswer> {
  const { host, port, secure, isKubelet, path, streams, unreachable } = target;
  if (forwarder === undefined) throw unreachable(`dial tcp ${host}:${port}: ${REFUSED}`);
  const body = await bodyOf(request);
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  try {
    return await forwarder.send({
      host,
      port,
      secure,
      isKubelet,
      method: request.method,
      path,
      headers: headers(request.rawHeaders, { host: authority, upgrade: request.upgrade }),
      body,
      streams,
      signal: request.signal,
      onAsked: () => request.liftLimits(),
    });
  } catch (error) {
    if (!(error instanceof ForwardError)) throw error;
    throw error.why === 'not allowed' ? badRequest(error.message) : unreachable(error.message);
  }
}

/** Reads the body. HTTP/2 need not announce a body, so its absence from the headers proves nothing. */
async function bodyOf(request: ApiRequest): Promise<Buffer | undefined> {
  if (request.upgrade !== undefined || request.method === 'GET' || request.method === 'HEAD') return undefined;
  const body = await request.body();
  return body.length === 0 ? undefined : body;
}

/** `host:port`, the host of IPv6 without its brackets. */
export function hostAndPort(address: string): { readonly host: string; readonly port: number } {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon).replace(/^\[|\]$/gu, ''), port: Number(address.slice(colon + 1)) };
}

/** Enough for the error message of a kubelet, which is one line. */
const MAX_TEXT_BYTES = 50 * 1024;

/** The beginning of an answer as text. */
export async function readText(response: ApiResponse): Promise<string> {
  if (response.type !== 'stream') return '';
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.chunks) {
    parts.push(chunk);
    size += chunk.length;
    if (size >= MAX_TEXT_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, MAX_TEXT_BYTES).toString().trim();
}
