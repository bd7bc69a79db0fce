/** The suite of the connection, on servers that misbehave. */

import { once } from 'node:events';
import {
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { startTcpProxy } from '@listwatch/conformance/parts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { GRPC_STATUS, type GrpcError } from './grpc-error.ts';
import { Http2GrpcConnection, type Http2GrpcOptions } from './http2-grpc-connection.ts';
import { frameOf } from './message-frames.ts';

const PATIENCE = { timeout: 20_000 } as const;
const CALL = { timeoutMs: 20_000 } as const;
const REQUEST = Buffer.from('request');
const HEADERS = { ':status': 200, 'content-type': 'application/grpc' } as const;
const MAX_MESSAGE_BYTES = 2 ** 20;

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function portOf(server: Http2Server | Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

interface GrpcServer {
  readonly port: number;
  readonly sessions: ServerHttp2Session[];
  readonly streams: ServerHttp2Stream[];
  /** The headers of each call. */
  readonly headers: IncomingHttpHeaders[];
}

/** A server that answers every call with `answer`. */
async function serve(answer: (stream: ServerHttp2Stream, path: string) => void): Promise<GrpcServer> {
  const server = createServer({ settings: { maxConcurrentStreams: 200 } });
  const sessions: ServerHttp2Session[] = [];
  const streams: ServerHttp2Stream[] = [];
  const calls: IncomingHttpHeaders[] = [];
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => {});
  });
  server.on('stream', (stream, headers) => {
    streams.push(stream);
    calls.push(headers);
    stream.on('error', () => {});
    answer(stream, headers[':path'] ?? '');
  });
  cleanups.push(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { port: await portOf(server), sessions, streams, headers: calls };
}

function open(port: number, options: Partial<Http2GrpcOptions> = {}): Http2GrpcConnection {
  const connection = new Http2GrpcConnection({
    url: `http://127.0.0.1:${port}`,
    connectTimeoutMs: 20_000,
    keepAliveIntervalMs: 20_000,
    keepAliveTimeoutMs: 20_000,
    maxMessageBytes: MAX_MESSAGE_BYTES,
    ...options,
  });
  cleanups.push(() => connection.close());
  return connection;
}

async function connected(port: number, options: Partial<Http2GrpcOptions> = {}): Promise<Http2GrpcConnection> {
  const connection = open(port, options);
  await connection.ready(20_000);
  return connection;
}

function failureOf(call: Promise<unknown>): Promise<GrpcError> {
  return call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: GrpcError) => error,
  );
}

