/** A bare HTTP/1.1 server whose answers are the test's, with WebSockets where the test wants them. */

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { TestCertificatePair } from '../parts/test-authority.ts';
import { drained } from './drained-stream.ts';
import type { ScriptedExchange, ScriptedServer } from './scripted-exchange.ts';

export interface ScriptedServerOptions {
  readonly certificate: TestCertificatePair;
  readonly ca: string;
}

export async function startHttp1Server({ certificate, ca }: ScriptedServerOptions): Promise<ScriptedServer> {
  const exchanges: ScriptedExchange[] = [];
  const sockets = new Set<Socket>();
  // No time limits: silence is what the tests are about.
  const server = createServer({ ...certificate, keepAliveTimeout: 0, requestTimeout: 0 }, (request, response) => {
    void readAll(request).then((body) => exchanges.push(plainExchange(request, response, body)));
  });
  const upgrades = new WebSocketServer({ noServer: true, handleProtocols: (names) => lastOf(names) });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    exchanges.push(
      upgradedExchange(request, socket, (accept) => upgrades.handleUpgrade(request, socket, head, (ws) => accept(ws))),
    );
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    ca,
    get sockets() {
      return sockets.size;
    },
    exchanges,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function lastOf(names: ReadonlySet<string>): string | false {
  return [...names].at(-1) ?? false;
}

function plainExchange(request: IncomingMessage, response: ServerResponse, body: Uint8Array): ScriptedExchange {
  response.on('error', () => {});
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: flat(request),
    body,
    get closed() {
      return response.closed;
    },
    head: (status, headers = {}) => {
      response.writeHead(status, headers);
      response.flushHeaders();
    },
    write: async (chunk) => {
      if (!response.write(chunk)) await drained(response);
    },
    end: () => response.end(),
    cut: () => response.socket?.destroy(),
  };
}

function upgradedExchange(
  request: IncomingMessage,
  socket: Duplex,
  upgrade: (accept: (ws: WebSocket) => void) => void,
): ScriptedExchange {
  let accepted: WebSocket | undefined;
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: flat(request),
    body: new Uint8Array(),
    get closed() {
      return socket.destroyed;
    },
    head: (status) => {
      if (status === 200) upgrade((ws) => (accepted = ws));
      else socket.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    },
    write: (chunk) =>
      new Promise((resolve, reject) => {
        accepted?.send(chunk, { binary: false }, (error) => (error instanceof Error ? reject(error) : resolve()));
      }),
    end: () => accepted?.close(1000),
    cut: () => socket.destroy(),
  };
}

function flat({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** The port that a server was given. */
export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('a TCP server has a port');
  return address.port;
}

/** The whole of what a client sent. */
export async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
