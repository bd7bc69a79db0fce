/** A server whose WebSockets are scripted by the test: a kubelet, or an API server in front of one. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { TestCertificatePair } from '../parts/test-authority.ts';

/** One WebSocket that a client has opened. */
export interface PeerConnection {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly socket: WebSocket;
  /** Sends bytes on a channel. Resolves when they are out. */
  send(channel: number, bytes: Uint8Array | string): Promise<void>;
}

export interface StreamPeerOptions {
  /** Absent: without TLS. */
  readonly certificate?: TestCertificatePair | undefined;
  /** What it speaks, the best first. Default: v5 and v4. */
  readonly protocols?: readonly string[] | undefined;
  /** Called for each connection. */
  readonly onConnection: (connection: PeerConnection) => Promise<void> | void;
  /** Answers what is no WebSocket. Default: 404. */
  readonly onRequest?: RequestListener | undefined;
  /** How a handshake is refused: with a status, by cutting the connection, or not at all. Undefined: it is accepted. */
  readonly refuse?: ((message: IncomingMessage) => PeerRefusal | undefined) | undefined;
}

export type PeerRefusal = 'cut' | 'silence' | { readonly code: number; readonly body: string };

export interface StreamPeer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly connections: readonly PeerConnection[];
  /** Connections of TCP that are open. */
  readonly openSockets: number;
  close(): Promise<void>;
}

const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/** Starts one on 127.0.0.1. */
export async function startStreamPeer(options: StreamPeerOptions): Promise<StreamPeer> {
  const { certificate, protocols = PROTOCOLS, onConnection, onRequest = notFound, refuse } = options;
  const connections: PeerConnection[] = [];
  const sockets = new Set<Socket>();
  const server = certificate === undefined ? createServer(onRequest) : createSecureServer(certificate, onRequest);
  const webSockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => protocols.find((name) => offered.has(name)) ?? false,
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  server.on('upgrade', (message, socket, head) => {
    const refused = refuse?.(message);
    if (refused === 'silence') return;
    if (refused === 'cut') {
      socket.destroy();
      return;
    }
    if (refused !== undefined) {
      const length = Buffer.byteLength(refused.body);
      const lines = ['content-type: application/json', `content-length: ${length}`, 'connection: close'];
      socket.end(`HTTP/1.1 ${refused.code} Refused\r\n${lines.join('\r\n')}\r\n\r\n${refused.body}`);
      return;
    }
    webSockets.handleUpgrade(message, socket, head, (client) => {
      client.on('error', () => {});
      const connection = connectionOf(message, client);
      connections.push(connection);
      void onConnection(connection);
    });
  });
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = addressOf(server.address());
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  };
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    connections,
    get openSockets() {
      return sockets.size;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function connectionOf(message: IncomingMessage, socket: WebSocket): PeerConnection {
  const { pathname, searchParams } = new URL(message.url ?? '', 'http://peer');
  return {
    path: pathname,
    query: searchParams,
    headers: message.headers,
    socket,
    send: (channel, bytes) =>
      new Promise((resolve) => {
        socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(bytes)]), () => resolve());
      }),
  };
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new TypeError(`no port: ${address}`);
  return address;
}

const notFound: RequestListener = (_, response) => {
  response.writeHead(404).end();
};
