import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TestAuthority } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';
import { type FakeHost, fakeHost } from '../fake-host.fixture.ts';
import { run } from '../main.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { type Breakage, type BrokenProxy, type Exchange, startBrokenProxy } from './broken-proxy.fixture.ts';
import { summariesOf, verdictsOf } from './doctor-report.fixture.ts';

const newFolder = temporaryFolders();

/** What moves a cursor or changes the direction of text; all but the end of a line. */
const STEERING = /[^\P{Cc}\n]|\p{Cf}/u;

interface Examined {
  readonly code: number;
  readonly host: FakeHost;
}

async function examine(url: string, only: string, ...more: readonly string[]): Promise<Examined> {
  const args = ['doctor', '--server', url, '--only', only, '--duration', '4s', '-o', 'json', ...more];
  const host = fakeHost({ args });
  return { code: await run(host), host };
}

async function fill({ env }: BrokenProxy, bytes = 1): Promise<void> {
  for (const name of ['a', 'b', 'c']) {
    await env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { filler: 'x'.repeat(bytes) } });
  }
}

/** Examines a server that is broken in this way. */
async function broken(breakage: Breakage, only: string, ...more: readonly string[]): Promise<Examined> {
  await using proxy = await startBrokenProxy(breakage);
  await fill(proxy);
  return await examine(proxy.url, only, ...more);
}

function answer({ response }: Exchange, status: number, type: string, body: string): true {
  response.writeHead(status, { 'content-type': type }).end(body);
  return true;
}

/** Leaves every other path without an answer. */
function answersOnly(paths: RegExp): Breakage {
  return async ({ url, response }) => {
    if (paths.test(url.pathname)) return false;
    await once(response, 'close');
    return true;
  };
}

/** Each waits for the seconds that it is given, on a server of its own. */
describe.concurrent('listwatch doctor that takes all of its time, over a socket', () => {
  it.each([
    ['cleanly', false],
    ['with a reset', true],
  ])('warns of a proxy that cuts quiet streams %s', async (_how, isReset) => {
    const cutsQuiet: Breakage = async ({ isWatch, forward, response }) => {
      if (!isWatch) return false;
      const cut = (): void => {
        if (isReset) response.destroy();
        else response.end();
      };
      let timer = setTimeout(cut, 1000);
      await forward({
        onChunk: () => {
          clearTimeout(timer);
          timer = setTimeout(cut, 1000);
        },
      });
      return true;
    };
    const { code, host } = await broken(cutsQuiet, 'quiet');
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 1, verdicts: { quiet: 'warn' } });
    expect(summariesOf(host, 'quiet')).toMatch(/of 4 s\. .*idle or request timeout/u);
  });

  it('warns of a server that does not end a watch at its timeoutSeconds', async () => {
    const { code, host } = await broken(async ({ isWatch, forward }) => {
      if (isWatch) await forward({ without: ['timeoutSeconds'] });
      return isWatch;
    }, 'quiet');
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 1, verdicts: { quiet: 'warn' } });
    expect(summariesOf(host, 'quiet')).toContain('did not end the watch at its timeoutSeconds of 4');
  });

  it('warns of an old server that ignores watch-list', async () => {
    const { code, host } = await broken(async ({ url, forward }) => {
      if (!url.searchParams.has('sendInitialEvents')) return false;
      await forward({ without: ['sendInitialEvents', 'resourceVersionMatch', 'allowWatchBookmarks'] });
      return true;
    }, 'watch-list');
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 1, verdicts: { 'watch-list': 'warn' } });
    expect(summariesOf(host, 'watch-list')).toMatch(/after \d+ objects of configmaps/u);
  });

  it('measures as many lists as it has time for, and says which are missing', async () => {
    const { code, host } = await broken(
      async ({ url }) => {
        const isPage = url.searchParams.get('limit') === '500';
        if (isPage) await new Promise((resolve) => setTimeout(resolve, 700));
        return false;
      },
      'cost',
      '--timeout',
      '10s',
    );
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 0, verdicts: { cost: 'note' } });
    expect(summariesOf(host, 'cost')).toMatch(
      /\d lists left out\. They were not asked for: the time was up; try a longer --timeout/u,
    );
  });

  it('ends soon when a server answers nothing but its version', async () => {
    await using proxy = await startBrokenProxy(answersOnly(/^\/version$/u));
    const host = fakeHost({
      args: ['doctor', '--server', proxy.url, '--timeout', '3s', '--duration', '3s', '-o', 'json'],
    });
    expect(await run(host)).toBe(1);
    const { server, discovery, paging, cost, quiet } = verdictsOf(host);
    expect({ server, discovery }).toEqual({ server: 'ok', discovery: 'fail' });
    expect({ paging, cost, quiet }).toEqual({ paging: 'skipped', cost: 'skipped', quiet: 'skipped' });
    expect(summariesOf(host, 'paging')).toContain('see discovery');
  });

  it('ends soon when lists are not answered', async () => {
    await using proxy = await startBrokenProxy(
      answersOnly(/^\/(?:version|apis?(?:\/[^/]+){0,1}|apis(?:\/[^/]+){2})$/u),
    );
    const args = ['doctor', '--server', proxy.url, '--timeout', '3s', '--duration', '3s', '-o', 'json'];
    const host = fakeHost({ args });
    expect(await run(host)).toBe(1);
    const { server, discovery, paging, history, quiet } = verdictsOf(host);
    expect({ server, discovery }).toEqual({ server: 'ok', discovery: 'ok' });
    expect({ paging, history, quiet }).toEqual({ paging: 'fail', history: 'fail', quiet: 'fail' });
    expect(summariesOf(host, 'paging')).toContain('Not finished within 3 s.');
  });

  it('warns of a server that is very slow', async () => {
    const { code, host } = await broken(async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 1100);
      });
      return false;
    }, 'rtt');
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 1, verdicts: { rtt: 'warn' } });
  });
});

