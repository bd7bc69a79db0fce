import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect as connectTcp, createServer as createTcpServer } from 'node:net';
import { connect as connectTls, createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { type ApiObject, resource } from '@listwatch/api';
import { attach, type Cluster, connect, connectPort, exec, podLogs } from '@listwatch/client';
import { type ApiServer, createApiServer, firstAuthenticator, type KubeletOptions } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { afterEach, describe, expect, it } from 'vitest';
import { TestAuthority } from '../parts/test-authority.ts';
import { eventually } from '../storage/eventually.ts';
import { forwardConnection, runCommand } from './run-commands.ts';
import { type PeerConnection, type StreamPeer, startStreamPeer } from './stream-peer.ts';

interface LooseObject extends ApiObject {
  readonly spec?: unknown;
  readonly status?: unknown;
}

const nodes = resource<LooseObject>({ version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false });
const pods = resource<LooseObject>({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });

const authority = new TestAuthority();
const kubeletAuthority = new TestAuthority('kubelets');
const shown = authority.client('/O=system:masters/CN=apiserver');

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

interface Started {
  readonly server: ApiServer;
  readonly cluster: Cluster;
  readonly port: number;
}

async function startServer(
  kubelets: KubeletOptions = {},
  may: (verb: string) => boolean = () => true,
): Promise<Started> {
  const engine = createMemoryEngine();
  const server = createApiServer({
    engine,
    tls: authority.server(),
    kubelets: { caData: kubeletAuthority.ca, certData: shown.cert, keyData: shown.key, ...kubelets },
    authenticator: firstAuthenticator([
      { authenticate: ({ token }) => (token === 'secret' ? { name: 'me', groups: [] } : undefined) },
    ]),
    authorizer: { authorize: ({ verb }) => ({ allowed: may(verb) }) },
  });
  await server.listen();
  const cluster = await connect({ server: server.url, caData: authority.ca, token: 'secret' });
  cleanups.push(
    () => engine.close(),
    () => server.close(),
    () => cluster.close(),
  );
  return { server, cluster, port: Number(new URL(server.url).port) };
}

async function startKubelet(onConnection: (connection: PeerConnection) => void = serveStream): Promise<StreamPeer> {
  const peer = await startStreamPeer({
    certificate: kubeletAuthority.server(),
    onConnection,
    onRequest: (request, response) => {
      if (request.url?.startsWith('/containerLogs/default/broken/') === true) {
        response.writeHead(400).end('container "c" in pod "broken" is waiting to start');
      } else if (request.url?.includes('follow=true') === true) {
        response.write('first\n');
        cleanups.push(async () => response.destroy());
      } else {
        response.writeHead(200, { 'content-type': 'text/x-kubelet', 'set-cookie': 'a=b' });
        response.end(`${request.method} ${request.url} ${request.headers.authorization ?? 'no token'}\n`);
      }
    },
  });
  cleanups.push(() => peer.close());
  return peer;
}

function serveStream(connection: PeerConnection): void {
  if (connection.path.startsWith('/portForward/')) forwardConnection(connection);
  else runCommand(connection);
}

/** A node at an address, and a Pod on it. */
async function addPod(cluster: Cluster, port: number, name = 'web', address = '127.0.0.1'): Promise<void> {
  const node = { name: `node-${name}` };
  await cluster.create(nodes, { metadata: node });
  const addresses = [{ type: 'InternalIP', address }];
  const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: port } } };
  await cluster.patch(nodes, node, { type: 'merge', body: { status } }, { subresource: 'status' });
  const spec = { nodeName: node.name, containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 8080 }] }] };
  await cluster.create(pods, { metadata: { name, namespace: 'default' }, spec });
}

const web = { namespace: 'default', name: 'web' };

