import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { deferred, eventFrame, Fixtures, heldWatch, jsonResponse, MASTER } from './http.fixture.ts';

const fixtures = new Fixtures();
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

const PATH = '/api/v1/configmaps';
const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${MASTER.authorization}\r\n\r\n`;

describe('a server that is told to close', () => {
  it('is not ready at once, but serves until the delay is over', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{}'), { shutdownDelayMs: 60_000 });
    expect((await fixture.ask('/readyz')).status).toBe(200);
    const closed = fixture.server.close();
    expect(fixture.server.state).toBe('leaving');
    expect(await fixture.ask('/readyz')).toMatchObject({
      status: 500,
      body: '[+]ping ok\n[-]shutdown failed: reason withheld\nreadyz check failed\n',
    });
    expect((await fixture.ask('/livez')).status).toBe(200);
    expect((await fixture.ask(PATH)).status).toBe(200);
    void fixture.server.close();
    await closed;
    expect(fixture.server.state).toBe('closed');
  });

  it('finishes what it has, refuses what is new, and ends watches cleanly', async () => {
    const hold = deferred();
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(async ({ query, path }) => {
      if (query !== '') return response;
      if (path === '/api/v1/slow') await hold.promise;
      return jsonResponse('{}');
    });
    const session = fixture.http2();
    const slow = fixture.ask('/api/v1/slow');
    const slow2 = fixture.askHttp2(session, '/api/v1/slow');
    const watching = fixture.ask(`${PATH}?watch=1`);
    const watch = await sink;
    const ended = deferred();
    watch.onClose(() => ended.resolve());
    watch.write([eventFrame('a')]);
    await expect.poll(() => fixture.server.load.reads).toBe(2);
    const closed = fixture.server.close();
    await ended.promise;
    expect((await watching).body).toBe(eventFrame('a').toString());
    expect(fixture.server.state).toBe('draining');
    hold.resolve();
    expect((await slow).status).toBe(200);
    expect((await slow2).status).toBe(200);
    await closed;
    expect(fixture.server.load.connections).toBe(0);
    const late = connect(fixture.port, '127.0.0.1');
    const [error] = await once(late, 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('answers 503 on connections that are still open', async () => {
    const hold = deferred();
    const fixture = await fixtures.start(async ({ path }) => {
      if (path === '/api/v1/slow') await hold.promise;
      return jsonResponse('{}');
    });
    const { connect: connectTls } = await import('node:tls');
    const socket = connectTls({ host: '127.0.0.1', port: fixture.port, ca: fixture.ca });
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.write(head('/api/v1/slow'));
    await expect.poll(() => fixture.server.load.reads).toBe(1);
    const closed = fixture.server.close();
    socket.write(head(PATH) + head('/livez'));
    hold.resolve();
    await closed;
    await expect
      .poll(() => text)
      .toMatch(/200 OK.*503 Service Unavailable.*retry-after: 1.*apiserver is shutting down/su);
    socket.destroy();
  });

  it('cuts off what does not finish in its time', async () => {
    const fixture = await fixtures.start(() => new Promise(() => {}), { drainTimeoutMs: 20 });
    const asked = fixture.ask(PATH).catch((error: unknown) => error);
    await expect.poll(() => fixture.server.load.reads).toBe(1);
    await fixture.server.close();
    expect(await asked).toMatchObject({ code: 'ECONNRESET' });
  });

  it('ends at once when it is told twice', async () => {
    const fixture = await fixtures.start(() => new Promise(() => {}), { shutdownDelayMs: 60_000 });
    const asked = fixture.ask(PATH).catch((error: unknown) => error);
    await expect.poll(() => fixture.server.load.reads).toBe(1);
    const first = fixture.server.close();
    const second = fixture.server.close();
    await Promise.all([first, second]);
    expect(await asked).toBeInstanceOf(Error);
    expect(fixture.server.load).toMatchObject({ reads: 0, connections: 0 });
  });

  it('may never have listened', async () => {
    const { createHttpServer } = await import('../start/create-http-server.ts');
    const server = createHttpServer({ tls: fixtures.authority.server(), handler: async () => jsonResponse('{}') });
    await server.close();
    await expect(server.listen()).rejects.toThrow(TypeError);
  });
});

it('a port that is taken is an error of listen', async () => {
  const fixture = await fixtures.start(() => jsonResponse('{}'));
  await expect(fixtures.start(() => jsonResponse('{}'), { port: fixture.port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});