/** Answers with `pieces` and then the trailers. */
function reply(stream: ServerHttp2Stream, pieces: readonly Buffer[], trailers: Record<string, string>): void {
  stream.respond(HEADERS, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  for (const piece of pieces) stream.write(piece);
  stream.end();
}

const ok = { 'grpc-status': '0' };

describe('a call', () => {
  it('sends its path, its metadata and one frame, and gets the message', async () => {
    const server = await serve((stream) => {
      stream.on('data', (chunk: Buffer) => reply(stream, [frameOf(chunk.subarray(5))], ok));
    });
    const connection = await connected(server.port);
    const answer = await connection.unary('/pkg.Service/Method', REQUEST, { token: 'secret' }, CALL);
    expect(String(answer)).toBe('request');
    expect(server.headers[0]).toMatchObject({
      ':method': 'POST',
      ':path': '/pkg.Service/Method',
      'content-type': 'application/grpc',
      te: 'trailers',
      token: 'secret',
    });
  });

  it('gets a message of many pieces, an empty one, and one of several megabytes', async () => {
    const large = Buffer.alloc(MAX_MESSAGE_BYTES, 'x');
    const bodies: Record<string, Buffer[]> = {
      '/pieces': [...frameOf(Buffer.from('hello'))].map((byte) => Buffer.from([byte])),
      '/empty': [frameOf(Buffer.alloc(0))],
      '/large': [frameOf(large)],
    };
    const { port } = await serve((stream, path) => reply(stream, bodies[path] ?? [], ok));
    const connection = await connected(port);
    expect(String(await connection.unary('/pieces', REQUEST, {}, CALL))).toBe('hello');
    expect((await connection.unary('/empty', REQUEST, {}, CALL)).length).toBe(0);
    expect((await connection.unary('/large', REQUEST, {}, CALL)).equals(large)).toBe(true);
  });

  it('runs beside six hundred others, more than the server lets in at once', async () => {
    const { port } = await serve((stream, path) => reply(stream, [frameOf(Buffer.from(path))], ok));
    const connection = await connected(port);
    const paths = Array.from({ length: 600 }, (_, i) => `/call/${i}`);
    const answers = await Promise.all(paths.map((path) => connection.unary(path, REQUEST, {}, CALL)));
    expect(answers.map(String)).toEqual(paths);
  });

  const half = frameOf(Buffer.from('hello')).subarray(0, 7);
  const refusals: Record<string, readonly [(stream: ServerHttp2Stream) => void, Partial<GrpcError>]> = {
    'a status in the trailers': [
      (stream) => reply(stream, [], { 'grpc-status': '14', 'grpc-message': 'no%20leader%3A %C3%BC' }),
      { code: GRPC_STATUS.UNAVAILABLE, details: 'no leader: ü', unsent: false },
    ],
    'a status in the headers': [
      (stream) => stream.respond({ ...HEADERS, 'grpc-status': '5', 'grpc-message': '%zz' }, { endStream: true }),
      { code: GRPC_STATUS.NOT_FOUND, details: '%zz' },
    ],
    'no trailers': [
      (stream) => {
        stream.respond(HEADERS);
        stream.end(frameOf(REQUEST));
      },
      { code: GRPC_STATUS.INTERNAL, details: 'the server ended the call without a status' },
    ],
    'a status that is no number': [
      (stream) => reply(stream, [frameOf(REQUEST)], { 'grpc-status': 'fine' }),
      { code: GRPC_STATUS.INTERNAL },
    ],
    'OK without a message': [(stream) => reply(stream, [], ok), { code: GRPC_STATUS.INTERNAL }],
    'OK with two messages': [
      (stream) => reply(stream, [frameOf(REQUEST), frameOf(REQUEST)], ok),
      { code: GRPC_STATUS.INTERNAL },
    ],
    'OK with half a message': [(stream) => reply(stream, [half], ok), { code: GRPC_STATUS.INTERNAL }],
    'a message that claims 4 GB': [
      (stream) => {
        stream.respond(HEADERS);
        stream.write(Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 1]));
      },
      { code: GRPC_STATUS.RESOURCE_EXHAUSTED },
    ],
    'a compressed message': [
      (stream) => {
        stream.respond(HEADERS);
        stream.write(Buffer.from([1, 0, 0, 0, 0]));
      },
      { code: GRPC_STATUS.INTERNAL, details: 'the server sent a compressed message' },
    ],
    'an error page': [
      (stream) => {
        stream.respond({ ':status': 503, 'content-type': 'text/html' });
        stream.end('<html>');
      },
      { code: GRPC_STATUS.UNAVAILABLE },
    ],
    'a page that is not gRPC': [
      (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'text/html' });
        stream.end('<html>');
      },
      { code: GRPC_STATUS.UNKNOWN },
    ],
    'a reset': [(stream) => stream.close(2), { code: GRPC_STATUS.INTERNAL, unsent: false }],
    'a cancelling reset': [(stream) => stream.close(8), { code: GRPC_STATUS.CANCELLED, unsent: false }],
    'a refusing reset': [(stream) => stream.close(7), { code: GRPC_STATUS.UNAVAILABLE, unsent: true }],
    'a reset after half a message': [
      (stream) => {
        stream.respond(HEADERS);
        stream.write(half, () => stream.close(2));
      },
      { code: GRPC_STATUS.INTERNAL, unsent: false },
    ],
    'a connection that breaks': [
      (stream) => stream.session?.destroy(),
      { code: GRPC_STATUS.UNAVAILABLE, unsent: false },
    ],
  };

  it.each(Object.keys(refusals))('that is answered with %s fails, and the next one works', async (name) => {
    const [answer, expected] = refusals[name] ?? [() => {}, {}];
    const { port } = await serve((stream, path) => {
      if (path === '/good') reply(stream, [frameOf(REQUEST)], ok);
      else answer(stream);
    });
    let connection = await connected(port);
    expect(await failureOf(connection.unary('/bad', REQUEST, {}, CALL))).toMatchObject(expected);
    if (name === 'a connection that breaks') {
      await vi.waitFor(() => expect(connection.state).toBe('closed'), PATIENCE);
      connection = await connected(port);
    }
    expect(String(await connection.unary('/good', REQUEST, {}, CALL))).toBe('request');
  });

  it('that is never answered ends at its deadline, and the server is told both', async () => {
    const codes: unknown[] = [];
    const server = await serve((stream) => stream.on('close', () => codes.push(stream.rstCode)));
    const connection = await connected(server.port);
    const failed = failureOf(connection.unary('/silent', REQUEST, {}, { timeoutMs: 300 }));
    expect(await failed).toMatchObject({ code: GRPC_STATUS.DEADLINE_EXCEEDED, unsent: false });
    await vi.waitFor(() => expect(codes).toEqual([8]), PATIENCE);
    expect(server.headers[0]).toMatchObject({ 'grpc-timeout': '300m' });
  });

  it('that waits for a place is held to its deadline too', async () => {
    const { port, streams } = await serve(() => {});
    const connection = await connected(port);
    const held = Array.from({ length: 200 }, () => failureOf(connection.unary('/held', REQUEST, {}, CALL)));
    await vi.waitFor(() => expect(streams).toHaveLength(200), PATIENCE);
    const late = await failureOf(connection.unary('/late', REQUEST, {}, { timeoutMs: 30 }));
    expect(late).toMatchObject({ code: GRPC_STATUS.DEADLINE_EXCEEDED });
    for (const stream of streams) stream.close(2);
    await Promise.all(held);
    expect(streams).toHaveLength(200);
  });

  it('that is aborted rejects with the reason, before and during, and leaves no listener', async () => {
    const codes: unknown[] = [];
    const { port, streams } = await serve((stream) => stream.on('close', () => codes.push(stream.rstCode)));
    const connection = await connected(port);
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const reason = new Error('enough');
    const call = connection.unary('/silent', REQUEST, {}, { ...CALL, signal: controller.signal });
    await vi.waitFor(() => expect(streams).toHaveLength(1), PATIENCE);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    await vi.waitFor(() => expect(codes).toEqual([8]), PATIENCE);
    expect(removed).toHaveBeenCalled();
    await expect(connection.unary('/silent', REQUEST, {}, { ...CALL, signal: controller.signal })).rejects.toBe(reason);
    expect(streams).toHaveLength(1);
  });
});