describe('requests that a kubelet answers', () => {
  it('exec runs the command at the kubelet of the Pod, with its input, output and exit code', async () => {
    const { cluster } = await startServer();
    const kubelet = await startKubelet();
    await addPod(cluster, kubelet.port);
    const session = await exec(cluster, web, { command: ['sh', '-c', 'cat; echo err >&2; exit 3'], stdin: 'hello' });
    expect(await session.output()).toEqual({ code: 3, stdout: 'hello', stderr: 'err\n' });
    const [connection] = kubelet.connections;
    expect([connection?.path, String(connection?.query)]).toEqual([
      '/exec/default/web/c',
      'command=sh&command=-c&command=cat%3B+echo+err+%3E%262%3B+exit+3&error=1&input=1&output=1',
    ]);
    // Who the user is stays with this server.
    expect(connection?.headers).not.toHaveProperty('authorization');
    expect(connection?.headers.host).toBe(`127.0.0.1:${kubelet.port}`);
  });

  it('attach and port-forward have the paths of kubelets', async () => {
    const { cluster } = await startServer();
    const kubelet = await startKubelet((connection) => {
      if (connection.path.startsWith('/attach/')) connection.socket.close(1000);
      else forwardConnection(connection);
    });
    await addPod(cluster, kubelet.port);
    const session = await attach(cluster, web, { tty: true, stdin: true });
    await expect(session.wait()).rejects.toMatchObject({ code: 'CLOSED' });
    const echo = createTcpServer((socket) => socket.on('error', () => {}).pipe(socket));
    echo.listen({ host: '127.0.0.1', port: 0 });
    await once(echo, 'listening');
    cleanups.push(async () => echo.close());
    const address = echo.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const connection = await connectPort(cluster, web, { port });
    await connection.outgoing.write('hello');
    const reader = connection.incoming[Symbol.asyncIterator]();
    expect(Buffer.from((await reader.next()).value ?? []).toString()).toBe('hello');
    connection.close();
    expect(kubelet.connections.map(({ path, query }) => `${path}?${query.toString()}`)).toEqual([
      '/attach/default/web/c?input=1&output=1&tty=1',
      `/portForward/default/web?port=${port}`,
    ]);
    await eventually('the connection to the kubelet ends with that of the client', () => kubelet.openSockets === 0);
  });

  it('a log comes as it is written, also to a client that takes gzip', async () => {
    const { cluster } = await startServer();
    const kubelet = await startKubelet();
    await addPod(cluster, kubelet.port);
    await addPod(cluster, kubelet.port, 'broken');
    const lines = podLogs(cluster, web, { follow: true }).lines()[Symbol.asyncIterator]();
    expect(await lines.next()).toEqual({ done: false, value: 'first' });
    await lines.return?.();
    await eventually('the kubelet hears that the reader has gone', () => kubelet.openSockets === 0);
    const { status, headers, body } = await cluster.transport.send({
      method: 'GET',
      path: '/api/v1/namespaces/default/pods/web/log?tailLines=3',
      headers: { 'accept-encoding': 'gzip' },
    });
    let text = '';
    for await (const chunk of body) text += Buffer.from(chunk).toString();
    expect([status, headers['content-type'], headers['set-cookie'], text]).toEqual([
      200,
      'text/plain',
      undefined,
      'GET /containerLogs/default/web/c?tailLines=3 no token\n',
    ]);
    const broken = podLogs(cluster, { namespace: 'default', name: 'broken' });
    await expect(broken.lines()[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      reason: 'BadRequest',
      message: 'container "c" in pod "broken" is waiting to start',
    });
  });

  it('any other protocol goes through as bytes, as SPDY of old kubectls', async () => {
    const { cluster, port } = await startServer();
    const heads: string[] = [];
    const kubelet = createTlsServer(kubeletAuthority.server(), (socket) => {
      socket.on('error', () => {});
      socket.once('data', (head: Buffer) => {
        heads.push(head.toString());
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n\r\nfirst',
        );
        socket.pipe(socket);
      });
    });
    kubelet.listen({ host: '127.0.0.1', port: 0 });
    await once(kubelet, 'listening');
    cleanups.push(async () => kubelet.close());
    const address = kubelet.address();
    await addPod(cluster, typeof address === 'object' && address !== null ? address.port : 0);
    const client: TLSSocket = connectTls({ host: '127.0.0.1', port, ca: authority.ca, ALPNProtocols: ['http/1.1'] });
    await once(client, 'secureConnect');
    let received = '';
    client.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    const lines = [
      'POST /api/v1/namespaces/default/pods/web/exec?command=ls&stdout=true HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      'Authorization: Bearer secret',
      'Connection: Upgrade',
      'Upgrade: SPDY/3.1',
      'X-Stream-Protocol-Version: v4.channel.k8s.io',
      'X-Stream-Protocol-Version: v3.channel.k8s.io',
      'Content-Length: 0',
    ];
    client.write(`${lines.join('\r\n')}\r\n\r\n\u0080early`, 'latin1');
    await eventually('what was sent comes back', () => received.endsWith('\r\n\r\nfirst\u0080early'));
    expect(received).toContain('X-Stream-Protocol-Version: v4.channel.k8s.io');
    expect(heads[0]).toMatch(/^POST \/exec\/default\/web\/c\?command=ls&output=1 HTTP\/1\.1\r\n/u);
    expect(heads[0]?.match(/X-Stream-Protocol-Version/gu)).toHaveLength(2);
    expect(heads[0]).not.toContain('secret');
    client.write('more');
    await eventually('and so does more', () => received.endsWith('earlymore'));
    client.destroy();
  });
});

