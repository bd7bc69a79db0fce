/** Asks for lists in gzip, and unpacks them. Node only: a browser does both by itself. */

import type { TransportDecorator, TransportRequest } from '../transport.ts';
import { isWatchRequest, wrap } from './decorate.ts';

/** What says how the bytes were packed says nothing of what they are unpacked. */
const OF_THE_PACKED: ReadonlySet<string> = new Set(['content-encoding', 'content-length']);

/**
 * A list is a tenth of its size then, and comes in a tenth of the pieces. Servers pack what is larger than 128 KiB and no watch.
 */
export function gzipAnswers(): TransportDecorator {
  return (next) =>
    wrap(next, async (request) => {
      if (!isAsked(request)) return next.send(request);
      const headers = { ...request.headers, 'accept-encoding': 'gzip' };
      const response = await next.send({ ...request, headers });
      if (response.headers['content-encoding'] !== 'gzip') return response;
      // Loaded with the first that is packed: most programs follow something small.
      const { UnpackedBody } = await import('../exchange/unpacked-body.ts');
      const kept = Object.entries(response.headers).filter(([name]) => !OF_THE_PACKED.has(name));
      return { status: response.status, headers: Object.fromEntries(kept), body: new UnpackedBody(response.body) };
    });
}

/** What is known of a server and what its user wants. */
interface Wishes {
  readonly compression?: boolean | undefined;
}

/** Are its lists to be asked for in gzip? On this machine it would cost both sides work and spare nobody anything. */
export function isPacked(
  described: Wishes & { readonly servers: readonly string[] },
  { compression }: Wishes,
): boolean {
  return compression ?? described.compression ?? !described.servers.every(isLoopback);
}

function isLoopback(server: string): boolean {
  const { hostname } = new URL(server);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/u.test(hostname);
}

/** Whoever asks for an encoding of their own wants to unpack it. */
function isAsked(request: TransportRequest): boolean {
  const isPlain = request.method === 'GET' && request.upgrade === undefined;
  return isPlain && request.headers['accept-encoding'] === undefined && !isWatchRequest(request);
}
