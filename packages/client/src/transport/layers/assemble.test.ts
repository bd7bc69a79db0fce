import { FakeClock } from '@listwatch/api/fake-clock';
import { rest } from '@listwatch/conformance/transport';
import { describe, expect, it, vi } from 'vitest';
import { createLoopbackTransport } from '../carriers/loopback-transport.ts';
import type { Transport, TransportRequest } from '../transport.ts';
import { assemble, type FeatureOptions } from './assemble.ts';
import type { Credentials } from './auth.ts';
import type { RequestRecord } from './logging.ts';
import type { ServerWarning } from './warnings.ts';

const GET: TransportRequest = { method: 'GET', path: '/pods', headers: {} };

interface Fake {
  readonly transport: Transport;
  readonly requests: TransportRequest[];
}

function start(
  options: FeatureOptions & { readonly credentials?: Credentials; readonly clock?: FakeClock },
  status: (request: TransportRequest, n: number) => readonly [number, Record<string, string>?] = () => [200],
): Fake {
  const clock = options.clock ?? new FakeClock();
  const requests: TransportRequest[] = [];
  const inner = createLoopbackTransport(
    {
      handle: async (request) => {
        requests.push(request);
        const [code, headers = {}] = status(request, requests.length);
        return { status: code, headers, body: (async function* () {})() };
      },
    },
    { clock },
  );
  return { transport: assemble(inner, { ...options, clock }), requests };
}

/** Tokens 1, 2, ... of which each renewal gives the next. */
function tokens(last = Number.POSITIVE_INFINITY): Credentials & { readonly renewals: () => number } {
  let current = 1;
  return {
    headers: async () => ({ authorization: `Bearer ${current}` }),
    renew: async ({ authorization }) => {
      if (authorization !== `Bearer ${current}`) return true;
      if (current >= last) return false;
      current += 1;
      return true;
    },
    renewals: () => current - 1,
  };
}

describe('auth', () => {
  it('puts credentials on every request', async () => {
    const { transport, requests } = start({ credentials: tokens() });
    await transport.send(GET);
    expect(requests[0]?.headers).toEqual({ authorization: 'Bearer 1' });
  });

  it('renews once after a 401 and repeats the request, a write too', async () => {
    const { transport, requests } = start({ credentials: tokens() }, ({ headers }) => [
      headers['authorization'] === 'Bearer 2' ? 201 : 401,
    ]);
    const response = await transport.send({ ...GET, method: 'POST', body: Buffer.from('{}') });
    expect(response.status).toBe(201);
    expect(requests.map(({ headers, body }) => [headers['authorization'], String(body)])).toEqual([
      ['Bearer 1', '{}'],
      ['Bearer 2', '{}'],
    ]);
  });

  it('gives the second 401 to the caller', async () => {
    const { transport, requests } = start({ credentials: tokens() }, () => [401]);
    expect((await transport.send(GET)).status).toBe(401);
    expect(requests.length).toBe(2);
  });

  it('gives the first 401, body and all, when there is nothing else to try', async () => {
    const { transport, requests } = start({ credentials: tokens(1) }, () => [401]);
    const response = await transport.send(GET);
    expect([response.status, await rest(response), requests.length]).toEqual([401, '', 1]);
  });
});

describe('impersonate', () => {
  it('sends user, uid, groups one by one, and extra with escaped keys', async () => {
    const { transport, requests } = start({
      impersonate: { user: 'bob', uid: '7', groups: ['a', 'b,c'], extra: { 'Acme.com/Project': ['x', 'y'] } },
    });
    await transport.send({ ...GET, headers: { accept: 'application/json' } });
    expect(requests[0]?.headers).toEqual({
      accept: 'application/json',
      'impersonate-user': 'bob',
      'impersonate-uid': '7',
      'impersonate-group': ['a', 'b,c'],
      'impersonate-extra-acme.com%2Fproject': ['x', 'y'],
    });
  });

  it('refuses to impersonate nobody', () => {
    expect(() => start({ impersonate: { user: '' } })).toThrow(TypeError);
  });
});

