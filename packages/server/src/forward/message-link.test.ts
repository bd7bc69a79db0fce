import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { eventually } from '@listwatch/conformance/storage';
import { describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { MessageLink } from './message-link.ts';
import { joinPorts } from './port-tunnel.ts';

/** A connection whose other end takes nothing until `takeAll`; `push` is what that end sends. */
class Connection extends Duplex {
  #waiting: (() => void)[] = [];
  #takes = false;
  /** Parts that Node has handed on. */
  parts = 0;

  override _read(): void {}

  override _write(_chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.parts += 1;
    if (this.#takes) done();
    else this.#waiting.push(done);
  }

  takeAll(takes = true): void {
    this.#takes = takes;
    for (const done of this.#waiting.splice(0)) done();
  }
}

/** A WebSocket of a server over `socket`, after its handshake. */
async function accept(socket: Connection): Promise<WebSocket> {
  const headers = {
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  };
  const message = Object.assign(new EventEmitter(), { method: 'GET', url: '/', headers });
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, clientTracking: false });
  socket.takeAll();
  const client = await new Promise<WebSocket>((resolve) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that a handshake reads
    server.handleUpgrade(message as unknown as IncomingMessage, socket, Buffer.alloc(0), resolve);
  });
  socket.takeAll(false);
  client.on('error', () => {});
  return client;
}

/** Messages of a client, masked with zeros. */
function messages(count: number, payload: Buffer): Buffer {
  return Buffer.concat(
    Array.from({ length: count }, () => [Buffer.of(0x82, 0x80 | payload.length, 0, 0, 0, 0), payload]).flat(),
  );
}

/** What a side that is never held back would have to take. */
const MANY = 20_000;
const FEW = 2048;

describe('messages of a client that the other side does not take', () => {
  it('hold the client back, however small they are', async () => {
    const [socket, kubelet] = [new Connection(), new Connection()];
    const client = await accept(socket);
    let received = 0;
    const link = new MessageLink(client, kubelet);
    link.start(
      {
        onMessage: (message) => {
          received += 1;
          link.write([message]);
        },
        onBytes: () => {},
        onEnd: () => {},
      },
      Buffer.alloc(0),
    );
    for (let sent = 0; sent < MANY; sent += 10) socket.push(messages(10, Buffer.of(1)));
    await eventually('the client is held back', () => client.isPaused);
    expect(received).toBeLessThan(FEW);
    kubelet.takeAll();
    await eventually('everything passes once it is taken', () => received === MANY);
    expect(client.isPaused).toBe(false);
    client.terminate();
  });

  it('are not kept at all when they are empty', async () => {
    const [socket, kubelet] = [new Connection(), new Connection()];
    const client = await accept(socket);
    let received = 0;
    client.on('message', () => (received += 1));
    joinPorts(client, kubelet, Buffer.alloc(0));
    socket.push(messages(1, Buffer.of(1)));
    for (let sent = 0; sent < MANY; sent += 10) socket.push(messages(10, Buffer.alloc(0)));
    await eventually('all have come', () => received === MANY + 1);
    kubelet.takeAll();
    await eventually('the byte is taken', () => kubelet.writableLength === 0);
    expect(kubelet.parts).toBe(1);
    client.terminate();
  });

  it('go on only when the client is not held for another reason', async () => {
    const [socket, kubelet] = [new Connection(), new Connection()];
    const client = await accept(socket);
    const link = new MessageLink(client, kubelet);
    link.start({ onMessage: () => {}, onBytes: () => {}, onEnd: () => {} }, Buffer.alloc(0));
    link.write([Buffer.alloc(1024 * 1024)]);
    expect(client.isPaused).toBe(true);
    link.hold();
    kubelet.takeAll();
    await eventually('it is taken', () => kubelet.writableLength === 0 && !kubelet.writableNeedDrain);
    expect(client.isPaused).toBe(true);
    link.letGo();
    expect(client.isPaused).toBe(false);
    client.terminate();
  });
});

describe('bytes for a client that does not read', () => {
  it('hold the other side back, however small the messages are', async () => {
    const [socket, kubelet] = [new Connection(), new Connection()];
    const client = await accept(socket);
    let sent = 0;
    const link = new MessageLink(client, kubelet);
    const onBytes = (bytes: Buffer): void => {
      sent += 1;
      link.send(bytes);
    };
    link.start({ onMessage: () => {}, onBytes, onEnd: () => {} }, Buffer.alloc(0));
    let given = 0;
    // One at a time: Node joins what waits together.
    for (; given < MANY && !kubelet.isPaused(); given += 1) {
      kubelet.push(Buffer.of(1));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([kubelet.isPaused(), sent]).toEqual([true, given]);
    expect(sent).toBeLessThan(FEW);
    socket.takeAll();
    await eventually('it goes on', () => !kubelet.isPaused());
    client.terminate();
  });
});
