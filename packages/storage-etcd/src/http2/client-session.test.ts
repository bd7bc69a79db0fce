/** The session, on a server that is made of bytes. */

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { GrpcError } from '../grpc/grpc-error.ts';
import { Http2GrpcConnection } from '../grpc/http2-grpc-connection.ts';
import { frameOf } from '../grpc/message-frames.ts';
import { ClientSession } from './client-session.ts';
import type { StreamListener } from './client-stream.ts';
import { FrameCutter } from './frame-cutter.ts';
import { FRAME_FLAG, FRAME_TYPE, frameBytes, numberFrame, SETTING, settingsFrame } from './frame-format.ts';
import { headerBlock } from './header-block.ts';

const PATIENCE = { timeout: 20_000 } as const;
const PREFACE_BYTES = 24;
const { END_HEADERS, END_STREAM, ACK, PADDED } = FRAME_FLAG;

interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Collects the frames of a client, and sends what the test wants. */
class ByteServer {
  readonly frames: Frame[] = [];
  readonly #server: Server;
  #socket: Socket | undefined;
  /** Sent as soon as a client connects. */
  readonly #greeting: Buffer;

  constructor(greeting: Buffer) {
    this.#greeting = greeting;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  async start(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  stop(): void {
    this.#socket?.destroy();
    this.#server.close();
  }

  send(...frames: readonly Buffer[]): void {
    this.#socket?.write(Buffer.concat(frames));
  }

  /** The frames of a type, once there are `count` of them. */
  async have(type: number, count: number): Promise<readonly Frame[]> {
    return vi.waitFor(() => {
      const found = this.frames.filter((frame) => frame.type === type);
      expect(found.length).toBeGreaterThanOrEqual(count);
      return found;
    }, PATIENCE);
  }

  get sentBytes(): number {
    return this.frames.reduce((sum, { type, payload }) => sum + (type === FRAME_TYPE.DATA ? payload.length : 0), 0);
  }

  #accept(socket: Socket): void {
    this.#socket = socket;
    socket.on('error', () => {});
    const cutter = new FrameCutter((type, flags, stream, payload) =>
      this.frames.push({ type, flags, stream, payload }),
    );
    let preface = PREFACE_BYTES;
    socket.on('data', (bytes: Buffer) => {
      const skipped = Math.min(preface, bytes.length);
      preface -= skipped;
      cutter.push(bytes.subarray(skipped));
    });
    socket.write(this.#greeting);
  }
}

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function connected(
  settings: readonly (readonly [number, number])[] = [],
): Promise<{ readonly server: ByteServer; readonly connection: Http2GrpcConnection }> {
  const server = new ByteServer(settingsFrame(settings));
  const limits = { connectTimeoutMs: 20_000, keepAliveIntervalMs: 20_000, keepAliveTimeoutMs: 20_000 };
  const url = `http://127.0.0.1:${await server.start()}`;
  const connection = new Http2GrpcConnection({ url, maxMessageBytes: 2 ** 24, ...limits });
  cleanups.push(
    () => connection.close(),
    () => server.stop(),
  );
  await connection.ready(20_000);
  return { server, connection };
}

/** A session without gRPC, and what it says. */
async function openSession(settings: readonly (readonly [number, number])[] = []) {
  const server = new ByteServer(settingsFrame(settings));
  const socket = connect(await server.start(), '127.0.0.1');
  cleanups.push(
    () => socket.destroy(),
    () => server.stop(),
  );
  await once(socket, 'connect');
  const heard: string[] = [];
  let isSettled = false;
  const session = new ClientSession(socket, {
    onSettings: () => {
      isSettled = true;
    },
    onGoaway: (code) => heard.push(`goaway ${code}`),
    onLost: ignore,
  });
  await vi.waitFor(() => expect(isSettled).toBe(true), PATIENCE);
  const listener = (name = ''): StreamListener => ({
    onHeaders: () => heard.push(`${name}headers`),
    onData: (bytes) => heard.push(`${name}${bytes.toString()}`),
    onEnd: () => heard.push(`${name}end`),
    onFailure: ({ code, unsent }) => heard.push(`${name}failure ${code}${unsent ? ' unsent' : ''}`),
  });
  return { server, session, listener, heard };
}

