/** A watch of the page as a WebSocket. */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { UpstreamAnswer } from './console-upstream.ts';
import { DATA_HEADERS } from './door-answer.ts';
import { written } from './forwarded-request.ts';
import { WATCH_PROTOCOL } from './offered-protocols.ts';

/** What the page sends is dropped. */
const CLIENT_MESSAGE_MAX_BYTES = 1024;
const NORMAL_CLOSURE = 1000;

/** A handshake as Node gives it. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What has come after the handshake. */
  readonly head: Buffer;
}

/** Completes a handshake. Rejects when the page has gone. */
export async function acceptWebSocket({ request, socket, head }: Upgrade): Promise<WebSocket> {
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: CLIENT_MESSAGE_MAX_BYTES,
    handleProtocols: (names) => (names.has(WATCH_PROTOCOL) ? WATCH_PROTOCOL : false),
  });
  return new Promise((resolve, reject) => {
    socket.once('close', () => reject(new Error('the page has gone')));
    server.handleUpgrade(request, socket, head, resolve);
  });
}

/** Sends the body of a watch as messages. */
export async function passBackMessages(client: WebSocket, { body }: UpstreamAnswer): Promise<void> {
  for await (const chunk of body) await written((done) => client.send(chunk, { binary: true }, done));
  client.close(NORMAL_CLOSURE);
}

/** Answers a handshake that does not become a WebSocket. The page asks again by fetch, which shows why. */
export function refuseHandshake(socket: Duplex, status: number): void {
  if (socket.destroyed) return;
  const headers = Object.entries({ ...DATA_HEADERS, 'content-length': '0', connection: 'close' });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines}\r\n`);
}
