import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type Socket, type Server as TcpServer } from 'node:net';
import nodeTls, { TLSSocket } from 'node:tls';
import { FakeClock } from '@listwatch/api/fake-clock';
import { TestAuthority, type TestCertificatePair } from '@listwatch/conformance/parts';
import { rejection, rest } from '@listwatch/conformance/transport';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createHttp1Transport, type Http1TransportOptions } from '../carriers/http1-transport.ts';
import { createHttp2Transport } from '../carriers/http2-transport.ts';
import { type HttpProxy, type HttpProxyOptions, startHttpProxy } from './http-proxy.fixture.ts';

let authority: TestAuthority;
let certificate: TestCertificatePair;
const cleanups: (() => unknown)[] = [];

beforeAll(() => {
  authority = new TestAuthority();
  certificate = authority.server(['DNS:kube.test']);
});
afterAll(() => authority[Symbol.dispose]());
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function listen(server: Server | TcpServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return address.port;
}

/** A server whose certificate is for kube.test and that answers with the name in the client's certificate. */
async function startApi(): Promise<number> {
  const server = createHttpsServer(
    { ...certificate, ca: authority.ca, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const { socket } = request;
      const { subject } = socket instanceof TLSSocket ? socket.getPeerCertificate() : {};
      response.end(`hello ${String(subject?.CN ?? 'stranger')}`);
    },
  );
  cleanups.push(() => server.closeAllConnections());
  return listen(server);
}

async function ask(options: Http1TransportOptions): Promise<string> {
  const transport = createHttp1Transport(options);
  cleanups.push(() => transport.close());
  return rest(await transport.send({ method: 'GET', path: '/', headers: {} }));
}

describe('a connection that the server resets before its TLS', () => {
  it('fails, although the files of the certificates are being read', async () => {
    const accepted: Socket[] = [];
    const server = createServer((socket) => void accepted.push(socket));
    const port = await listen(server);
    const tls = async () => {
      await vi.waitUntil(() => accepted.length > 0);
      for (const socket of accepted) socket.resetAndDestroy();
      // Loopback has delivered it at once: the loop has to look.
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return { ca: authority.ca };
    };
    expect(await rejection(ask({ server: `https://127.0.0.1:${port}`, tls }))).toMatchObject({
      code: 'CONNECT',
      message: expect.stringContaining('ECONNRESET'),
    });
  });
});

describe('TLS', () => {
  it('holds the certificate against tls-server-name when there is one', async () => {
    const server = `https://127.0.0.1:${await startApi()}`;
    expect(await ask({ server, tls: { ca: authority.ca, serverName: 'kube.test' } })).toBe('hello stranger');
    expect(await rejection(ask({ server, tls: { ca: authority.ca } }))).toMatchObject({ code: 'CONNECT' });
  });

  it('refuses an authority that it was not told of, unless it is told to take anything', async () => {
    const server = `https://127.0.0.1:${await startApi()}`;
    expect(await rejection(ask({ server, tls: { serverName: 'kube.test' } }))).toMatchObject({ code: 'CONNECT' });
    expect(await ask({ server, tls: { insecure: true } })).toBe('hello stranger');
  });

  it('shows a client certificate, and after reconnect() the one that is in force then', async () => {
    const server = `https://127.0.0.1:${await startApi()}`;
    let pair = authority.client('/CN=alice');
    const tls = async () => ({ ca: authority.ca, serverName: 'kube.test', ...pair });
    const transport = createHttp1Transport({ server, tls });
    cleanups.push(() => transport.close());
    const hello = async (): Promise<string> => rest(await transport.send({ method: 'GET', path: '/', headers: {} }));
    expect(await hello()).toBe('hello alice');
    pair = authority.client('/CN=bob');
    // Undici rests a socket for a turn of the loop.
    await new Promise((resolve) => setImmediate(resolve));
    expect(await hello()).toBe('hello alice');
    transport.reconnect();
    expect(await hello()).toBe('hello bob');
  });

  it('gives up a handshake that is not answered', async () => {
    const silent = createServer(() => {});
    const accepted = once(silent, 'connection');
    const port = await listen(silent);
    const clock = new FakeClock();
    for (const create of [createHttp1Transport, createHttp2Transport]) {
      const transport = create({ server: `https://127.0.0.1:${port}`, clock, connectTimeoutMs: 5000 });
      cleanups.push(() => transport.close());
      const response = transport.send({ method: 'GET', path: '/', headers: {} });
      response.catch(() => {});
      await accepted;
      await clock.advance(5000);
      expect(await rejection(response)).toMatchObject({
        code: 'CONNECT',
        message: expect.stringContaining('no connection within 5000 ms'),
      });
    }
  });
});

