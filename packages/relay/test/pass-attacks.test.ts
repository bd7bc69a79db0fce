import { EventEmitter, once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import type { Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import type { UpstreamOptions } from '../src/pass/upstream.ts';
import { PassingServer, RawClient, RawUpstream } from './passing-server.fixture.ts';

/** An upstream of raw bytes and a server in front of it. */
async function both(
  onConnection: (socket: Socket, index: number) => void,
  options: Partial<UpstreamOptions> = {},
): Promise<{ upstream: RawUpstream; server: PassingServer; client: () => RawClient } & AsyncDisposable> {
  const upstream = await new RawUpstream(onConnection).listen();
  const server = await new PassingServer({ server: upstream.url, ...options }).listen();
  const clients: RawClient[] = [];
  return {
    upstream,
    server,
    client() {
      const client = new RawClient(server.plainPort);
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      for (const { socket } of clients) socket.destroy();
      await server[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

/** Waits for a condition. A busy machine is no failure. */
function soon(condition: () => void): Promise<void> {
  return vi.waitFor(condition, { timeout: 20_000, interval: 5 });
}

/** Answers each request head with these bytes, and keeps the heads. */
function answering(bytes: string, heads: string[] = []): (socket: Socket) => void {
  return (socket) => {
    let unread = '';
    socket.on('data', (chunk) => {
      unread += chunk.toString('latin1');
      for (let end = unread.indexOf('\r\n\r\n'); end >= 0; end = unread.indexOf('\r\n\r\n')) {
        heads.push(unread.slice(0, end));
        unread = unread.slice(end + 4);
        socket.write(Buffer.from(bytes, 'latin1'));
      }
    });
  };
}

const GET = (target: string, more = ''): string => `GET ${target} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

it('status, reason, repeated headers, their case and order, and the body come as they are', async () => {
  const answer =
    'HTTP/1.1 299 Very Well\r\nX-B: 2\r\nx-a: 1\r\nWarning: 299 - "one"\r\nWarning: 299 - "two"\r\nContent-Length: 3\r\n\r\n\x00\xff\n';
  await using pair = await both(answering(answer));
  const client = pair.client();
  client.say(GET('/x'));
  await soon(() => expect(client.heard.length).toBeGreaterThan(100));
  const [head = '', body] = client.text.split('\r\n\r\n');
  // Only what is about our own connection is added.
  const lines = head.split('\r\n').filter((line) => !/^(?:Connection|Keep-Alive):/u.test(line));
  expect(lines).toEqual(answer.split('\r\n\r\n')[0]?.split('\r\n'));
  expect(body).toBe('\x00\xff\n');
});

it('the raw target goes upstream untouched, dots, slashes and escapes included', async () => {
  const heads: string[] = [];
  await using pair = await both(answering(OK, heads));
  for (const target of ['/a/../b', '//x//y', '/%2e%2e/%2F?a=b?c&&=', '/a;b=c', '/%', '/a?x=%00']) {
    const client = pair.client();
    client.say(GET(target));
    await soon(() => expect(client.text).toContain('ok'));
    expect(heads.at(-1)?.split('\r\n')[0]).toBe(`GET ${target} HTTP/1.1`);
  }
});

it('the absolute form loses its host, and other targets are refused', async () => {
  const heads: string[] = [];
  await using pair = await both(answering(OK, heads));
  const client = pair.client();
  client.say(GET('http://169.254.169.254/api?x=1'));
  await soon(() => expect(client.text).toContain('ok'));
  expect(heads[0]?.split('\r\n')[0]).toBe('GET /api?x=1 HTTP/1.1');
  expect(heads[0]).not.toContain('169.254');
  for (const line of ['OPTIONS * HTTP/1.1', 'GET ftp://x/ HTTP/1.1', 'GET /a#b HTTP/1.1']) {
    const odd = pair.client();
    odd.say(`${line}\r\nHost: a\r\n\r\n`);
    await soon(() => expect(odd.text).toContain(' 400 '));
  }
  const tunnel = pair.client();
  tunnel.say('CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: a\r\n\r\n');
  await soon(() => expect(tunnel.ended).toBe(true));
  expect(heads).toHaveLength(1);
});

it('a path of the upstream stands before every target', async () => {
  const heads: string[] = [];
  const upstream = await new RawUpstream(answering(OK, heads)).listen();
  await using _ = upstream;
  await using server = await new PassingServer({ server: `${upstream.url}/k8s/c-1/` }).listen();
  const client = new RawClient(server.plainPort);
  client.say(GET('/api/v1/pods?limit=1'));
  await soon(() => expect(client.text).toContain('ok'));
  expect(heads[0]?.split('\r\n')[0]).toBe('GET /k8s/c-1/api/v1/pods?limit=1 HTTP/1.1');
});

it('credentials of the client pass; headers of a front proxy and of the connection do not', async () => {
  const heads: string[] = [];
  await using pair = await both(answering(OK, heads));
  const client = pair.client();
  client.say(
    GET(
      '/x',
      'Authorization: Bearer mine\r\nImpersonate-User: ann\r\nX-Remote-User: admin\r\nx-remote-group: system:masters\r\nX-REMOTE-EXTRA-a: b\r\n' +
        'Connection: keep-alive, X-Hop, Authorization, Impersonate-User\r\nX-Hop: 1\r\nTE: trailers\r\nKeep-Alive: 5\r\nX-Forwarded-For: 9.9.9.9\r\n',
    ),
  );
  await soon(() => expect(client.text).toContain('ok'));
  const lines = (heads[0] ?? '').split('\r\n').slice(1);
  expect(lines).toContain('Authorization: Bearer mine');
  expect(lines).toContain('Impersonate-User: ann');
  expect(lines).toContain('X-Forwarded-For: 9.9.9.9, 127.0.0.1');
  expect(lines.filter((line) => /^(?:x-remote|x-hop|te:|keep-alive)/iu.test(line))).toEqual([]);
});

it('both a length and chunks are refused, and nothing of them reaches the upstream', async () => {
  await using pair = await both(answering(OK));
  for (const lengths of [
    'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n',
    'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n',
    'Content-Length: 4\r\nContent-Length: 40\r\n',
    'Transfer-Encoding: chunked, identity\r\n',
    'Transfer-Encoding : chunked\r\n',
    'Content-Length: +4\r\n',
  ]) {
    const client = pair.client();
    client.say(`POST /x HTTP/1.1\r\nHost: a\r\n${lengths}\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n`);
    await soon(() => expect(client.ended).toBe(true));
    expect(client.text).toMatch(/^(?:HTTP\/1.1 400 |$)/u);
  }
  expect(pair.upstream.connections).toBe(0);
});

it('what an upstream says beyond its answer never becomes the answer to another request', async () => {
  const poison = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison';
  // At once, and when the connection is idle again.
  for (const delayed of [false, true]) {
    await using pair = await both((socket) => {
      socket.on('data', () => {
        socket.write(OK + (delayed ? '' : poison));
        if (delayed) setTimeout(() => socket.write(poison), 20);
      });
    });
    for (let round = 0; round < 5; round++) {
      const client = pair.client();
      client.say(GET('/x'));
      await soon(() => expect(client.text).toContain('\r\n\r\nok'));
      expect(client.text).not.toContain('poison');
      if (delayed) await soon(() => expect(pair.upstream.sockets.size).toBe(0));
    }
  }
});

it('an answer that is shorter than it says is cut, and never looks whole', async () => {
  await using pair = await both((socket) => {
    socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this'));
  });
  const client = pair.client();
  client.say(GET('/x'));
  await soon(() => expect(client.ended).toBe(true));
  expect(client.text).toContain('only this');
  expect(pair.server.upstream.counts.failed).toBe(1);
  const session = connectHttp2(`https://127.0.0.1:${pair.server.tlsPort}`, { ca: pair.server.ca });
  const stream = session.request({ ':path': '/x' });
  stream.resume();
  await expect(once(stream, 'end')).rejects.toThrow();
  session.destroy();
});

it('chunks that break off are cut', async () => {
  await using pair = await both((socket) => {
    socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'));
  });
  const client = pair.client();
  client.say(GET('/x'));
  await soon(() => expect(client.ended).toBe(true));
  expect(client.text).toContain('hello');
  expect(client.text).not.toContain('\r\n0\r\n');
});

it.each([
  ['no HTTP', 'SSH-2.0-OpenSSH_9\r\n', 502],
  ['a header that breaks lines', 'HTTP/1.1 200 OK\r\nX: a\rb\r\n\r\n', 502],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 502],
  ['headers of two megabytes', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(2 << 20)}\r\n\r\n`, 502],
  [
    'the protocol changed unasked',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
    502,
  ],
])('an upstream that says %s is a 502', async (_, says, status) => {
  await using pair = await both((socket) => {
    socket.on('data', () => socket.write(Buffer.from(says, 'latin1')));
  });
  const client = pair.client();
  client.say(GET('/x'));
  await soon(() => expect(client.text).toContain(`HTTP/1.1 ${status} `));
  expect(pair.server.upstream.counts).toMatchObject({ open: 0, tunnels: 0 });
});

it('an upstream that is away is a 504, one that hangs up before its answer a 502, one that is late a 504', async () => {
  await using gone = await both((socket) => socket.on('data', () => socket.destroy()));
  const cut = gone.client();
  cut.say(GET('/x'));
  await soon(() => expect(cut.text).toContain('HTTP/1.1 502 '));
  await gone.upstream[Symbol.asyncDispose]();
  const away = gone.client();
  away.say(GET('/x'));
  await soon(() => expect(away.text).toContain('HTTP/1.1 504 '));
  await using slow = await both((socket) => socket.resume(), { headersTimeoutMs: 50 });
  const late = slow.client();
  late.say(GET('/x'));
  await soon(() => expect(late.text).toContain('HTTP/1.1 504 '));
  expect(slow.server.upstream.counts).toMatchObject({ open: 0 });
});

it('redirects are passed and not followed', async () => {
  await using pair = await both(
    answering('HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/steal\r\nContent-Length: 0\r\n\r\n'),
  );
  const client = pair.client();
  client.say(GET('/x', 'Authorization: Bearer mine\r\n'));
  await soon(() => expect(client.text).toContain('Location: http://127.0.0.1:1/steal'));
  expect(client.text).toContain('HTTP/1.1 307 Temporary Redirect');
  expect(pair.upstream.connections).toBe(1);
});

it('interim answers and trailers pass', async () => {
  await using pair = await both((socket) => {
    socket.on('data', () => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
      socket.write(
        'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n',
      );
    });
  });
  const client = pair.client();
  client.say(GET('/x'));
  await soon(() => expect(client.text).toContain('X-Sum: 7'));
  expect(client.text).toMatch(/^HTTP\/1.1 103 Early Hints\r\nLink: <\/a>\r\n\r\nHTTP\/1.1 200 OK/u);
  const session = connectHttp2(`https://127.0.0.1:${pair.server.tlsPort}`, { ca: pair.server.ca });
  const stream = session.request({ ':path': '/x' });
  const seen: unknown[] = [];
  stream.on('headers', (headers) => seen.push(headers[':status']));
  stream.on('response', (headers) => seen.push(headers[':status'], headers['date']));
  stream.on('trailers', (headers) => seen.push(headers['x-sum']));
  stream.resume();
  await once(stream, 'close');
  expect(seen).toEqual([103, 200, undefined, '7']);
  session.destroy();
});

it('more places than there are is a 429 that says when to come again', async () => {
  await using pair = await both((socket) => socket.resume(), { maxPassed: 3 });
  const open = [1, 2, 3].map(() => pair.client());
  for (const client of open) client.say(GET('/x'));
  await soon(() => expect(pair.server.upstream.counts.open).toBe(3));
  const late = pair.client();
  late.say(GET('/x'));
  await soon(() => expect(late.text).toContain('HTTP/1.1 429 '));
  expect(late.text.toLowerCase()).toContain('retry-after: 1');
  for (const { socket } of open) socket.destroy();
  await soon(() => expect(pair.server.upstream.counts).toMatchObject({ open: 0, refused: 1 }));
  await soon(() => expect(pair.upstream.sockets.size).toBe(0));
});

it('a client that resets in the middle of its body ends the request upstream, which never looks whole', async () => {
  let whole = '';
  await using pair = await both((socket) => {
    socket.on('data', (chunk) => {
      whole += chunk.toString();
    });
  });
  const client = pair.client();
  client.say('POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n');
  await soon(() => expect(whole).toContain('hello'));
  client.socket.resetAndDestroy();
  await soon(() => expect(pair.upstream.sockets.size).toBe(0));
  expect(whole).not.toContain('\r\n0\r\n');
  expect(pair.server.upstream.counts.open).toBe(0);
});

it('an upstream that resets in the middle of its answer cuts it', async () => {
  await using pair = await both((socket) => {
    socket.on('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n');
      setTimeout(() => socket.resetAndDestroy(), 20);
    });
  });
  const client = pair.client();
  client.say(GET('/x'));
  await soon(() => expect(client.ended).toBe(true));
  expect(client.text).not.toContain('\r\n0\r\n');
  expect(pair.server.errors).toEqual([]);
});

it('an upstream that resets in the middle of a watch ends it, so that its client resumes', async () => {
  await using pair = await both((socket) => {
    socket.on('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n');
      setTimeout(() => socket.resetAndDestroy(), 20);
    });
  });
  const client = pair.client();
  client.say(GET('/apis/a.example.com/v1/things?watch=true'));
  await soon(() => expect(client.text).toContain('hello\r\n0\r\n\r\n'));
  expect(pair.server.upstream.counts).toMatchObject({ open: 0, failed: 1 });
});

