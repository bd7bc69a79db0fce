import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:https';
import { gunzipSync, gzipSync } from 'node:zlib';
import { badRequest } from '@listwatch/api';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { StreamResponse } from '../contract/api-response.ts';
import { deferred, Fixtures, jsonResponse, MASTER } from '../wire/http.fixture.ts';
import { acceptsGzip } from './write-response.ts';

const fixtures = new Fixtures();
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

const PATH = '/api/v1/configmaps';
const GZIP = { ...MASTER, 'accept-encoding': 'gzip' } as const;
const KIB = 1024;

function stream(chunks: StreamResponse['chunks']): StreamResponse {
  return { type: 'stream', status: 200, headers: { 'content-type': 'application/json' }, chunks };
}

function* pieces(count: number, size: number, onEnd: () => void = () => {}): Generator<Buffer> {
  try {
    for (let i = 0; i < count; i++) yield Buffer.alloc(size, 'abcdefghijklmnopqrstuvwxyz'[i % 26]);
  } finally {
    onEnd();
  }
}

function* refilled(count: number, size: number): Generator<Buffer> {
  const buffer = Buffer.alloc(size);
  for (const piece of pieces(count, size)) {
    piece.copy(buffer);
    yield buffer;
  }
}

function* failing(count: number): Generator<Buffer> {
  yield* pieces(count, 64 * KIB);
  throw badRequest('too late');
}

describe('a whole answer', () => {
  it('that is packed already goes as it is', async () => {
    const body = gzipSync(randomBytes(200 * KIB));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const fixture = await fixtures.start(() => ({ type: 'bytes', status: 200, headers, body }));
    const answer = await fixture.ask(PATH, { headers: GZIP });
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(answer.raw.equals(body)).toBe(true);
  });
});

describe('a stream', () => {
  it('arrives whole over both protocols, and gives back its source', async () => {
    let ended = 0;
    const fixture = await fixtures.start(() => stream(pieces(100, 10 * KIB, () => ended++)));
    const whole = Buffer.concat([...pieces(100, 10 * KIB)]);
    const answer = await fixture.ask(PATH);
    expect(answer.headers['transfer-encoding']).toBe('chunked');
    expect(answer.raw.equals(whole)).toBe(true);
    const session = fixture.http2();
    expect((await fixture.askHttp2(session, PATH)).raw.equals(whole)).toBe(true);
    session.close();
    expect(ended).toBe(2);
  });

  it('has a length when its maker knows it', async () => {
    const fixture = await fixtures.start(() => ({
      ...stream(pieces(20, 10 * KIB)),
      headers: { 'content-length': String(200 * KIB) },
    }));
    expect((await fixture.ask(PATH)).headers['content-length']).toBe(String(200 * KIB));
    const packed = await fixture.ask(PATH, { headers: GZIP });
    expect(packed.headers['content-length']).toBeUndefined();
    expect(gunzipSync(packed.raw).length).toBe(200 * KIB);
  });

  it('may be made in one buffer that is filled again and again', async () => {
    const fixture = await fixtures.start(() => stream(refilled(200, 40 * KIB)));
    const whole = Buffer.concat([...pieces(200, 40 * KIB)]);
    const session = fixture.http2();
    expect((await fixture.ask(PATH)).raw.equals(whole)).toBe(true);
    expect((await fixture.askHttp2(session, PATH)).raw.equals(whole)).toBe(true);
    expect(gunzipSync((await fixture.ask(PATH, { headers: GZIP })).raw).equals(whole)).toBe(true);
    session.close();
  });

  it('may be empty', async () => {
    const fixture = await fixtures.start(() => stream([]));
    expect(await fixture.ask(PATH)).toMatchObject({ status: 200, body: '', headers: { 'content-length': '0' } });
  });

  it('is taken no faster than it is read, and is let go when the reader leaves', async () => {
    let made = 0;
    const ended = deferred();
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        for (; ; made++) yield Buffer.alloc(64 * KIB);
      } finally {
        ended.resolve();
      }
    }
    const fixture = await fixtures.start(() => stream(endless()));
    const sent = request({ host: '127.0.0.1', port: fixture.port, path: PATH, headers: MASTER, ca: fixture.ca }).end();
    sent.on('error', () => {});
    const [response] = await once(sent, 'response');
    response.on('error', () => {});
    response.pause();
    let before = -1;
    await expect
      .poll(
        () => {
          const still = made === before;
          before = made;
          return still;
        },
        { interval: 200 },
      )
      .toBe(true);
    expect(made).toBeLessThan(1000);
    response.destroy();
    await ended.promise;
  });

  it('that fails before its first chunk is a Status; after it, a cut connection', async () => {
    const fixture = await fixtures.start(({ query }) => stream(failing(Number(query))));
    expect(await fixture.ask(`${PATH}?0`)).toMatchObject({ status: 400 });
    await expect(fixture.ask(`${PATH}?5`)).rejects.toThrow();
    const session = fixture.http2();
    const cut = fixture.askHttp2(session, `${PATH}?5`).then(() => 'whole', String);
    expect(await cut).toContain('NGHTTP2_INTERNAL_ERROR');
    session.close();
  });
});

describe('gzip', () => {
  it('packs whole answers and streams above 128 KiB', async () => {
    const whole = Buffer.concat([...pieces(20, 10 * KIB)]);
    const fixture = await fixtures.start(({ path }) =>
      path === PATH ? jsonResponse(whole) : stream(pieces(20, 10 * KIB)),
    );
    for (const path of [PATH, '/api/v1/pods']) {
      const answer = await fixture.ask(path, { headers: GZIP });
      expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
      expect(gunzipSync(answer.raw).equals(whole)).toBe(true);
      expect((await fixture.ask(path)).headers['content-encoding']).toBeUndefined();
    }
  });

  it('leaves smaller ones as they are', async () => {
    const fixture = await fixtures.start(({ path }) =>
      path === PATH ? jsonResponse(Buffer.alloc(128 * KIB, 'x')) : stream(pieces(2, 10 * KIB)),
    );
    for (const path of [PATH, '/api/v1/pods']) {
      expect((await fixture.ask(path, { headers: GZIP })).headers['content-encoding']).toBeUndefined();
    }
  });

  it.each([
    ['gzip', true],
    ['deflate, gzip', true],
    ['gzip;q=1', false],
    ['', false],
    [undefined, false],
  ])('%j asks for it: %s', (header, asked) => {
    expect(acceptsGzip(header)).toBe(asked);
  });
});
