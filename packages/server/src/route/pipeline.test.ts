import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { FakeClock } from '@listwatch/api/fake-clock';
import { Gauge } from 'prom-client';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { certificateAuthenticator } from '../access/authentication/certificate-authenticator.ts';
import { firstAuthenticator } from '../access/authenticator.ts';
import { deferred, Fixtures, heldWatch, jsonResponse, MASTER } from '../wire/http.fixture.ts';

const fixtures = new Fixtures();
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

const PATH = '/api/v1/namespaces/default/configmaps';
const PLAIN = { authorization: 'Bearer plain-token' } as const;

describe('who asks', () => {
  it('by token is known with all groups', async () => {
    const fixture = await fixtures.start(({ user }) => jsonResponse(JSON.stringify(user)));
    expect(JSON.parse((await fixture.ask(PATH)).body)).toEqual({
      name: 'admin',
      uid: '1',
      groups: ['system:masters', 'system:authenticated'],
    });
  });

  it('by certificate is known over both protocols', async () => {
    const fixture = await fixtures.start(({ user }) => jsonResponse(JSON.stringify(user)), {
      tls: { ...fixtures.authority.server(), clientCa: fixtures.authority.ca },
      authenticator: firstAuthenticator([certificateAuthenticator()]),
    });
    const client = fixtures.authority.client('/O=system:masters/O=ops/CN=ann');
    const hash = new X509Certificate(client.cert).fingerprint256.replaceAll(':', '').toLowerCase();
    const user = {
      name: 'ann',
      groups: ['system:masters', 'ops', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${hash}`] },
    };
    expect(JSON.parse((await fixture.ask(PATH, { headers: {}, client })).body)).toEqual(user);
    const session = fixture.http2(client);
    expect(JSON.parse((await fixture.askHttp2(session, PATH, { headers: {} })).body)).toEqual(user);
    session.close();
    expect((await fixture.ask(PATH, { headers: {} })).status).toBe(403);
    const stranger = new Fixtures();
    const foreign = stranger.authority.client('/O=system:masters/CN=eve');
    expect((await fixture.ask(PATH, { headers: {}, client: foreign })).status).toBe(401);
    stranger.authority[Symbol.dispose]();
  });

  it('with a wrong token gets a 401 Status', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{}'));
    const answer = await fixture.ask(PATH, { headers: { authorization: 'Bearer nope' } });
    expect([answer.status, answer.headers['content-type']]).toEqual([401, 'application/json']);
    expect(JSON.parse(answer.body)).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Unauthorized',
      reason: 'Unauthorized',
      code: 401,
    });
  });

  it('with nothing, or without the right, gets a 403 Status', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{}'));
    const anonymous = await fixture.ask(PATH, { headers: {} });
    expect(JSON.parse(anonymous.body)).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      details: { kind: 'configmaps' },
      message:
        'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"',
    });
    expect((await fixture.ask(PATH, { headers: PLAIN })).body).toContain('User \\"paul\\" cannot list');
  });

  it('on the port without TLS must say who it is as well', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{}'), { insecurePort: 0 });
    expect(fixture.server.address?.insecureUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u);
    expect(await fixture.askInsecure(PATH, MASTER)).toBe(200);
    expect(await fixture.askInsecure(PATH)).toBe(403);
  });
});

describe('the built-in doors', () => {
  it('health and version are for everybody, metrics and the rest are not', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{"handler":true}'), {
      version: Buffer.from('{\n  "major": "1"\n}'),
      debugCache: () => ({ pods: 3 }),
    });
    const anybody = { headers: {} };
    const healthz = await fixture.ask('/healthz', anybody);
    expect([healthz.status, healthz.body, healthz.headers['content-type']]).toEqual([
      200,
      'ok',
      'text/plain; charset=utf-8',
    ]);
    expect((await fixture.ask('/readyz', anybody)).body).toBe('ok');
    expect((await fixture.ask('/version', anybody)).body).toBe('{\n  "major": "1"\n}');
    expect((await fixture.ask('/metrics', anybody)).status).toBe(403);
    expect((await fixture.ask('/debug/cache', anybody)).status).toBe(403);
    expect((await fixture.ask('/readyz/ping')).body).toBe('ok');
    expect(await fixture.ask('/readyz/nope')).toMatchObject({ status: 404, body: '404 page not found\n' });
    expect(JSON.parse((await fixture.ask('/debug/cache')).body)).toEqual({ pods: 3 });
    expect((await fixture.ask('/healthz', { method: 'POST' })).status).toBe(405);
    expect((await fixture.ask('/nope')).body).toBe('{"handler":true}');
  });

  it('metrics show requests and what other parts register', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{}'));
    const gauge = new Gauge({ name: 'cache_objects', help: 'x', registers: [fixture.server.registry] });
    gauge.set(7);
    await fixture.ask(PATH);
    const { body, headers } = await fixture.ask('/metrics');
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toContain('cache_objects 7');
    expect(body).toContain('resource="configmaps",subresource="",code="200"} 1');
  });
});

describe('limits', () => {
  it('one read too many is a 429, while writes, watches, health and masters go on', async () => {
    const hold = deferred();
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(
      async ({ method, query }) => {
        if (query !== '') return response;
        if (method === 'GET') await hold.promise;
        return jsonResponse('{}');
      },
      { maxReadsInFlight: 1, authorizer: { authorize: () => ({ allowed: true }) } },
    );
    const first = fixture.ask(PATH);
    await expect.poll(() => fixture.server.load.reads).toBe(1);
    const second = await fixture.ask(PATH, { headers: { authorization: 'Bearer plain-token' } });
    expect([second.status, second.headers['retry-after']]).toEqual([429, '1']);
    expect(JSON.parse(second.body)).toMatchObject({ kind: 'Status', reason: 'TooManyRequests' });
    expect((await fixture.ask(PATH, { method: 'POST', body: '{}' })).status).toBe(200);
    expect((await fixture.ask('/readyz')).status).toBe(200);
    const master = fixture.ask(PATH);
    await expect.poll(() => fixture.server.load.reads).toBe(2);
    const watch = fixture.ask(`${PATH}?watch=1`);
    (await sink).end();
    expect((await watch).status).toBe(200);
    hold.resolve();
    expect([(await first).status, (await master).status]).toEqual([200, 200]);
    await expect.poll(() => fixture.server.load.reads).toBe(0);
  });

  it('a body is read whole, and one that is too large is a 413 over both protocols', async () => {
    const fixture = await fixtures.start(async (request) => jsonResponse(String((await request.body()).length)), {
      maxBodyBytes: 100_000,
    });
    const session = fixture.http2();
    const post = { method: 'POST' } as const;
    for (const ask of [fixture.ask.bind(fixture), fixture.askHttp2.bind(fixture, session)]) {
      expect((await ask(PATH, { ...post, body: Buffer.alloc(100_000) })).body).toBe('100000');
      const answer = await ask(PATH, { ...post, body: Buffer.alloc(3_000_000) });
      expect(JSON.parse(answer.body)).toMatchObject({
        code: 413,
        message: 'Request entity too large: limit is 100000',
      });
    }
    const headers = { ...MASTER, 'transfer-encoding': 'chunked' };
    expect((await fixture.ask(PATH, { ...post, headers, body: Buffer.alloc(3_000_000) })).status).toBe(413);
    session.close();
  });

  it('a request that takes too long is a 504, and its signal is aborted', async () => {
    const aborted = deferred<unknown>();
    const fixture = await fixtures.start(
      ({ signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => aborted.resolve(signal.reason));
        }),
    );
    const answer = await fixture.ask(`${PATH}?timeout=50ms`);
    expect(JSON.parse(answer.body)).toMatchObject({
      code: 504,
      reason: 'Timeout',
      message: 'Timeout: request did not complete within the allotted timeout',
    });
    expect(await aborted.promise).toMatchObject({ httpCode: 504 });
    expect((await fixture.ask(`${PATH}?timeout=5`)).status).toBe(400);
    await expect.poll(() => fixture.server.load.reads).toBe(0);
  });

  it('a watch that does not begin in time is a 504', async () => {
    const clock = new FakeClock();
    const fixture = await fixtures.start(() => new Promise(() => {}), { clock });
    const asked = fixture.ask(`${PATH}?watch=1`);
    await expect.poll(() => fixture.server.load.watches).toBe(1);
    await clock.advance(60_000);
    expect((await asked).status).toBe(504);
    expect(fixture.server.load.watches).toBe(0);
  });

  it('a watch outlives the deadline of other requests', async () => {
    const deadlines = new Set<() => void>();
    const clock = {
      now: () => 0,
      after: (ms: number, task: () => void) => {
        if (ms === 777) deadlines.add(task);
        return () => deadlines.delete(task);
      },
    };
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(() => response, { clock, requestTimeoutMs: 777 });
    const asked = fixture.ask(`${PATH}?watch=1`);
    const watch = await sink;
    expect(deadlines.size).toBe(0);
    watch.end();
    expect((await asked).status).toBe(200);
  });

  it('the signal is aborted when the client leaves', async () => {
    const started = deferred<AbortSignal>();
    const fixture = await fixtures.start(({ signal }) => {
      started.resolve(signal);
      return new Promise(() => {});
    });
    const session = fixture.http2();
    session.on('error', () => {});
    session.request({ ':path': PATH, ...MASTER }).on('error', () => {});
    const signal = await started.promise;
    const aborted = once(signal, 'abort');
    session.destroy();
    await aborted;
    expect(fixture.server.load.reads).toBe(0);
  });
});