async function httpProxy(options: HttpProxyOptions): Promise<HttpProxy> {
  const proxy = await startHttpProxy(options);
  cleanups.push(() => proxy.close());
  return proxy;
}

describe('close() while a connection is being made', () => {
  it.each([createHttp1Transport, createHttp2Transport])('%o does not wait for it', async (create) => {
    const silent = createServer(() => {});
    const accepted = once(silent, 'connection');
    const clock = new FakeClock();
    const transport = create({ server: `https://127.0.0.1:${await listen(silent)}`, clock });
    const response = transport.send({ method: 'GET', path: '/', headers: {} });
    response.catch(() => {});
    const [socket] = await accepted;
    const gone = once(socket, 'close');
    await transport.close();
    expect(await rejection(response)).toMatchObject({ code: 'CLIENT_CLOSED' });
    expect(clock.pending).toBe(0);
    await gone;
  });
});

describe('proxies', () => {
  it('goes through an HTTP proxy, with the user and password of its URL', async () => {
    const { port, asked } = await httpProxy({ target: await startApi() });
    const answer = await ask({
      server: 'https://kube.test:6443',
      tls: { ca: authority.ca },
      proxy: `http://me:s%40cret@127.0.0.1:${port}`,
    });
    expect(answer).toBe('hello stranger');
    expect(asked).toEqual([`kube.test:6443 Basic ${Buffer.from('me:s@cret').toString('base64')}`]);
  });

  it.each(['127.0.0.1', 'localhost'])(
    'goes through an HTTPS proxy at %s, whose certificate is checked',
    async (host) => {
      using proxies = new TestAuthority('proxies');
      // Of a name in the handshake that is an address.
      const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
      cleanups.push(() => warned.mockRestore());
      const { port, asked } = await httpProxy({ target: await startApi(), certificate: proxies.server() });
      const options = {
        server: 'https://kube.test:6443',
        tls: { ca: authority.ca },
        proxy: `https://me:secret@${host}:${port}`,
      };
      // The authority of the cluster is none of proxies.
      expect(await rejection(ask(options))).toMatchObject({ code: 'CONNECT' });
      expect(asked).toEqual([]);
      // In the place of NODE_EXTRA_CA_CERTS, which Node reads when it starts.
      const { createSecureContext } = nodeTls;
      const trusting = vi
        .spyOn(nodeTls, 'createSecureContext')
        .mockImplementation((given) => createSecureContext({ ca: proxies.ca, ...given }));
      cleanups.push(() => trusting.mockRestore());
      expect(await ask(options)).toBe('hello stranger');
      expect(asked).toEqual([`kube.test:6443 Basic ${Buffer.from('me:secret').toString('base64')}`]);
      expect(warned).not.toHaveBeenCalled();
    },
  );

  it('says which proxy refused, and with what', async () => {
    const { port } = await httpProxy({ target: 0, refuses: true });
    const failed = ask({ server: 'https://kube.test:6443', proxy: `http://127.0.0.1:${port}` });
    expect(await rejection(failed)).toMatchObject({
      code: 'CONNECT',
      message: expect.stringContaining(`127.0.0.1:${port} refused kube.test:6443: HTTP/1.1 403`),
    });
  });

  it('goes through a SOCKS5 proxy, which resolves the name', async () => {
    const port = await startApi();
    const steps: string[] = [];
    const socks = createServer((client) => {
      client.on('error', () => {});
      client.once('data', (greeting: Buffer) => {
        steps.push(greeting.toString('hex'));
        client.write(Buffer.from([5, 2]));
        client.once('data', (login: Buffer) => {
          steps.push(login.toString('latin1').slice(2).replace('\u0003', ':'));
          client.write(Buffer.from([1, 0]));
          client.once('data', (request: Buffer) => {
            steps.push(request.subarray(5, -2).toString());
            const upstream = connect(port, '127.0.0.1', () => {
              client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 1]));
              client.pipe(upstream).pipe(client);
            });
            upstream.on('error', () => {});
            cleanups.push(() => client.destroy());
          });
        });
      });
    });
    const proxy = await listen(socks);
    const server = 'https://kube.test:6443';
    expect(await ask({ server, tls: { ca: authority.ca }, proxy: `socks5://me:pwd@127.0.0.1:${proxy}` })).toBe(
      'hello stranger',
    );
    expect(steps).toEqual(['05020002', 'me:pwd', 'kube.test']);
  });
});