describe('a connection', () => {
  it('drains when the server says GOAWAY: calls that run end well, new ones are refused as unsent', async () => {
    const server = await serve((stream) => {
      stream.session?.goaway(0);
      stream.session?.once('close', () => {});
      setImmediate(() => reply(stream, [frameOf(REQUEST)], ok));
    });
    const connection = await connected(server.port);
    expect(String(await connection.unary('/', REQUEST, {}, CALL))).toBe('request');
    await vi.waitFor(() => expect(['draining', 'closed']).toContain(connection.state), PATIENCE);
    expect(await failureOf(connection.unary('/', REQUEST, {}, CALL))).toMatchObject({ unsent: true, code: 14 });
    await expect(connection.ready(20_000)).rejects.toMatchObject({ unsent: true });
    await vi.waitFor(() => expect(connection.state).toBe('closed'), PATIENCE);
  });

  it('fails the calls that a GOAWAY left out as unsent, and those it may have begun as uncertain', async () => {
    const server = await serve((stream) => {
      if (server.streams.length < 3) return;
      // Only the first was looked at.
      stream.session?.goaway(0, server.streams[0]?.id);
      setImmediate(() => server.sessions[0]?.destroy());
    });
    const connection = await connected(server.port);
    const calls = [1, 2, 3].map((i) => failureOf(connection.unary(`/${i}`, REQUEST, {}, CALL)));
    const failures = await Promise.all(calls);
    expect(failures.map(({ unsent }) => unsent)).toEqual([false, true, true]);
  });

  it('fails its calls when the server hangs up because it was asked too much', async () => {
    const server = await serve((stream) => stream.session?.goaway(11));
    const connection = await connected(server.port);
    expect(await failureOf(connection.unary('/', REQUEST, {}, CALL))).toMatchObject({ code: 14 });
    await vi.waitFor(() => expect(connection.state).toBe('closed'), PATIENCE);
  });

  it('that nobody accepts fails as unsent, with the reason', async () => {
    const server = createTcpServer();
    const port = await portOf(server);
    await new Promise((resolve) => server.close(resolve));
    const connection = open(port);
    await expect(connection.ready(20_000)).rejects.toMatchObject({
      unsent: true,
      details: expect.stringMatching(/ECONNREFUSED/u),
    });
    expect(connection.state).toBe('closed');
    expect(await failureOf(connection.unary('/', REQUEST, {}, CALL))).toMatchObject({ unsent: true });
    expect(connection.stream('/', {}).error).toMatchObject({ unsent: true });
  });

  const halfSettings = Buffer.from([0, 0, 6, 4, 0, 0]);
  it.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => {}],
    ['sends half a frame', (socket) => socket.write(halfSettings)],
    ['speaks HTTP/1.1', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['hangs up', (socket) => socket.end()],
  ])('to a server that %s fails in time, as unsent', async (_, greet) => {
    const sockets: Socket[] = [];
    const server = createTcpServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
      socket.resume();
      greet(socket);
    });
    const port = await portOf(server);
    cleanups.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const connection = open(port, { connectTimeoutMs: 100 });
    await expect(connection.ready(20_000)).rejects.toMatchObject({ unsent: true, code: 14 });
    await vi.waitFor(() => expect(connection.state).toBe('closed'), PATIENCE);
    await vi.waitFor(
      () => expect(sockets.every(({ destroyed, readableEnded }) => destroyed || readableEnded)).toBe(true),
      PATIENCE,
    );
  });

  it('gives up waiting at the deadline of the caller and goes on connecting for others', async () => {
    const { port } = await serve((stream) => reply(stream, [frameOf(REQUEST)], ok));
    await using proxy = await startTcpProxy(port);
    proxy.stall();
    const connection = open(proxy.port);
    const patient = connection.ready(20_000);
    await expect(connection.ready(20)).rejects.toMatchObject({ unsent: true });
    proxy.flow();
    await patient;
    expect(String(await connection.unary('/', REQUEST, {}, CALL))).toBe('request');
  });

  it('that goes silent is ended by its pings, and is not pinged while it has no calls', async () => {
    const server = await serve((stream, path) => {
      if (path === '/good') reply(stream, [frameOf(REQUEST)], ok);
    });
    await using proxy = await startTcpProxy(server.port);
    const connection = await connected(proxy.port, { keepAliveIntervalMs: 20, keepAliveTimeoutMs: 500 });
    let pings = 0;
    server.sessions[0]?.on('ping', () => {
      pings += 1;
    });
    await connection.unary('/good', REQUEST, {}, CALL);
    const call = failureOf(connection.unary('/silent', REQUEST, {}, CALL));
    await vi.waitFor(() => expect(pings).toBeGreaterThan(2), PATIENCE);
    proxy.stall();
    expect(await call).toMatchObject({ code: 14, unsent: false, details: expect.stringMatching(/ping/u) });
    expect(connection.state).toBe('closed');
  });

  it('that is closed lets its calls end, and closes at once while it connects', async () => {
    const server = await serve((stream) => {
      setImmediate(() => reply(stream, [frameOf(REQUEST)], ok));
    });
    const connection = await connected(server.port);
    const call = connection.unary('/', REQUEST, {}, CALL);
    connection.close();
    expect(await failureOf(connection.unary('/', REQUEST, {}, CALL))).toMatchObject({ unsent: true });
    expect(String(await call)).toBe('request');
    await vi.waitFor(() => expect(connection.state).toBe('closed'), PATIENCE);
    const early = open(server.port);
    early.close();
    await expect(early.ready(20_000)).rejects.toMatchObject({ unsent: true });
    expect(early.state).toBe('closed');
  });
});

