import { once } from 'node:events';
import { type ClientHttp2Stream, constants } from 'node:http2';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { WatchResponse } from '../contract/api-response.ts';
import { deferred, eventFrame, type Fixture, Fixtures, heldWatch, jsonResponse, MASTER } from './http.fixture.ts';

const fixtures = new Fixtures();
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

const WATCH = '/api/v1/configmaps?watch=1';

/** A client that reads nothing until it is told to. */
async function rawHttp1(fixture: Fixture, head: string): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port: fixture.port, ca: fixture.ca, ALPNProtocols: ['http/1.1'] });
  await once(socket, 'secureConnect');
  socket.write(head);
  return socket;
}

const HEAD = `GET ${WATCH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer master-token\r\n\r\n`;

/** More than all buffers between two ends of one machine hold. */
const TOO_MUCH: readonly Buffer[] = Array.from({ length: 256 }, (_, at) => eventFrame(`a${at}`, 64 * 1024));

describe('a reader that stops', () => {
  it('fills the sink over HTTP/1.1; when it goes on the sink is ready again', async () => {
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(() => response);
    const socket = await rawHttp1(fixture, HEAD);
    socket.pause();
    const watch = await sink;
    const ready = deferred();
    let isReady = false;
    watch.onReady(() => {
      isReady = true;
      ready.resolve();
    });
    expect(watch.write(TOO_MUCH)).toBe(false);
    expect((await fixture.ask('/readyz')).status).toBe(200);
    expect(isReady).toBe(false);
    socket.resume();
    await ready.promise;
    expect(watch.write([eventFrame('b')])).toBe(true);
    socket.destroy();
  });

  it('fills the sink over HTTP/2 without stopping the other streams of its connection', async () => {
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(({ query }) => (query === '' ? jsonResponse('{}') : response));
    const session = fixture.http2();
    const stream: ClientHttp2Stream = session.request({ ':path': WATCH, ...MASTER });
    await once(stream, 'response');
    stream.pause();
    const watch = await sink;
    const ready = deferred();
    let isReady = false;
    watch.onReady(() => {
      isReady = true;
      ready.resolve();
    });
    expect(watch.write(TOO_MUCH)).toBe(false);
    expect((await fixture.askHttp2(session, '/api/v1/pods')).status).toBe(200);
    expect(isReady).toBe(false);
    stream.resume();
    await ready.promise;
    session.destroy();
  });

  it('is cut off when it does not even take the end', async () => {
    const { response, sink } = heldWatch();
    const tasks: (() => void)[] = [];
    const clock = {
      now: () => 0,
      after: (ms: number, task: () => void) => {
        if (ms === 5000) tasks.push(task);
        return () => {};
      },
    };
    const fixture = await fixtures.start(() => response, { clock });
    const socket = await rawHttp1(fixture, HEAD);
    socket.pause();
    const watch = await sink;
    const gone = deferred();
    watch.onClose(() => gone.resolve());
    watch.write(TOO_MUCH);
    watch.end();
    for (const task of tasks) task();
    await gone.promise;
    socket.destroy();
  });
});

