import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import { runCommand, startStreamPeer } from '@listwatch/conformance/kubelet';
import { TestAuthority } from '@listwatch/conformance/parts';
import { afterEach, expect, it } from 'vitest';
import { connect } from '../connect.ts';
import { exec } from './exec.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return address.port;
}

/** Joins a client of a proxy with the server, and tells the client. */
function join(client: Socket, port: number, told: Buffer | string): void {
  const upstream = connectTcp(port, '127.0.0.1', () => {
    client.write(told);
    client.pipe(upstream).pipe(client);
  });
  for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
  cleanups.push(() => client.destroy());
}

function httpProxy(port: number, asked: string[]): Server {
  const proxy = createHttpServer();
  proxy.on('connect', (request, client: Socket) => {
    asked.push(request.url ?? '');
    join(client, port, 'HTTP/1.1 200 Connection established\r\n\r\n');
  });
  return proxy;
}

function socksProxy(port: number, asked: string[]): Server {
  return createServer((client) => {
    client.on('error', () => {});
    client.once('data', () => {
      client.write(Buffer.of(5, 0));
      client.once('data', (request: Buffer) => {
        asked.push(`${request.subarray(5, -2).toString()}:${request.readUInt16BE(request.length - 2)}`);
        join(client, port, Buffer.of(5, 0, 0, 1, 127, 0, 0, 1, 0, 1));
      });
    });
  });
}

it.each([
  { scheme: 'http', proxy: httpProxy },
  { scheme: 'socks5', proxy: socksProxy },
])(
  'a command runs behind a proxy ($scheme), over TLS to the server that the proxy looks up',
  async ({ scheme, proxy }) => {
    using authority = new TestAuthority();
    const peer = await startStreamPeer({ certificate: authority.server(['DNS:kube.test']), onConnection: runCommand });
    cleanups.push(() => peer.close());
    const asked: string[] = [];
    const proxyUrl = `${scheme}://127.0.0.1:${await listen(proxy(peer.port, asked))}`;
    await using cluster = await connect({
      server: 'https://kube.test:6443',
      caData: authority.ca,
      token: 'secret',
      proxyUrl,
    });
    const session = await exec(cluster, { namespace: 'default', name: 'web' }, { command: ['cat'], stdin: 'by proxy' });
    expect(await session.output()).toEqual({ code: 0, stdout: 'by proxy', stderr: '' });
    expect(asked).toEqual(['kube.test:6443']);
  },
);
