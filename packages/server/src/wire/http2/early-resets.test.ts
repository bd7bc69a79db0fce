import { once } from 'node:events';
import { constants } from 'node:http2';
import { FakeClock } from '@listwatch/api/fake-clock';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { deferred, type Fixture, Fixtures, heldWatch, jsonResponse, MASTER } from '../http.fixture.ts';
import { frame, GOAWAY, headersFrame, RawHttp2, RST_STREAM, settings } from '../raw-http2.fixture.ts';

const fixtures = new Fixtures();
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

const PATH = '/api/v1/namespaces/default/configmaps';
/** The `maxConcurrentStreams` of the server. */
const MOST = 100;

async function cutCount(fixture: Fixture): Promise<string | undefined> {
  const { body } = await fixture.ask('/metrics');
  return /^listwatch_resetting_connections_cut_total (\d+)$/mu.exec(body)?.[1];
}

function reset(stream: number, code: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(code);
  return frame(RST_STREAM, 0, stream, payload);
}

describe('a client that resets its streams at once', () => {
  it.each([
    ['one after the other', 1, constants.NGHTTP2_CANCEL],
    ['in groups', 60, constants.NGHTTP2_CANCEL],
  ])('is told to calm down and cut, also before nghttp2 does it: %s', async (_how, group, code) => {
    let calls = 0;
    const fixture = await fixtures.start(() => (calls++, jsonResponse('{}')));
    const client = await RawHttp2.connect(fixture);
    client.send(settings());
    const sent: Buffer[] = [];
    for (let first = 1; first < 20_000; first += 2 * group) {
      const streams = Array.from({ length: group }, (_, index) => first + 2 * index);
      sent.push(...streams.map((stream) => headersFrame(stream, { path: PATH, ...MASTER })));
      sent.push(...streams.map((stream) => reset(stream, code)));
    }
    client.send(...sent);
    await client.frame(
      ({ type, payload }) => type === GOAWAY && payload.readUInt32BE(4) === constants.NGHTTP2_ENHANCE_YOUR_CALM,
    );
    await client.end();
    expect(calls).toBeLessThan(5 * MOST);
    expect((await fixture.ask(PATH)).status).toBe(200);
    expect(await cutCount(fixture)).toBe('1');
    expect(fixture.server.load).toMatchObject({ reads: 0, mutating: 0, watches: 0 });
  });
});

describe('a client that is honest keeps its connection', () => {
  it('when it cancels all its requests before their answers, every second', async () => {
    const clock = new FakeClock();
    const hold = deferred();
    const fixture = await fixtures.start(async () => (await hold.promise, jsonResponse('{}')), { clock });
    const session = fixture.http2();
    await once(session, 'remoteSettings');
    for (let second = 0; second < 8; second++) {
      const streams = Array.from({ length: MOST }, () => session.request({ ':path': PATH, ...MASTER }));
      await expect.poll(() => fixture.server.load.reads).toBe(MOST);
      for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
      await expect.poll(() => fixture.server.load.reads).toBe(0);
      await clock.advance(1000);
    }
    hold.resolve();
    expect((await fixture.askHttp2(session, PATH)).status).toBe(200);
    expect(await cutCount(fixture)).toBe('0');
    session.destroy();
  });

  it('when it ends watches that have run for a while, as many as it likes', async () => {
    const clock = new FakeClock();
    const fixture = await fixtures.start(({ query }) => (query === '' ? jsonResponse('{}') : heldWatch().response), {
      clock,
    });
    const session = fixture.http2();
    for (let round = 0; round < 5; round++) {
      const streams = Array.from({ length: MOST }, () => session.request({ ':path': `${PATH}?watch=1`, ...MASTER }));
      await expect.poll(() => fixture.server.load.watches).toBe(MOST);
      // Not enough to fill the bucket again.
      await clock.advance(1001);
      for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
      await expect.poll(() => fixture.server.load.watches).toBe(0);
    }
    expect((await fixture.askHttp2(session, PATH)).status).toBe(200);
    expect(await cutCount(fixture)).toBe('0');
    session.destroy();
  });

  it('when it sends a thousand requests at once before it knows the limit, and takes what it gets', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{}'));
    const session = fixture.http2();
    const asked = Array.from({ length: 1000 }, () => fixture.askHttp2(session, PATH));
    const answers = await Promise.allSettled(asked);
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(MOST);
    expect((await fixture.askHttp2(session, PATH)).status).toBe(200);
    expect(await cutCount(fixture)).toBe('0');
    session.destroy();
  });
});