describe('listwatch doctor over a socket', () => {
  it('finds nothing wrong behind a proxy that passes everything on, and notes that it is HTTP/1.1', async () => {
    await using proxy = await startBrokenProxy(() => false);
    await fill(proxy, 100_000);
    const { code, host } = await examine(
      proxy.url,
      'server,rtt,clock,discovery,permissions,http2,paging,versions,history,watch-list,quiet,latency,cost,compression',
      '--write',
    );
    const { http2, ...others } = verdictsOf(host);
    expect({ code, http2, others: new Set(Object.values(others)) }).toEqual({
      code: 0,
      http2: 'note',
      others: new Set(['ok']),
    });
    expect(summariesOf(host, 'compression')).toMatch(/takes .* on the wire instead of \d+ KiB/u);
  });

  it('notes a server with TLS that speaks no HTTP/2', async () => {
    using authority = new TestAuthority();
    const folder = newFolder();
    const file = join(folder, 'ca.crt');
    writeFileSync(file, authority.ca);
    await using proxy = await startBrokenProxy(() => false, authority.server());
    await fill(proxy);
    const { code, host } = await examine(proxy.url, 'http2', '--certificate-authority', file);
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 0, verdicts: { http2: 'note' } });
    expect(summariesOf(host, 'http2')).toContain('ALPN');
  });

  it('fails for a certificate that it does not trust, and says which option helps', async () => {
    using authority = new TestAuthority();
    await using proxy = await startBrokenProxy(() => false, authority.server());
    const { code, host } = await examine(proxy.url, 'rtt');
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 1, verdicts: { server: 'fail', rtt: 'skipped' } });
    expect(summariesOf(host, 'server')).toContain('--certificate-authority');
  });

  it.each([-3_600_000, 90_000])('warns of a clock that is off by %i ms', async (offset) => {
    const { code, host } = await broken(async ({ forward }) => {
      await forward({ headers: { date: new Date(Date.now() + offset).toUTCString() } });
      return true;
    }, 'clock');
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 1, verdicts: { clock: 'warn' } });
    expect(summariesOf(host, 'clock')).toContain(offset > 0 ? 'ahead of this one' : 'behind this one');
  });

  it('notes that large lists are not compressed', async () => {
    await using proxy = await startBrokenProxy(async ({ request, forward }) => {
      delete request.headers['accept-encoding'];
      await forward();
      return true;
    });
    await fill(proxy, 100_000);
    const { code, host } = await examine(proxy.url, 'compression');
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 0, verdicts: { compression: 'note' } });
  });

  it('notes a server that refuses watch-list', async () => {
    const { code, host } = await broken((exchange) => {
      if (!exchange.url.searchParams.has('sendInitialEvents')) return false;
      const status = {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        reason: 'Invalid',
        message: 'no',
        code: 422,
      };
      return answer(exchange, 422, 'application/json', JSON.stringify(status));
    }, 'watch-list,cost');
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 0, verdicts: { 'watch-list': 'note', cost: 'ok' } });
    expect(host.written.stdout).toContain("initialStrategy: 'listWatch' (no watch-list here)");
  });

  it('warns of a proxy that drops limit', async () => {
    const { code, host } = await broken(async ({ forward }) => {
      await forward({ without: ['limit'] });
      return true;
    }, 'paging');
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 1, verdicts: { paging: 'warn' } });
  });

  it('fails for a cache that answers with an old list', async () => {
    let isFirst = true;
    const { code, host } = await broken((exchange) => {
      if (!exchange.url.searchParams.has('resourceVersion') && isFirst) return false;
      isFirst = false;
      const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] };
      const isList = exchange.url.searchParams.has('fieldSelector');
      return isList ? answer(exchange, 200, 'application/json', JSON.stringify(list)) : false;
    }, 'versions');
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 1, verdicts: { versions: 'fail' } });
    expect(summariesOf(host, 'versions')).toContain('is answered with version 1');
  });

  it('tries what the user may do when access reviews are refused', async () => {
    const { code, host } = await broken((exchange) => {
      const { request, url } = exchange;
      const isForbidden = request.method === 'POST' || url.pathname.endsWith('/secrets');
      return isForbidden && answer(exchange, 403, 'application/json', '{}');
    }, 'permissions');
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 0, verdicts: { permissions: 'note' } });
    expect(summariesOf(host, 'permissions')).toMatch(/neither list nor watch 1 resource of \d+: secrets\./u);
  });

  it('warns of an aggregated API that is down', async () => {
    const { code, host } = await broken((exchange) => {
      // The documents of before 1.26, one for each group.
      if (exchange.url.pathname === '/apis') exchange.request.headers.accept = 'application/json';
      return exchange.url.pathname === '/apis/apps/v1' && answer(exchange, 503, 'text/plain', 'service unavailable');
    }, 'discovery');
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 1, verdicts: { discovery: 'warn' } });
    expect(summariesOf(host, 'discovery')).toContain('but not those of apps/v1: 503');
  });
});