describe('warnings', () => {
  it('tells of each, commas and quotes in them kept', async () => {
    const seen: ServerWarning[] = [];
    const header = '299 - "one, with a comma", 299 api "say \\"no\\"" "Wed, 21 Oct 2026 07:28:00 GMT", 199 - "x"';
    const { transport } = start({ onWarning: (warning) => seen.push(warning) }, () => [200, { warning: header }]);
    await transport.send(GET);
    expect(seen.map(({ code, agent, text }) => [code, agent, text])).toEqual([
      [299, '-', 'one, with a comma'],
      [299, 'api', 'say "no"'],
      [199, '-', 'x'],
    ]);
    expect(seen[0]).toMatchObject({ method: 'GET', path: '/pods' });
  });

  it.each([
    ['prints each once by default', undefined, [['Warning: old']]],
    ['prints none when told so', false, []],
  ] as const)('%s', async (_, onWarning, printed) => {
    const warn = vi.spyOn(globalThis.console, 'warn').mockImplementation(() => {});
    try {
      const { transport } = start({ onWarning }, () => [200, { warning: '299 - "old"' }]);
      await transport.send(GET);
      await transport.send({ ...GET, path: '/nodes' });
      expect(warn.mock.calls).toEqual(printed);
    } finally {
      warn.mockRestore();
    }
  });
});

describe('logging', () => {
  it('tells of every attempt, and of nothing secret', async () => {
    const clock = new FakeClock();
    const records: RequestRecord[] = [];
    const { transport } = start({ clock, log: (record) => records.push(record), credentials: tokens() }, (_, n) =>
      n === 1 ? [503, { 'retry-after': '1' }] : [200],
    );
    const sending = transport.send(GET);
    await clock.advance(1000);
    await sending;
    expect(records).toEqual([
      { transport: 'loopback', method: 'GET', path: '/pods', ms: 0, status: 503 },
      { transport: 'loopback', method: 'GET', path: '/pods', ms: 0, status: 200 },
    ]);
  });

  it('tells of failures and lets them through', async () => {
    const records: RequestRecord[] = [];
    const { transport } = start({ log: (record) => records.push(record) });
    await transport.close();
    await expect(transport.send({ ...GET, method: 'PUT' })).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
    expect(records).toMatchObject([{ method: 'PUT', error: { code: 'CLIENT_CLOSED' } }]);
  });
});

describe('rate limit', () => {
  it('lets a burst through, then holds to the rate; a watch does not wait', async () => {
    const clock = new FakeClock();
    const { transport, requests } = start({ clock, rateLimit: { qps: 5, burst: 3 } });
    const sends = Array.from({ length: 6 }, () => transport.send(GET));
    await clock.advance(0);
    expect(requests.length).toBe(3);
    await transport.send({ ...GET, path: '/pods?watch=true' });
    expect(requests.length).toBe(4);
    await clock.advance(199);
    expect(requests.length).toBe(4);
    await clock.advance(1);
    expect(requests.length).toBe(5);
    await clock.advance(400);
    await Promise.all(sends);
    expect(requests.length).toBe(7);
    await clock.advance(60_000);
    const later = Array.from({ length: 4 }, () => transport.send(GET));
    await clock.advance(0);
    expect(requests.length).toBe(10);
    await clock.advance(200);
    await Promise.all(later);
  });

  it('who stops waiting gives the token back', async () => {
    const clock = new FakeClock();
    const { transport, requests } = start({ clock, rateLimit: { qps: 1, burst: 1 } });
    await transport.send(GET);
    const controller = new AbortController();
    const waiting = transport.send({ ...GET, signal: controller.signal });
    waiting.catch(() => {});
    await clock.advance(10);
    controller.abort('no');
    await expect(waiting).rejects.toBe('no');
    const next = transport.send(GET);
    await clock.advance(990);
    await next;
    expect(requests.length).toBe(2);
  });

  it('holds repetitions back too, those of a watch as well', async () => {
    const clock = new FakeClock();
    const { transport, requests } = start({ clock, rateLimit: { qps: 0.1, burst: 1 } }, (_, n) =>
      n < 3 ? [503, { 'retry-after': '1' }] : [200],
    );
    const watch = transport.send({ ...GET, path: '/pods?watch=true' });
    await clock.advance(1000);
    expect(requests.length).toBe(2);
    await clock.advance(9999);
    expect(requests.length).toBe(2);
    await clock.advance(10_000);
    expect((await watch).status).toBe(200);
  });
});
