/** The API behind the door: the server in this process, or a cluster. */

import type { AbortOptions } from '@listwatch/api';
import type { Transport, TransportRequest } from '@listwatch/client';
import type { ApiServer, UserInfo } from '@listwatch/server';

/** The methods that the door passes on. */
export const FORWARDED_METHODS: readonly TransportRequest['method'][] = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];

/** A request as the door passes it on: nothing of the browser but what is here. */
export interface UpstreamRequest extends AbortOptions {
  readonly method: TransportRequest['method'];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
}

/** An answer. Its body is pulled; a chunk is valid until the next one is pulled. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends a request. Rejects when there is no answer. */
export type Upstream = (request: UpstreamRequest) => Promise<UpstreamAnswer>;

/** The server in this process. Its requests need no credentials: the door says who they are. */
export function serverUpstream(server: Pick<ApiServer, 'handle'>, user: UserInfo): Upstream {
  return (request) => server.handle(request, { user });
}

/** Any cluster, with the credentials of the transport. A 429 is for the page to see. */
export function clusterUpstream(transport: Pick<Transport, 'send'>): Upstream {
  return (request) =>
    transport.send({ ...request, ...(isFollowedLog(request.path) && followed(request)), maxRetries: 0 });
}

/** A server sends no headers before a container writes its first line, and packed lines would wait for more. */
function followed({ headers }: UpstreamRequest): Pick<TransportRequest, 'headers' | 'headersTimeoutMs'> {
  return { headers: { ...headers, 'accept-encoding': 'identity' }, headersTimeoutMs: 0 };
}

function isFollowedLog(target: string): boolean {
  const [path = '', query = ''] = target.split('?', 2);
  return /\/pods\/[^/]+\/log$/u.test(path) && /^(?:1|t|true)$/iu.test(new URLSearchParams(query).get('follow') ?? '');
}

/** The text of a short answer; undefined when it is longer, or no success. */
export async function readShortText(
  { status, body }: UpstreamAnswer,
  maxBytes: number = 64 * 1024,
): Promise<string | undefined> {
  let text = '';
  // Leaving the loop ends the exchange.
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString('utf8');
    if (text.length > maxBytes) return undefined;
  }
  return status >= 200 && status < 300 ? text : undefined;
}