describe('what may be reached', () => {
  it('never a port of this server, by whichever name of this machine', async () => {
    const { cluster, port } = await startServer();
    for (const [name, address] of [
      ['a', '127.0.0.1'],
      ['b', '127.9.9.9'],
      ['c', 'localhost'],
      ['d', '0.0.0.0'],
      ['e', '::ffff:7f00:1'],
      ['f', '0:0:0:0:0:ffff:127.0.0.1'],
    ]) {
      await addPod(cluster, port, name, address);
      const target = { namespace: 'default', name: name ?? '' };
      await expect(exec(cluster, target, { command: ['x'] })).rejects.toMatchObject({ message: 'address not allowed' });
    }
  });

  it('never a port that the server was told to leave alone', async () => {
    const kubelet = await startKubelet();
    const { cluster } = await startServer({ refusedPorts: () => [kubelet.port] });
    await addPod(cluster, kubelet.port);
    await expect(exec(cluster, web, { command: ['x'] })).rejects.toMatchObject({ message: 'address not allowed' });
    expect(kubelet.openSockets).toBe(0);
  });

  it('no Pod and no other port of a node on this machine, but its kubelet', async () => {
    const { cluster } = await startServer();
    const kubelet = await startKubelet();
    await addPod(cluster, kubelet.port);
    const status = { podIP: '127.0.0.1', podIPs: [{ ip: '127.0.0.1' }], phase: 'Running' };
    await cluster.patch(pods, web, { type: 'merge', body: { status } }, { subresource: 'status' });
    const ask = async (path: string): Promise<readonly [number, string]> => {
      const answer = await cluster.transport.send({ method: 'GET', path, headers: {} });
      let text = '';
      for await (const chunk of answer.body) text += Buffer.from(chunk).toString();
      return [answer.status, answer.headers['content-type'] === 'application/json' ? JSON.parse(text).message : text];
    };
    const refused = [400, 'address not allowed'];
    expect(await ask(`/api/v1/namespaces/default/pods/web:${kubelet.port}/proxy/`)).toEqual(refused);
    expect(await ask('/api/v1/nodes/node-web:1/proxy/')).toEqual(refused);
    expect(await ask('/api/v1/nodes/node-web/proxy/metrics?a=b')).toEqual([200, 'GET /metrics?a=b no token\n']);
    expect((await ask('/api/v1/nodes/node-web/proxy'))[0]).toBe(301);
  });

  it('a kubelet whose certificate is of another authority is not talked to', async () => {
    const { cluster } = await startServer({ caData: authority.ca });
    const kubelet = await startKubelet();
    await addPod(cluster, kubelet.port);
    await expect(exec(cluster, web, { command: ['x'] })).rejects.toMatchObject({
      httpCode: 500,
      message: expect.stringMatching(/^error dialing backend: dial tcp 127\.0\.0\.1:\d+: /u),
    });
    expect(kubelet.connections).toEqual([]);
  });

  it('a kubelet that is not there is an error in the words of Kubernetes', async () => {
    const { cluster } = await startServer();
    const kubelet = await startKubelet();
    await kubelet.close();
    await addPod(cluster, kubelet.port);
    const refused = `error dialing backend: dial tcp 127.0.0.1:${kubelet.port}: connect: connection refused`;
    await expect(exec(cluster, web, { command: ['x'] })).rejects.toMatchObject({ message: refused });
  });

  it('whoever may only get Pods may not run commands in them by GET', async () => {
    let mayCreate = true;
    const { cluster } = await startServer({}, (verb) => verb !== 'create' || mayCreate);
    const kubelet = await startKubelet();
    await addPod(cluster, kubelet.port);
    mayCreate = false;
    await expect(exec(cluster, web, { command: ['x'] })).rejects.toMatchObject({ reason: 'Forbidden' });
    expect(kubelet.connections).toEqual([]);
  });

  it('a request from within the process has no connection to change, and starts no command', async () => {
    const { server, cluster } = await startServer();
    const kubelet = await startKubelet();
    await addPod(cluster, kubelet.port);
    const headers = { upgrade: 'websocket', connection: 'Upgrade' };
    const path = '/api/v1/namespaces/default/pods/web/exec?command=x&stdout=true';
    const { status } = await server.handle({ method: 'GET', path, headers }, { user: { name: 'me', groups: [] } });
    expect([status, kubelet.connections.length]).toEqual([400, 0]);
  });
});

