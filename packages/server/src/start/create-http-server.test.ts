import { once } from 'node:events';
import { request } from 'node:https';
import { tooManyRequests } from '@listwatch/api';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { eventFrame, Fixtures, heldWatch, jsonResponse, MASTER } from '../wire/http.fixture.ts';

const fixtures = new Fixtures();
const start = fixtures.start.bind(fixtures);
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

const CONFIGMAPS = '/api/v1/namespaces/a/configmaps';

describe('a plain answer', () => {
  it('has a length, an audit id and the headers of Kubernetes over HTTP/1.1', async () => {
    const fixture = await start(() => jsonResponse('{"a":1}\n'));
    const answer = await fixture.ask(CONFIGMAPS);
    expect(answer).toMatchObject({ status: 200, body: '{"a":1}\n' });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '8',
      'cache-control': 'no-cache, private',
      'audit-id': expect.stringMatching(/^[0-9a-f-]{36}$/u),
    });
  });

  it('is the same over HTTP/2 on the same port', async () => {
    const fixture = await start(({ protocol, path, query }) => jsonResponse(JSON.stringify([protocol, path, query])));
    const session = fixture.http2();
    const answer = await fixture.askHttp2(session, `${CONFIGMAPS}?limit=1`);
    expect(answer).toMatchObject({ status: 200, body: JSON.stringify(['http/2', CONFIGMAPS, 'limit=1']) });
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
    session.close();
  });

  it('repeats an audit id that the client chose', async () => {
    const fixture = await start(() => jsonResponse('{}'));
    const answer = await fixture.ask(CONFIGMAPS, { headers: { ...MASTER, 'audit-id': 'mine' } });
    expect(answer.headers['audit-id']).toBe('mine');
  });

  it('has no body for HEAD, over both protocols', async () => {
    const fixture = await start(() => jsonResponse('{"a":1}\n'));
    expect(await fixture.ask(CONFIGMAPS, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    const session = fixture.http2();
    expect(await fixture.askHttp2(session, CONFIGMAPS, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    session.close();
  });
});

describe('a failure', () => {
  it('is a compact Status with a newline', async () => {
    const fixture = await start(() => {
      throw tooManyRequests('wait', 7);
    });
    const answer = await fixture.ask(CONFIGMAPS);
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe('7');
    expect(answer.body).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"wait","reason":"TooManyRequests","details":{"retryAfterSeconds":7},"code":429}\n',
    );
  });

  it('that nobody foresaw is a 500 that shows nothing, and is reported', async () => {
    const reported: unknown[] = [];
    const failure = new Error('secret path /etc');
    const fixture = await start(
      () => {
        throw failure;
      },
      { onError: (error, { method, target }) => reported.push(error, method, target) },
    );
    const answer = await fixture.ask(CONFIGMAPS);
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.body)).toMatchObject({ reason: 'InternalError', code: 500 });
    expect(answer.body).not.toContain('secret');
    expect(reported).toEqual([failure, 'GET', CONFIGMAPS]);
  });
});

describe('a watch', () => {
  it('over HTTP/1.1 has its headers before any event, then events, then a clean end', async () => {
    const { response, sink } = heldWatch();
    const fixture = await start(() => response);
    const options = {
      port: fixture.port,
      path: `${CONFIGMAPS}?watch=1`,
      headers: MASTER,
      ca: fixture.ca,
      agent: false,
    };
    const sent = request({ host: '127.0.0.1', ...options }).end();
    const [got] = await once(sent, 'response');
    expect(got.headers).toMatchObject({ 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
    const watch = await sink;
    got.setEncoding('utf8');
    expect(watch.write([eventFrame('a'), eventFrame('b')])).toBe(true);
    const [first] = await once(got, 'data');
    expect(first).toBe(Buffer.concat([eventFrame('a'), eventFrame('b')]).toString());
    watch.end();
    await once(got, 'end');
    expect(got.complete).toBe(true);
  });

  it('over HTTP/2 does the same', async () => {
    const { response, sink } = heldWatch();
    const fixture = await start(() => response);
    const session = fixture.http2();
    const stream = session.request({ ':path': `${CONFIGMAPS}?watch=1`, ...MASTER });
    await once(stream, 'response');
    const watch = await sink;
    stream.setEncoding('utf8');
    watch.write([eventFrame('a'), eventFrame('b')]);
    const [first] = await once(stream, 'data');
    expect(first).toBe(Buffer.concat([eventFrame('a'), eventFrame('b')]).toString());
    watch.end();
    await once(stream, 'end');
    expect(stream.rstCode).toBe(0);
    session.close();
  });
});