function call(connection: Http2GrpcConnection, bytes = 10): Promise<Buffer | GrpcError> {
  return connection.unary('/', Buffer.alloc(bytes, 'x'), {}, { timeoutMs: 20_000 }).catch((error: GrpcError) => error);
}

const HEADERS = headerBlock({ ':status': '200', 'content-type': 'application/grpc' });
const TRAILERS = headerBlock({ 'grpc-status': '0' });

function answer(stream: number, message = 'fine'): Buffer {
  return Buffer.concat([
    frameBytes(FRAME_TYPE.HEADERS, END_HEADERS, stream, HEADERS),
    frameBytes(FRAME_TYPE.DATA, 0, stream, frameOf(Buffer.from(message))),
    frameBytes(FRAME_TYPE.HEADERS, END_HEADERS | END_STREAM, stream, TRAILERS),
  ]);
}

function ended(stream: number): Buffer {
  return frameBytes(FRAME_TYPE.HEADERS, END_HEADERS | END_STREAM, stream, HEADERS);
}

function ignore(): void {}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([3]), bytes, Buffer.alloc(3)]);
}

describe('an HTTP/2 session', () => {
  it('sends no more than the windows of the server, and goes on when they open', async () => {
    const { server, connection } = await connected([[SETTING.INITIAL_WINDOW_SIZE, 1000]]);
    const answered = call(connection, 100_000);
    await server.have(FRAME_TYPE.DATA, 1);
    await vi.waitFor(() => expect(server.sentBytes).toBe(1000), PATIENCE);
    // Larger windows for all streams, and then for this one: the connection's holds it up.
    server.send(settingsFrame([[SETTING.INITIAL_WINDOW_SIZE, 30_000]]));
    await vi.waitFor(() => expect(server.sentBytes).toBe(30_000), PATIENCE);
    server.send(numberFrame(FRAME_TYPE.WINDOW_UPDATE, 1, 200_000));
    await vi.waitFor(() => expect(server.sentBytes).toBe(65_535), PATIENCE);
    server.send(numberFrame(FRAME_TYPE.WINDOW_UPDATE, 0, 200_000));
    await vi.waitFor(() => expect(server.sentBytes).toBe(100_005), PATIENCE);
    const data = await server.have(FRAME_TYPE.DATA, 1);
    expect(data.every(({ payload }) => payload.length <= 16_384)).toBe(true);
    expect(data.filter(({ flags }) => flags === END_STREAM)).toEqual([data.at(-1)]);
    server.send(answer(1));
    expect(String(await answered)).toBe('fine');
  });

  it('opens as many streams as the server lets in, the others in their order', async () => {
    const { server, connection } = await connected([[SETTING.MAX_CONCURRENT_STREAMS, 2]]);
    const calls = [1, 2, 3, 4].map(() => call(connection));
    await server.have(FRAME_TYPE.HEADERS, 2);
    server.send(answer(1, 'first'));
    expect(String(await calls[0])).toBe('first');
    const opened = await server.have(FRAME_TYPE.HEADERS, 3);
    expect(opened.map(({ stream }) => stream)).toEqual([1, 3, 5]);
    server.send(settingsFrame([[SETTING.MAX_CONCURRENT_STREAMS, 10]]));
    await server.have(FRAME_TYPE.HEADERS, 4);
    server.send(answer(3), answer(5), answer(7));
    expect((await Promise.all(calls)).map(String)).toEqual(['first', 'fine', 'fine', 'fine']);
  });

  it('that is lost fails as unsent those streams alone that were still waiting', async () => {
    const { server, connection } = await connected([[SETTING.MAX_CONCURRENT_STREAMS, 1]]);
    const calls = [1, 2, 3].map(() => call(connection));
    await server.have(FRAME_TYPE.HEADERS, 1);
    server.stop();
    const failures = await Promise.all(calls);
    expect(failures.map((failure) => 'unsent' in failure && failure.unsent)).toEqual([false, true, true]);
  });

  it('tells a listener of data, not of frames that are empty: any number of them costs nothing', async () => {
    const { server, session, listener, heard } = await openSession();
    session.open(listener(), headerBlock({ ':path': '/' }), undefined, true);
    await server.have(FRAME_TYPE.HEADERS, 1);
    const empty = frameBytes(FRAME_TYPE.DATA, 0, 1, Buffer.alloc(0));
    server.send(
      frameBytes(FRAME_TYPE.HEADERS, END_HEADERS, 1, HEADERS),
      empty,
      frameBytes(FRAME_TYPE.DATA, 0, 1, Buffer.from('data')),
      empty,
      frameBytes(FRAME_TYPE.DATA, PADDED | END_STREAM, 1, padded(Buffer.alloc(0))),
    );
    await vi.waitFor(() => expect(heard).toEqual(['headers', 'data', 'end']), PATIENCE);
  });

  it('takes back a stream that the server ends before the client does, and no other', async () => {
    const { server, session, listener, heard } = await openSession();
    const block = headerBlock({ ':path': '/' });
    const first = session.open(listener('first '), block, Buffer.from('all'), true);
    const second = session.open(listener('second '), block, Buffer.from('part'), false);
    await server.have(FRAME_TYPE.DATA, 2);
    server.send(ended(first.id), ended(second.id));
    await vi.waitFor(() => expect(heard).toHaveLength(4), PATIENCE);
    expect(heard).toEqual(['first headers', 'first end', 'second headers', 'second end']);
    // Whatever is sent on them now is for nobody.
    session.write(second, Buffer.from('more'));
    let isThere = false;
    session.ping(() => (isThere = true));
    const [ping] = await server.have(FRAME_TYPE.PING, 1);
    server.send(frameBytes(FRAME_TYPE.PING, ACK, 0, ping?.payload ?? Buffer.alloc(8)));
    await vi.waitFor(() => expect(isThere).toBe(true), PATIENCE);
    const resets = server.frames.filter(({ type }) => type === FRAME_TYPE.RST_STREAM);
    expect(resets.map(({ stream, payload }) => [stream, payload.readUInt32BE()])).toEqual([[second.id, 0]]);
    expect(session.streamCount).toBe(0);
  });

  it('cancels a stream that waits without a word, and one that is open with one', async () => {
    const { server, session, listener, heard } = await openSession([[SETTING.MAX_CONCURRENT_STREAMS, 1]]);
    const block = headerBlock({ ':path': '/' });
    const [open, waiting, last] = ['a', 'b', 'c'].map((name) => session.open(listener(name), block, undefined, true));
    if (!open || !waiting || !last) return expect.unreachable();
    await server.have(FRAME_TYPE.HEADERS, 1);
    expect([open.id, waiting.id, last.id, session.streamCount]).toEqual([1, 0, 0, 3]);
    session.cancel(waiting);
    session.cancel(open);
    session.cancel(open);
    await server.have(FRAME_TYPE.HEADERS, 2);
    expect([last.id, session.streamCount, heard]).toEqual([3, 1, []]);
    const resets = await server.have(FRAME_TYPE.RST_STREAM, 1);
    expect(resets.map(({ stream, payload }) => [stream, payload.readUInt32BE()])).toEqual([[1, 8]]);
  });

  it('gives back the window of a stream a quarter at a time, and not that of one that is over', async () => {
    const { server, session, listener } = await openSession();
    const one = session.open(listener(), headerBlock({ ':path': '/' }), undefined, true);
    await server.have(FRAME_TYPE.HEADERS, 1);
    const quarter = 2 ** 20;
    session.consume(one, quarter - 1);
    session.consume(one, 1);
    session.consume(one, quarter - 1);
    session.cancel(one);
    session.consume(one, quarter);
    await server.have(FRAME_TYPE.RST_STREAM, 1);
    const updates = (await server.have(FRAME_TYPE.WINDOW_UPDATE, 2)).filter(({ stream }) => stream === one.id);
    expect(updates.map(({ payload }) => payload.readUInt32BE())).toEqual([quarter]);
  });

  it('after GOAWAY goes on with the streams that the server has seen, and refuses the others as unsent', async () => {
    const { server, session, listener, heard } = await openSession([[SETTING.MAX_CONCURRENT_STREAMS, 2]]);
    const block = headerBlock({ ':path': '/' });
    for (const name of ['a ', 'b ', 'c ']) session.open(listener(name), block, undefined, true);
    await server.have(FRAME_TYPE.HEADERS, 2);
    const goaway = Buffer.alloc(8);
    goaway.writeUInt32BE(1, 0);
    server.send(frameBytes(FRAME_TYPE.GOAWAY, 0, 0, goaway));
    await vi.waitFor(() => expect(heard).toHaveLength(3), PATIENCE);
    expect(heard.toSorted()).toEqual(['b failure 7 unsent', 'c failure 7 unsent', 'goaway 0']);
    server.send(
      frameBytes(FRAME_TYPE.GOAWAY, 0, 0, goaway),
      frameBytes(FRAME_TYPE.HEADERS, END_HEADERS | END_STREAM, 1, HEADERS),
    );
    await vi.waitFor(() => expect(heard.at(-1)).toBe('a end'), PATIENCE);
    expect(server.frames.filter(({ type }) => type === FRAME_TYPE.HEADERS)).toHaveLength(2);
  });

  it('reads padding, priorities, continuations, early hints and frames that it does not know', async () => {
    const { server, connection } = await connected();
    const answered = call(connection);
    await server.have(FRAME_TYPE.HEADERS, 1);
    const priority = Buffer.alloc(5);
    server.send(
      frameBytes(0xee, 0xff, 1, Buffer.from('unknown')),
      frameBytes(FRAME_TYPE.PRIORITY, 0, 1, priority),
      frameBytes(FRAME_TYPE.HEADERS, END_HEADERS, 1, headerBlock({ ':status': '103', link: '</a>' })),
      frameBytes(
        FRAME_TYPE.HEADERS,
        PADDED | FRAME_FLAG.PRIORITY,
        1,
        padded(Buffer.concat([priority, HEADERS.subarray(0, 9)])),
      ),
      frameBytes(FRAME_TYPE.CONTINUATION, END_HEADERS, 1, HEADERS.subarray(9)),
      frameBytes(FRAME_TYPE.DATA, PADDED, 1, padded(frameOf(Buffer.from('fine')))),
      frameBytes(FRAME_TYPE.DATA, 0, 1, Buffer.alloc(0)),
      frameBytes(FRAME_TYPE.HEADERS, END_HEADERS | END_STREAM, 1, TRAILERS),
    );
    expect(String(await answered)).toBe('fine');
  });

  it('answers pings, acknowledges settings, and gives the windows back as it reads', async () => {
    const { server, connection } = await connected();
    const ping = Buffer.from('8 bytes!');
    server.send(frameBytes(FRAME_TYPE.PING, 0, 0, ping));
    const [pong] = await server.have(FRAME_TYPE.PING, 1);
    expect(pong).toMatchObject({ flags: ACK, payload: ping });
    expect((await server.have(FRAME_TYPE.SETTINGS, 2))[1]).toMatchObject({ flags: ACK });
    const answered = call(connection);
    await server.have(FRAME_TYPE.HEADERS, 1);
    const message = frameOf(Buffer.alloc(12 * 2 ** 20, 'x'));
    server.send(frameBytes(FRAME_TYPE.HEADERS, END_HEADERS, 1, HEADERS));
    for (let at = 0; at < message.length; at += 16_000) {
      server.send(frameBytes(FRAME_TYPE.DATA, 0, 1, message.subarray(at, at + 16_000)));
      // As far as the window of the stream goes.
      if (at % 3_200_000 === 0) await server.have(FRAME_TYPE.WINDOW_UPDATE, 1 + Math.floor(at / 2 ** 20));
    }
    server.send(frameBytes(FRAME_TYPE.HEADERS, END_HEADERS | END_STREAM, 1, TRAILERS));
    expect(await answered).toHaveLength(12 * 2 ** 20);
    const updates = await server.have(FRAME_TYPE.WINDOW_UPDATE, 5);
    const given = (id: number): number =>
      updates.filter(({ stream }) => stream === id).reduce((sum, { payload }) => sum + payload.readUInt32BE(), 0);
    expect(given(1)).toBeGreaterThan(8 * 2 ** 20);
    expect(given(0)).toBeGreaterThan(16 * 2 ** 20);
  });

  it('goes on after frames of a stream that was cancelled', async () => {
    const { server, connection } = await connected();
    const cancelled = connection.unary('/', Buffer.alloc(1), {}, { timeoutMs: 20 }).catch((error: GrpcError) => error);
    expect(await cancelled).toMatchObject({ code: 4 });
    const [reset] = await server.have(FRAME_TYPE.RST_STREAM, 1);
    expect(reset).toMatchObject({ stream: 1 });
    const answered = call(connection);
    await server.have(FRAME_TYPE.HEADERS, 2);
    // The table of headers is filled by the answer that nobody waits for.
    const remembered = Buffer.concat([Buffer.from([0x40]), headerBlock({ 'grpc-status': '0' }).subarray(1)]);
    server.send(
      frameBytes(FRAME_TYPE.HEADERS, END_HEADERS, 1, Buffer.concat([HEADERS, remembered])),
      numberFrame(FRAME_TYPE.WINDOW_UPDATE, 1, 10),
      numberFrame(FRAME_TYPE.RST_STREAM, 1, 8),
      frameBytes(FRAME_TYPE.HEADERS, END_HEADERS, 3, HEADERS),
      frameBytes(FRAME_TYPE.DATA, 0, 3, frameOf(Buffer.from('fine'))),
      frameBytes(FRAME_TYPE.HEADERS, END_HEADERS | END_STREAM, 3, Buffer.from([0xbe])),
    );
    expect(String(await answered)).toBe('fine');
  });

  const large = Buffer.alloc(16_384);

  it('that is sent more than the window of a stream that nobody reads is closed', async () => {
    const { server, connection } = await connected();
    const stream = connection.stream('/', {});
    await server.have(FRAME_TYPE.HEADERS, 1);
    server.send(frameBytes(FRAME_TYPE.HEADERS, END_HEADERS, 1, HEADERS));
    const whole = frameBytes(FRAME_TYPE.DATA, 0, 1, frameOf(large.subarray(5)));
    server.send(...Array.from({ length: 256 }, () => whole));
    expect(await stream.next()).toHaveLength(large.length - 5);
    expect(connection.state).toBe('ready');
    server.send(whole);
    await vi.waitFor(() => expect(stream.error).toMatchObject({ code: 14 }), PATIENCE);
    expect(connection.state).toBe('closed');
  });

  it.each<[string, readonly Buffer[]]>([
    ['a frame that is too large', [Buffer.from('00400100000000000100', 'hex')]],
    ['data of a stream that there is not', [frameBytes(FRAME_TYPE.DATA, 0, 99, large)]],
    ['headers of a stream of its own', [frameBytes(FRAME_TYPE.HEADERS, END_HEADERS, 2, HEADERS)]],
    ['a pushed stream', [frameBytes(FRAME_TYPE.PUSH_PROMISE, END_HEADERS, 1, Buffer.alloc(8))]],
    ['a header block that is broken off', [frameBytes(FRAME_TYPE.HEADERS, 0, 1, HEADERS), answer(1)]],
    [
      'a header block without end',
      [
        frameBytes(FRAME_TYPE.HEADERS, 0, 1, HEADERS),
        ...Array.from({ length: 70 }, () => frameBytes(FRAME_TYPE.CONTINUATION, 0, 1, Buffer.alloc(0))),
      ],
    ],
    ['a continuation of nothing', [frameBytes(FRAME_TYPE.CONTINUATION, 0, 1, HEADERS)]],
    ['headers that cannot be decoded', [frameBytes(FRAME_TYPE.HEADERS, END_HEADERS, 1, Buffer.from([0xff, 0xff]))]],
    ['padding only', [frameBytes(FRAME_TYPE.DATA, PADDED, 1, Buffer.from([9, 0]))]],
    ['a window that is too far open', [numberFrame(FRAME_TYPE.WINDOW_UPDATE, 0, 2 ** 31 - 1)]],
    ['a window that cannot be', [settingsFrame([[SETTING.INITIAL_WINDOW_SIZE, 2 ** 31]])]],
    ['a reset that is too short', [frameBytes(FRAME_TYPE.RST_STREAM, 0, 1, Buffer.alloc(2))]],
  ])('that is sent %s fails its calls and is closed', async (_, frames) => {
    const { server, connection } = await connected();
    const answered = call(connection);
    await server.have(FRAME_TYPE.HEADERS, 1);
    server.send(...frames);
    expect(await answered).toMatchObject({ code: 14, unsent: false });
    expect(connection.state).toBe('closed');
  });
});
