/** A kubelet that knows SPDY and no WebSocket, scripted by the test. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { constants, inflateSync } from 'node:zlib';
import type { TestCertificatePair } from '../parts/test-authority.ts';

/** One connection in SPDY. */
export interface SpdyConnection {
  readonly message: IncomingMessage;
  /** As it is, for bytes that are no frames. */
  readonly socket: Duplex;
  /** Bytes of the streams by their type; undefined at the end of one. */
  readonly received: readonly (readonly [type: string, bytes: Buffer | undefined])[];
  /** Sends bytes on a stream, and its end. */
  send(type: string, bytes: Buffer | string, ends?: boolean): void;
}

export interface SpdyPeerOptions {
  readonly certificate: TestCertificatePair;
  /** Called for each connection, before its streams are there. */
  readonly onConnection?: ((connection: SpdyConnection) => void) | undefined;
  /** Called with each piece of a stream; undefined at its end. */
  readonly onBytes?: ((connection: SpdyConnection, type: string, bytes: Buffer | undefined) => void) | undefined;
  /** Does it confirm streams? Default: yes. */
  readonly confirms?: boolean | undefined;
}

export interface SpdyPeer {
  readonly port: number;
  /** The protocols that were asked for: `websocket v5.channel.k8s.io`. */
  readonly asked: readonly string[];
  readonly connections: readonly SpdyConnection[];
  close(): Promise<void>;
}

const HEAD_BYTES = 8;
const SYN_STREAM = 1;
const ENDS = 1;

/** Starts one on 127.0.0.1. */
export async function startSpdyPeer(options: SpdyPeerOptions): Promise<SpdyPeer> {
  const asked: string[] = [];
  const connections: SpdyConnection[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer(options.certificate);
  server.on('upgrade', (message, socket: Duplex, head: Buffer) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    const { upgrade = '', 'sec-websocket-protocol': offered = '' } = message.headers;
    const version = String(message.headers['x-stream-protocol-version'] ?? '');
    asked.push(`${upgrade} ${offered}${version}`);
    if (upgrade !== 'SPDY/3.1') {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const lines = ['Connection: Upgrade', 'Upgrade: SPDY/3.1', `X-Stream-Protocol-Version: ${version}`];
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
    const connection = new PeerStreams(message, socket, options);
    connections.push(connection);
    options.onConnection?.(connection);
    if (version.startsWith('v')) connection.read(head);
  });
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const address = server.address();
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { port: typeof address === 'object' && address !== null ? address.port : 0, asked, connections, close };
}

class PeerStreams implements SpdyConnection {
  readonly message: IncomingMessage;
  readonly socket: Duplex;
  readonly received: (readonly [type: string, bytes: Buffer | undefined])[] = [];
  readonly #options: SpdyPeerOptions;
  readonly #types = new Map<number, string>();
  /** All header blocks so far: they are one stream of zlib. */
  #compressed = Buffer.alloc(0);
  #headers = 0;
  #waiting = Buffer.alloc(0);

  constructor(message: IncomingMessage, socket: Duplex, options: SpdyPeerOptions) {
    this.message = message;
    this.socket = socket;
    this.#options = options;
  }

  read(first: Buffer): void {
    this.#take(first);
    this.socket.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  send(type: string, bytes: Buffer | string, ends = false): void {
    const [id = 0] = [...this.#types].find(([, name]) => name === type) ?? [];
    const content = Buffer.from(bytes);
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32BE(id, 0);
    head.writeUInt32BE(content.length, 4);
    head.writeUInt8(ends ? ENDS : 0, 4);
    this.socket.write(Buffer.concat([head, content]));
  }

  #take(chunk: Buffer): void {
    this.#waiting = Buffer.concat([this.#waiting, chunk]);
    while (this.#waiting.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + this.#waiting.readUIntBE(5, 3);
      if (this.#waiting.length < end) return;
      const frame = this.#waiting.subarray(0, end);
      this.#waiting = this.#waiting.subarray(end);
      if (frame.readUInt8(0) < 0x80) this.#data(frame);
      else if (frame.readUInt16BE(2) === SYN_STREAM) this.#open(frame);
    }
  }

  #data(frame: Buffer): void {
    const type = this.#types.get(frame.readUInt32BE(0)) ?? 'unknown';
    const bytes = frame.subarray(HEAD_BYTES);
    if (bytes.length > 0) this.#tell(type, bytes);
    if (frame.readUInt8(4) === ENDS) this.#tell(type, undefined);
  }

  #tell(type: string, bytes: Buffer | undefined): void {
    this.received.push([type, bytes]);
    this.#options.onBytes?.(this, type, bytes);
  }

  #open(frame: Buffer): void {
    const id = frame.readUInt32BE(HEAD_BYTES);
    this.#compressed = Buffer.concat([this.#compressed, frame.subarray(18)]);
    const all = inflateSync(this.#compressed, { finishFlush: constants.Z_SYNC_FLUSH });
    const block = all.subarray(this.#headers);
    this.#headers = all.length;
    // One header: its name, 10 bytes, and its value, each behind its length.
    this.#types.set(id, block.subarray(4 + 4 + 10 + 4).toString());
    const reply = Buffer.of(0x80, 3, 0, 2, 0, 0, 0, 4, 0, 0, 0, id);
    if (this.#options.confirms !== false) this.socket.write(reply);
  }
}