describe('proxies, over a network of their own', () => {
  it('Pods and Services are reached with methods, bodies and answers as they are', async () => {
    const backend = createHttpServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        response.writeHead(418, { 'x-own': 'yes', 'access-control-allow-origin': '*' });
        response.end(`${request.method} ${request.url} ${body}`);
      });
    });
    backend.listen({ host: '127.0.0.1', port: 0 });
    await once(backend, 'listening');
    cleanups.push(async () => backend.close());
    const address = backend.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const dialled: string[] = [];
    const { cluster } = await startServer({
      connect: async (host, wanted) => {
        dialled.push(`${host}:${wanted}`);
        const socket = connectTcp({ host: '127.0.0.1', port });
        await once(socket, 'connect');
        return socket;
      },
    });
    await addPod(cluster, 10_250);
    const status = { podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }], phase: 'Running' };
    await cluster.patch(pods, web, { type: 'merge', body: { status } }, { subresource: 'status' });
    const path = '/api/v1/namespaces/default/pods/web/proxy/a%20b?c=d';
    const answer = await cluster.transport.send({ method: 'POST', path, headers: {}, body: Buffer.from('body') });
    let text = '';
    for await (const chunk of answer.body) text += Buffer.from(chunk).toString();
    expect([answer.status, answer.headers['x-own'], answer.headers['access-control-allow-origin'], text]).toEqual([
      418,
      'yes',
      undefined,
      'POST /a%20b?c=d body',
    ]);
    expect(dialled).toEqual(['10.1.2.3:8080']);
  });
});

describe('bounds', () => {
  it('more connections than maxConnections are refused with 429, and counted', async () => {
    const { server, cluster } = await startServer({ maxConnections: 1 });
    const kubelet = await startKubelet();
    await addPod(cluster, kubelet.port);
    const limited = await connect({ server: server.url, caData: authority.ca, token: 'secret', maxRetries: 0 });
    cleanups.push(() => limited.close());
    const first = await exec(limited, web, { command: ['cat'], stdin: true });
    await expect(exec(limited, web, { command: ['cat'] })).rejects.toMatchObject({ httpCode: 429 });
    first.close();
    await eventually('the place is free again', async () => {
      const { body } = await cluster.transport.send({ method: 'GET', path: '/metrics', headers: {} });
      let text = '';
      for await (const chunk of body) text += Buffer.from(chunk).toString();
      return text.includes('listwatch_forwarded_connections 0') && text.includes('listwatch_forwarded_refused_total 1');
    });
    const again = await exec(limited, web, { command: ['true'] });
    expect(await again.wait()).toEqual({ code: 0 });
  });

  it('a connection on which nothing moves is cut, and one that cannot be made is given up', async () => {
    const { cluster } = await startServer({ idleTimeoutMs: 200 });
    const kubelet = await startKubelet();
    await addPod(cluster, kubelet.port);
    // On a busy machine nothing may move for so long before the kubelet has answered: that is cut as well, and is not what is asked here.
    const session = await eventually('a command runs', () =>
      exec(cluster, web, { command: ['cat'], stdin: true }).catch(() => undefined),
    );
    await expect(session.wait()).rejects.toMatchObject({ code: 'CLOSED' });
    const slow = await startServer({
      connectTimeoutMs: 20,
      connect: (_, __, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    await addPod(slow.cluster, 10_250);
    await expect(exec(slow.cluster, web, { command: ['x'] })).rejects.toMatchObject({
      message: 'error dialing backend: dial tcp 127.0.0.1:10250: i/o timeout',
    });
  });

  it('a server that closes ends them at once, a log that is followed as well', async () => {
    const { server, cluster } = await startServer();
    const kubelet = await startKubelet();
    await addPod(cluster, kubelet.port);
    const session = await exec(cluster, web, { command: ['cat'], stdin: true });
    const lines = podLogs(cluster, web, { follow: true }).lines()[Symbol.asyncIterator]();
    await lines.next();
    const ended = Promise.allSettled([session.wait(), lines.next()]);
    await server.close();
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await eventually('no connection is left', () => kubelet.openSockets === 0);
  });

  it('a slow client holds the kubelet back', async () => {
    const { cluster } = await startServer();
    let sent = 0;
    const kubelet = await startKubelet((connection) => {
      const chunk = Buffer.alloc(32_000);
      void (async () => {
        while (connection.socket.readyState === 1) {
          await connection.send(1, chunk);
          sent += chunk.length;
        }
      })();
    });
    await addPod(cluster, kubelet.port);
    const session = await exec(cluster, web, { command: ['x'] });
    const reader = session.stdout[Symbol.asyncIterator]();
    await reader.next();
    let before = -1;
    let same = 0;
    await eventually('the kubelet stands still', () => {
      same = sent === before ? same + 1 : 0;
      before = sent;
      return same === 50;
    });
    expect(sent).toBeLessThan(64_000_000);
    session.close();
  });
});
