import { once } from 'node:events';
import { type ApiObject, resource } from '@listwatch/api';
import { attach, type Cluster, connect, exec } from '@listwatch/client';
import { createApiServer, firstAuthenticator } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { TestAuthority } from '../parts/test-authority.ts';
import { eventually } from '../storage/eventually.ts';
import { type SpdyConnection, type SpdyPeer, type SpdyPeerOptions, startSpdyPeer } from './spdy-peer.ts';

interface LooseObject extends ApiObject {
  readonly spec?: unknown;
  readonly status?: unknown;
}

const nodes = resource<LooseObject>({ version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false });
const pods = resource<LooseObject>({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });
const web = { namespace: 'default', name: 'web' };

const authority = new TestAuthority();
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

interface Started {
  readonly cluster: Cluster;
  readonly peer: SpdyPeer;
  readonly url: string;
}

async function start(options: Omit<SpdyPeerOptions, 'certificate'>): Promise<Started> {
  const engine = createMemoryEngine();
  const server = createApiServer({
    engine,
    tls: authority.server(),
    kubelets: { caData: authority.ca },
    authenticator: firstAuthenticator([
      { authenticate: ({ token }) => (token === 'secret' ? { name: 'me', groups: ['system:masters'] } : undefined) },
    ]),
  });
  await server.listen();
  const peer = await startSpdyPeer({ ...options, certificate: authority.server() });
  const cluster = await connect({ server: server.url, caData: authority.ca, token: 'secret' });
  cleanups.push(
    () => engine.close(),
    () => server.close(),
    () => peer.close(),
    () => cluster.close(),
  );
  await cluster.create(nodes, { metadata: { name: 'node' } });
  const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
  const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: peer.port } } };
  await cluster.patch(nodes, { name: 'node' }, { type: 'merge', body: { status } }, { subresource: 'status' });
  await cluster.create(pods, { metadata: web, spec: { nodeName: 'node', containers: [{ name: 'c', image: 'i' }] } });
  return { cluster, peer, url: server.url };
}

const report = (status: object): string => JSON.stringify({ metadata: {}, ...status });

/** Ends a command as kubelets do. */
function finish(connection: SpdyConnection): void {
  connection.send('error', report({ status: 'Success' }), true);
  for (const type of ['stdout', 'stderr']) connection.send(type, '', true);
  connection.socket.end();
}

/** A command that repeats its input. */
function cat(connection: SpdyConnection, type: string, bytes: Buffer | undefined): void {
  if (type !== 'stdin') return;
  if (bytes === undefined) finish(connection);
  else connection.send('stdout', bytes);
}

