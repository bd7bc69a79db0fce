import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';
import { FakeClock } from '@listwatch/api/fake-clock';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { deferred, type Fixture, Fixtures, jsonResponse, MASTER } from './http.fixture.ts';

const fixtures = new Fixtures();
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

const PATH = '/api/v1/namespaces/default/configmaps';

async function start(clock: FakeClock): Promise<Fixture> {
  return fixtures.start(async (request) => jsonResponse(await request.body()), { clock });
}

describe('a body that does not come', () => {
  it('is a 504 over HTTP/1.1, and its connection is closed', async () => {
    const clock = new FakeClock();
    const fixture = await start(clock);
    const socket = connectTls({ host: '127.0.0.1', port: fixture.port, ca: fixture.ca });
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    const { authorization } = MASTER;
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Length: 10\r\n\r\nabc`,
    );
    await expect.poll(() => fixture.server.load.mutating).toBe(1);
    await clock.advance(34_000);
    await expect.poll(() => text).toMatch(/^HTTP\/1\.1 504 /u);
    expect(fixture.server.load.mutating).toBe(0);
    const closed = once(socket, 'close');
    await clock.advance(5000);
    await closed;
  });

  it('is a 504 over HTTP/2, and its stream is closed', async () => {
    const clock = new FakeClock();
    const fixture = await start(clock);
    const session = fixture.http2();
    const stream = session.request({ ':path': PATH, ':method': 'POST', ...MASTER }, { endStream: false });
    stream.write('abc');
    const answered = once(stream, 'response');
    await expect.poll(() => fixture.server.load.mutating).toBe(1);
    await clock.advance(34_000);
    const [head] = await answered;
    expect(head[':status']).toBe(504);
    stream.resume();
    await once(stream, 'close');
    expect(fixture.server.load.mutating).toBe(0);
    session.destroy();
  });

  it('is not read before the request is authorized', async () => {
    const decision = deferred();
    const authorizer = { authorize: async () => (await decision.promise, { allowed: true }) };
    const fixture = await fixtures.start(async (request) => jsonResponse(String((await request.body()).length)), {
      authorizer,
    });
    const session = fixture.http2();
    const stream = session.request({ ':path': PATH, ':method': 'POST', ...MASTER }, { endStream: false });
    let isSent = false;
    stream.end(Buffer.alloc(2 * 1024 * 1024), () => {
      isSent = true;
    });
    // The windows let half of it through; a ping comes back when the server has seen all that was sent.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => session.ping(resolve));
    expect([isSent, fixture.server.load.mutating]).toEqual([false, 0]);
    decision.resolve();
    expect((await stream.toArray()).join('')).toBe(String(2 * 1024 * 1024));
    session.close();
  });
});