describe('listwatch doctor of something that is no API server', () => {
  it('says that it is a page of HTML, and cannot be steered by it', async () => {
    const page = '<html>\u001B]0;owned\u0007\u001B[2J\u202E login</html>';
    await using proxy = await startBrokenProxy((exchange) => answer(exchange, 200, 'text/html', page));
    const host = fakeHost({ args: ['doctor', '--server', proxy.url] });
    expect(await run(host)).toBe(1);
    expect(host.written.stdout).toContain('is not a Kubernetes API');
    expect(host.written.stdout).not.toMatch(STEERING);
    expect(host.written.stdout).not.toContain('    at ');
    const json = await examine(proxy.url, 'rtt');
    expect(json.host.written.stdout).not.toMatch(STEERING);
  });

  it('fails when lists and watches are answered with HTML, and goes on', async () => {
    const { code, host } = await broken(
      (exchange) =>
        exchange.url.pathname.endsWith('/configmaps') && answer(exchange, 502, 'text/html', '<h1>Bad Gateway</h1>'),
      'paging,cost',
    );
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 1, verdicts: { paging: 'ok', cost: 'warn' } });
    expect(summariesOf(host, 'cost')).toContain('Lists fail: configmaps: 502');
  });

  it('fails when watches are answered with HTML', async () => {
    const { code, host } = await broken(
      (exchange) => exchange.isWatch && answer(exchange, 200, 'text/html', '<h1>Welcome</h1>'),
      'history,watch-list,bookmarks,quiet',
    );
    expect(code).toBe(1);
    expect(new Set(Object.values(verdictsOf(host)))).toEqual(new Set(['fail']));
    expect(summariesOf(host, 'quiet')).toContain('A quiet watch is refused');
  });

  it('fails when the credentials are rejected', async () => {
    const { code, host } = await broken((exchange) => answer(exchange, 401, 'application/json', '{}'), 'rtt');
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 1, verdicts: { server: 'fail', rtt: 'skipped' } });
    expect(summariesOf(host, 'server')).toContain('rejects the credentials (401)');
  });

  it('fails when nobody listens', async () => {
    const { code, host } = await examine('http://127.0.0.1:1', 'server');
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 1, verdicts: { server: 'fail' } });
    expect(summariesOf(host, 'server')).toContain('ECONNREFUSED');
  });

  it('fails when connections are accepted and never answered', async () => {
    const server = createServer(() => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      const { code, host } = await examine(`http://127.0.0.1:${port}`, 'server', '--timeout', '500ms');
      expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 1, verdicts: { server: 'fail' } });
      expect(summariesOf(host, 'server')).toContain('does not answer GET /version within 0.5 s');
    } finally {
      server.close();
    }
  });
});

function* repeated(start: string, part: string): Generator<string> {
  yield start;
  for (;;) yield part;
}

async function endless({ response }: Exchange, start: string, part: string): Promise<true> {
  response.writeHead(200, { 'content-type': 'application/json' });
  // Rejects when the reader has had enough.
  await pipeline(Readable.from(repeated(start, part)), response).catch(() => {});
  return true;
}

describe('answers without an end', () => {
  it('an endless version is read up to a bound', async () => {
    const { code, host } = await broken((exchange) => endless(exchange, '"', 'x'.repeat(65_536)), 'server');
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 1, verdicts: { server: 'fail' } });
    expect(summariesOf(host, 'server')).toContain('an answer without an end');
  });

  it('an endless list is read up to a bound, and the others are measured', async () => {
    const item = JSON.stringify({ metadata: { name: 'x'.repeat(1000) } });
    const head = '{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[';
    const { code, host } = await broken(
      (exchange) =>
        exchange.url.pathname.endsWith('/secrets') && endless(exchange, `${head}${item}`, `,${item}`.repeat(50)),
      'cost',
    );
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 1, verdicts: { cost: 'warn' } });
    expect(summariesOf(host, 'cost')).toContain('limit=500 is ignored by secrets');
  });

  it('an endless object is read up to a bound', async () => {
    const head = '{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[{"data":"';
    const { code, host } = await broken(
      (exchange) => exchange.url.pathname.endsWith('/secrets') && endless(exchange, head, 'x'.repeat(65_536)),
      'cost',
    );
    expect({ code, verdicts: verdictsOf(host) }).toEqual({ code: 1, verdicts: { cost: 'warn' } });
    expect(summariesOf(host, 'cost')).toContain('Lists fail: secrets');
  });
});