describe('streams of a kubelet that knows SPDY alone', { timeout: 30_000 }, () => {
  it('input, its end, output and report pass; the kubelet is first asked in the words of the client', async () => {
    const { cluster, peer } = await start({ onBytes: cat });
    const session = await exec(cluster, web, { command: ['cat'], stdin: ['a', 'b'.repeat(100_000)] });
    expect(await session.output()).toEqual({ code: 0, stdout: `a${'b'.repeat(100_000)}`, stderr: '' });
    expect(peer.asked).toEqual(['websocket v5.channel.k8s.io', 'SPDY/3.1 v4.channel.k8s.io']);
    const [connection] = peer.connections;
    expect(connection?.message).toMatchObject({
      method: 'POST',
      url: '/exec/default/web/c?command=cat&error=1&input=1&output=1',
    });
    expect(Object.keys(connection?.message.headers ?? {})).not.toContain('authorization');
    expect(Object.keys(connection?.message.headers ?? {}).filter((name) => name.startsWith('sec-'))).toEqual([]);
  });

  it('an exit code, and stderr', async () => {
    const causes = [{ reason: 'ExitCode', message: '7' }];
    const { cluster } = await start({
      onBytes: (connection, type, bytes) => {
        if (type !== 'stdin' || bytes !== undefined) return;
        connection.send('stderr', 'oh\n', true);
        connection.send('error', report({ status: 'Failure', reason: 'NonZeroExitCode', details: { causes } }), true);
        connection.send('stdout', '', true);
      },
    });
    const session = await exec(cluster, web, { command: ['false'], stdin: '' });
    expect(await session.output()).toEqual({ code: 7, stdout: '', stderr: 'oh\n' });
  });

  it('the size of a terminal, which has no stream of errors', async () => {
    const { cluster, peer } = await start({
      onBytes: (connection, type, bytes) => {
        if (type === 'resize') connection.send('stdout', bytes ?? '');
      },
    });
    const session = await attach(cluster, web, { tty: { columns: 80, rows: 24 }, stdin: true });
    const { value } = await session.stdout[Symbol.asyncIterator]().next();
    expect(JSON.parse(Buffer.from(value ?? []).toString())).toEqual({ Width: 80, Height: 24 });
    expect(peer.connections[0]?.message.url).toBe('/attach/default/web/c?input=1&output=1&tty=1');
    session.close();
    await eventually(
      'the kubelet hears that the client has gone',
      () => peer.connections[0]?.socket.destroyed === true,
    );
  });

  it('a kubelet that goes away before the report is no end of the command', async () => {
    const { cluster } = await start({
      onBytes: (connection, type, bytes) => {
        if (type === 'stdin' && bytes !== undefined) connection.socket.destroy();
      },
    });
    const session = await exec(cluster, web, { command: ['cat'], stdin: true });
    await session.stdin.write('a');
    await expect(session.wait()).rejects.toMatchObject({ code: 'CLOSED' });
  });

  it.each([
    ['a huge control frame', Buffer.of(0x80, 3, 0, 8, 0, 0xff, 0xff, 0xff)],
    ['another version', Buffer.of(0x80, 2, 0, 6, 0, 0, 0, 4)],
    ['no SPDY', Buffer.from('\xff'.repeat(64), 'latin1')],
  ])('a kubelet that sends %s is cut', async (_, bytes) => {
    const { cluster, peer } = await start({ onConnection: ({ socket }) => void socket.write(bytes) });
    const session = await exec(cluster, web, { command: ['cat'], stdin: true });
    await expect(session.wait()).rejects.toMatchObject({ code: 'CLOSED' });
    await eventually('it is cut', () => peer.connections[0]?.socket.destroyed === true);
  });

  it('bytes of streams that were not asked for mean nothing', async () => {
    const { cluster } = await start({
      onBytes: (connection, type, bytes) => {
        if (type !== 'stdin' || bytes !== undefined) return;
        connection.send('stdin', 'evil');
        connection.send('nothing', 'evil', true);
        connection.send('stdout', 'good');
        finish(connection);
      },
    });
    const session = await exec(cluster, web, { command: ['cat'], stdin: '' });
    expect(await session.output()).toEqual({ code: 0, stdout: 'good', stderr: '' });
  });

  it('a client is held back until the kubelet has its streams, and by a kubelet that does not read', async () => {
    const { cluster, peer } = await start({ confirms: false });
    const session = await exec(cluster, web, { command: ['cat'], stdin: true });
    let written = 0;
    const writing = (async () => {
      for (; written < 1024; written += 1) await session.stdin.write('x'.repeat(64 * 1024));
    })();
    writing.catch(() => {});
    let before = -1;
    await eventually('nothing more is taken', async () => {
      const isStill = written === before && written > 0;
      before = written;
      await new Promise((resolve) => setImmediate(resolve));
      return isStill || undefined;
    });
    expect(written).toBeLessThan(1024);
    expect(peer.connections[0]?.received).toEqual([]);
    session.close();
    await expect(writing).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
  });

  it('a command that ends without reading its input ends at once', async () => {
    const { cluster } = await start({
      onBytes: (connection, type) => {
        if (type !== 'stdin' || connection.received.length > 1) return;
        connection.socket.pause();
        finish(connection);
      },
    });
    const session = await exec(cluster, web, { command: ['head', '-1'], stdin: Buffer.alloc(20_000_000, 'x') });
    expect(await session.output()).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('a client that reads slowly gets all of it, and holds the kubelet back', async () => {
    const piece = Buffer.alloc(256 * 1024, 'x');
    let sent = 0;
    let isBlocked = false;
    const { cluster } = await start({
      onBytes: (connection, type, bytes) => {
        if (type !== 'stdin' || bytes !== undefined) return;
        const more = (): void => {
          for (; sent < 100 && !connection.socket.writableNeedDrain; sent += 1) connection.send('stdout', piece);
          if (sent === 100) return finish(connection);
          isBlocked = true;
          connection.socket.once('drain', more);
        };
        more();
      },
    });
    const session = await exec(cluster, web, { command: ['cat'], stdin: '', stderr: false });
    await eventually('the kubelet is held back', () => isBlocked);
    expect(sent).toBeLessThan(100);
    let bytes = 0;
    for await (const chunk of session.stdout) bytes += chunk.length;
    expect([bytes, await session.wait()]).toEqual([100 * piece.length, { code: 0 }]);
  });

  it('a kubelet that is not there is an error that says so', async () => {
    const { cluster, peer } = await start({});
    await peer.close();
    await expect(exec(cluster, web, { command: ['cat'] })).rejects.toMatchObject({
      message: expect.stringContaining('connection refused'),
    });
    cleanups.splice(2, 1);
  });

  it('ports in a WebSocket, as kubectl sends them, are bytes of SPDY for the kubelet', async () => {
    const { peer, url } = await start({
      onConnection: ({ socket }) =>
        void socket.on('data', (chunk: Buffer) => void socket.write(chunk.toString().toUpperCase())),
    });
    const path = '/api/v1/namespaces/default/pods/web/portforward';
    // With a slash, which ws takes for no name: `kubectl` sends it all the same.
    const client = new WebSocket(`${url.replace('https', 'wss')}${path}`, {
      ca: authority.ca,
      headers: { authorization: 'Bearer secret', 'sec-websocket-protocol': 'SPDY/3.1+portforward.k8s.io' },
    });
    const heard = once(client, 'upgrade');
    client.on('error', () => {});
    const [message] = await heard;
    expect(message.headers['sec-websocket-protocol']).toBe('SPDY/3.1+portforward.k8s.io');
    expect(peer.asked).toEqual(['SPDY/3.1 portforward.k8s.io']);
    // Frames by hand, because ws has left.
    client.terminate();
    await eventually(
      'the kubelet hears that the client has gone',
      () => peer.connections[0]?.socket.destroyed === true,
    );
  });
});