describe('a stream', () => {
  it('carries messages both ways, hands over what has arrived, and ends with the server', async () => {
    const { port } = await serve((stream) => {
      stream.respond(HEADERS, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers(ok));
      stream.on('data', (chunk: Buffer) => {
        stream.write(Buffer.concat([chunk, chunk]));
        if (String(chunk.subarray(5)) === 'last') stream.end();
      });
    });
    const stream = (await connected(port)).stream('/', {});
    stream.send(Buffer.from('first'));
    expect(String(await stream.next())).toBe('first');
    expect(String(stream.take())).toBe('first');
    expect(stream.take()).toBeUndefined();
    stream.send(Buffer.from('last'));
    expect([String(await stream.next()), String(await stream.next()), await stream.next()]).toEqual([
      'last',
      'last',
      undefined,
    ]);
    expect(stream.error).toBeUndefined();
    stream.send(Buffer.from('too late'));
  });

  it.each<[string, (stream: ServerHttp2Stream) => void, Partial<GrpcError>]>([
    ['a status', (stream) => reply(stream, [frameOf(REQUEST)], { 'grpc-status': '14' }), { code: 14 }],
    ['a reset', (stream) => stream.write(frameOf(REQUEST), () => stream.close(2)), { code: 13 }],
    ['no status', (stream) => stream.end(frameOf(REQUEST)), { code: 13 }],
    ['a broken connection', (stream) => stream.write(frameOf(REQUEST), () => stream.session?.destroy()), { code: 14 }],
    [
      'a message of 4 GB',
      (stream) => stream.write(Buffer.concat([frameOf(REQUEST), Buffer.from([0, 255, 255, 255, 255])])),
      { code: 8 },
    ],
  ])('that ends with %s gives what came before, and then the error', async (_, end, error) => {
    const { port } = await serve((stream) => {
      if (!stream.headersSent && end.toString().includes('reply(')) return end(stream);
      stream.respond(HEADERS);
      end(stream);
    });
    const stream = (await connected(port)).stream('/', {});
    expect(String(await stream.next())).toBe('request');
    expect(await stream.next()).toBeUndefined();
    expect(stream.error).toMatchObject(error);
  });

  it('holds the server up when nobody reads, and goes on when somebody does', async () => {
    const total = 300;
    const message = Buffer.alloc(100_000, 'x');
    let sent = 0;
    const { port } = await serve((stream) => {
      stream.respond(HEADERS);
      const write = (): void => {
        while (sent < total) {
          sent += 1;
          if (!stream.write(frameOf(message))) {
            stream.once('drain', write);
            return;
          }
        }
      };
      write();
    });
    const stream = (await connected(port)).stream('/', {});
    await stream.next();
    let before = -1;
    // Until nothing more is taken from the server.
    await vi.waitFor(
      () => {
        const moved = sent !== before;
        before = sent;
        expect(moved).toBe(false);
      },
      { timeout: 20_000, interval: 200 },
    );
    expect(sent).toBeLessThan(total / 1.5);
    for (let i = 1; i < total; i += 1) expect((await stream.next())?.length).toBe(message.length);
    expect(sent).toBe(total);
    stream.cancel();
  });

  it('that is cancelled ends for the reader and for the server, without an error', async () => {
    const codes: unknown[] = [];
    const { port } = await serve((stream) => {
      stream.respond(HEADERS);
      stream.on('close', () => codes.push(stream.rstCode));
    });
    const stream = (await connected(port)).stream('/', {});
    const next = stream.next();
    stream.cancel();
    expect(await next).toBeUndefined();
    expect(stream.error).toBeUndefined();
    await vi.waitFor(() => expect(codes).toEqual([8]), PATIENCE);
    stream.cancel();
  });
});
