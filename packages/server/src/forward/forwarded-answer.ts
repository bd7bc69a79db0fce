/** The answer of another server as our own. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ForwardedAnswer } from '../contract/forwarding.ts';
import { HOP_HEADERS } from './hop-headers.ts';

/** An answer that is sent on as it comes. */
export function forwardedAnswer(message: IncomingMessage, socket: Socket): ForwardedAnswer {
  const { statusCode: status = 502 } = message;
  const headers = headersOf(message);
  return {
    status,
    headers,
    response: { type: 'stream', isLive: true, status, headers, chunks: chunksOf(message, socket) },
  };
}

/** A connection that has changed its protocol: from here on bytes go through. */
export function forwardedTunnel(message: IncomingMessage, socket: Socket, first: Buffer): ForwardedAnswer {
  return {
    status: 101,
    headers: headersOf(message),
    response: { type: 'tunnel', headers: message.rawHeaders, socket, first },
  };
}

/** Its own connection ends with it, whether it was read or not. */
async function* chunksOf(message: IncomingMessage, socket: Socket): AsyncGenerator<Buffer, undefined> {
  try {
    for await (const chunk of message) yield chunk;
    return undefined;
  } finally {
    socket.destroy();
  }
}

/** A proxied page must not open this server's origin to others, nor set cookies for it. */
function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || HOP_HEADERS.has(name) || name === 'set-cookie') continue;
    if (name.startsWith('access-control-')) continue;
    kept[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return kept;
}