it('an answer before the end of the body is passed, and its connection is not used again', async () => {
  await using pair = await both((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 413 Payload Too Large\r\nContent-Length: 3\r\n\r\nbig'));
  });
  const client = pair.client();
  client.say('POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\nbegin');
  await soon(() => expect(client.text).toContain('\r\n\r\nbig'));
  await soon(() => expect(pair.upstream.sockets.size).toBe(0));
});

it('a client that does not read holds back the upstream, and is cut when it takes nothing for long', async () => {
  let sent = 0;
  const chunk = Buffer.alloc(64 * 1024);
  const endless = (socket: Socket): void => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n');
      const more = (): void => {
        while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
        sent += chunk.length;
      };
      socket.on('drain', more);
      more();
    });
  };
  await using pair = await both(endless, { stallTimeoutMs: 1500 });
  const client = pair.client();
  client.socket.pause();
  client.say(GET('/x'));
  await soon(() => expect(pair.server.upstream.counts).toMatchObject({ open: 0, failed: 1 }));
  // The rest is in the buffers of the kernel: a few megabytes for each of the two connections.
  expect(sent).toBeLessThan(32 << 20);
});

it('an upstream that does not read holds back the client, and both are let go', async () => {
  await using pair = await both((socket) => socket.pause(), { stallTimeoutMs: 1500 });
  const client = pair.client();
  client.say('POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  const piece = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
  const more = (): void => {
    while (!client.socket.destroyed && client.socket.writableLength < 1 << 20) client.say(piece);
  };
  client.socket.on('drain', more);
  more();
  await soon(() => expect(client.text).toContain('HTTP/1.1 504 '));
  expect(pair.server.upstream.counts.bytesUp).toBeLessThan(32 << 20);
});

it('an empty body over HTTP/2 that ends before the upstream can be asked is passed, and a client that goes before it is noticed', async () => {
  const trust = new EventEmitter();
  const trusted = once(trust, 'given');
  const heads: string[] = [];
  await using pair = await both(answering(OK, heads), {
    tls: async () => {
      await trusted;
      return {};
    },
  });
  const session = connectHttp2(`https://127.0.0.1:${pair.server.tlsPort}`, { ca: pair.server.ca });
  session.on('error', () => {});
  const post = { ':method': 'POST', ':path': '/x' };
  const whole = session.request(post);
  whole.end();
  const half = session.request(post);
  half.on('error', () => {});
  half.write('a');
  await soon(() => expect(pair.server.upstream.counts.open).toBe(2));
  half.close(8);
  // A ping that comes back comes behind both.
  await new Promise((resolve) => session.ping(resolve));
  trust.emit('given');
  const [headers] = await once(whole, 'response');
  expect(headers).toMatchObject({ ':status': 200 });
  session.destroy();
  await soon(() => expect(pair.server.upstream.counts.open).toBe(0));
  expect(heads.filter((head) => head.startsWith('POST'))).toHaveLength(1);
});