describe('a client that leaves', () => {
  it('is noticed over HTTP/1.1, and nothing is left of it', async () => {
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(() => response);
    const socket = await rawHttp1(fixture, HEAD);
    const watch = await sink;
    expect(fixture.server.load).toMatchObject({ watches: 1, connections: 1 });
    const gone = deferred();
    watch.onClose(() => gone.resolve());
    socket.destroy();
    await gone.promise;
    expect(fixture.server.load.watches).toBe(0);
    expect(watch.write([eventFrame('late')])).toBe(false);
    watch.end();
  });

  it('is noticed over HTTP/2 when it resets its stream, and when its connection goes', async () => {
    const held = [heldWatch(), heldWatch()];
    let next = 0;
    const fixture = await fixtures.start(() => held[next++]?.response ?? jsonResponse('{}'));
    const session = fixture.http2();
    session.on('error', () => {});
    for (const { sink } of held) {
      const stream = session.request({ ':path': WATCH, ...MASTER });
      stream.on('error', () => {});
      const watch = await sink;
      const gone = deferred();
      watch.onClose(() => gone.resolve());
      if (sink === held[0]?.sink) stream.close(constants.NGHTTP2_CANCEL);
      else session.destroy();
      await gone.promise;
    }
    expect(fixture.server.load.watches).toBe(0);
  });

  it('is noticed although it sent a body that nobody reads', async () => {
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(() => response);
    // More than Node reads ahead of who wants it: a socket that is not read does not hear of its end.
    const body = 'x'.repeat(1_000_000);
    const socket = await rawHttp1(
      fixture,
      HEAD.replace('\r\n\r\n', `\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    );
    const watch = await sink;
    const gone = deferred();
    watch.onClose(() => gone.resolve());
    socket.end();
    await gone.promise;
    expect(fixture.server.load.watches).toBe(0);
    socket.destroy();
  });

  it('over HTTP/2 without an error and in the middle of a write leaves neither a watch nor a connection', async () => {
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(() => response);
    const session = fixture.http2();
    session.on('error', () => {});
    const stream = session.request({ ':path': WATCH, ...MASTER });
    stream.on('error', () => {});
    const watch = await sink;
    const gone = deferred();
    watch.onClose(() => gone.resolve());
    stream.pause();
    expect(watch.write(TOO_MUCH)).toBe(false);
    stream.close(constants.NGHTTP2_NO_ERROR);
    await gone.promise;
    session.close();
    await expect.poll(() => fixture.server.load).toMatchObject({ watches: 0, connections: 0 });
  });

  it('before the watch listens is still told', async () => {
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(() => response);
    const socket = await rawHttp1(fixture, HEAD);
    const watch = await sink;
    socket.destroy();
    await expect.poll(() => fixture.server.load.watches).toBe(0);
    const gone = deferred();
    watch.onClose(() => gone.resolve());
    await gone.promise;
  });
});

/** A watch that does not wait a moment. */
const eager: WatchResponse = {
  type: 'watch',
  contentType: 'application/json',
  start: (sink) => {
    sink.write([eventFrame('a')]);
    sink.end();
  },
};

describe('a watch that fails to start', () => {
  it('is cut off and reported', async () => {
    const reported: unknown[] = [];
    const failure = new Error('no cursor');
    const start = (): void => {
      throw failure;
    };
    const fixture = await fixtures.start(() => ({ ...eager, start }), { onError: (error) => reported.push(error) });
    await expect(fixture.ask(WATCH)).rejects.toThrow();
    const session = fixture.http2();
    await expect(fixture.askHttp2(session, WATCH)).rejects.toThrow();
    session.close();
    expect(reported).toEqual([failure, failure]);
    expect(fixture.server.load.watches).toBe(0);
  });
});

describe('HTTP/1.1 in its older and odder forms', () => {
  it('an HTTP/1.0 client gets bare events and the end of the connection', async () => {
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(() => response);
    const socket = await rawHttp1(fixture, HEAD.replace('HTTP/1.1', 'HTTP/1.0'));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const watch = await sink;
    watch.write([eventFrame('a')]);
    watch.end();
    await once(socket, 'end');
    expect(Buffer.concat(chunks).toString().split('\r\n\r\n')[1]).toBe(eventFrame('a').toString());
    socket.destroy();
  });

  it('a pipelined watch begins when the answer before it is out', async () => {
    const first = deferred();
    const fixture = await fixtures.start(async ({ query }) => {
      if (query !== '') return eager;
      await first.promise;
      return jsonResponse('{"first":true}');
    });
    const socket = await rawHttp1(fixture, HEAD.replace(WATCH, '/api/v1/configmaps') + HEAD);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    await expect.poll(() => fixture.server.load).toMatchObject({ reads: 1, watches: 0 });
    first.resolve();
    await expect.poll(() => Buffer.concat(chunks).toString()).toMatch(/\{"first":true\}HTTP.*ADDED.*0\r\n\r\n$/su);
    socket.destroy();
  });

  it('a connection is used again after a watch has ended', async () => {
    const held = [heldWatch(), heldWatch()];
    let next = 0;
    const fixture = await fixtures.start(() => held[next++]?.response ?? jsonResponse('{}'));
    const agent = fixture.agent();
    for (const { sink } of held) {
      const asked = fixture.ask(WATCH, { agent });
      const watch = await sink;
      watch.write([eventFrame('a')]);
      watch.end();
      expect((await asked).body).toBe(eventFrame('a').toString());
    }
    expect(fixture.server.load.connections).toBe(1);
    agent.destroy();
  });
});
