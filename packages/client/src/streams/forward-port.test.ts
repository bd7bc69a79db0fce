import { getEventListeners, once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, Server, type Socket } from 'node:net';
import { type Clock, resource, systemClock } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import {
  forwardConnection,
  type PeerRefusal,
  type StreamPeer,
  type StreamPeerOptions,
  startStreamPeer,
} from '@listwatch/conformance/kubelet';
import { eventually } from '@listwatch/conformance/storage';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Cluster } from '../cluster.ts';
import { connect } from '../connect.ts';
import { forwardPort } from './forward-port.ts';
import { connectPort } from './port-connection.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function start(
  options: Partial<StreamPeerOptions> = {},
  clock: Clock = systemClock,
): Promise<{ peer: StreamPeer; cluster: Cluster }> {
  const peer = await startStreamPeer({ onConnection: forwardConnection, ...options });
  const cluster = await connect({ server: peer.url, clock });
  cleanups.push(
    () => peer.close(),
    () => cluster.close(),
  );
  return { peer, cluster };
}

/** What listens in the pod: gives back what it gets, and ends after `bye`. */
async function echo(port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      socket.write(chunk);
      if (chunk.toString().includes('bye')) socket.end();
    });
  });
  server.listen({ host: '127.0.0.1', port });
  await once(server, 'listening');
  cleanups.push(async () => server.close());
  const address: AddressInfo | string | null = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 };
}

function local(port: number): { socket: Socket; text: () => string; closed: Promise<void> } {
  const socket = connectTcp({ host: '127.0.0.1', port });
  let received = '';
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  return { socket, text: () => received, closed };
}

const pod = { name: 'web' };

/** Kinds and groups. */
const WORKLOADS: Readonly<Record<string, readonly [kind: string, group: string]>> = {
  deployments: ['Deployment', 'apps'],
  replicationcontrollers: ['ReplicationController', ''],
  statefulsets: ['StatefulSet', 'apps'],
  jobs: ['Job', 'batch'],
};

/** A handshake that is refused with a Status. */
function refusalOf(status: { readonly code: number } | undefined): PeerRefusal | undefined {
  if (status === undefined) return undefined;
  const body = JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', ...status });
  return { code: status.code, body };
}

function podOf(name: string, ready: string, more: object = {}): object {
  const conditions = [{ type: 'Ready', status: ready }];
  return { metadata: { name, namespace: 'default', ...more }, status: { phase: 'Running', conditions } };
}

describe('connectPort', () => {
  it('carries bytes in both directions until the pod ends it', async () => {
    const { cluster } = await start();
    const { port } = await echo();
    const connection = await connectPort(cluster, pod, { port });
    await connection.outgoing.write('hello bye');
    expect(await connection.incoming.text()).toBe('hello bye');
    await expect(connection.outgoing.write('more')).rejects.toMatchObject({ code: 'CLOSED' });
  });

  it('a closed port is PORT_FAILED with the words of the kubelet', async () => {
    const { cluster } = await start();
    const { server, port } = await echo();
    server.close();
    await once(server, 'close');
    const connection = await connectPort(cluster, pod, { port });
    await expect(connection.incoming.text()).rejects.toMatchObject({
      code: 'PORT_FAILED',
      message: expect.stringMatching(/^port \d+: an error occurred forwarding \d+: connect ECONNREFUSED/u),
    });
  });

  it.each([0, 65_536, 1.5])('%d is no port', async (port) => {
    const { cluster } = await start();
    await expect(connectPort(cluster, pod, { port })).rejects.toThrow(RangeError);
  });
});

describe('forwardPort', () => {
  it('gives each local connection one of its own to the pod', async () => {
    const { peer, cluster } = await start();
    const { port } = await echo();
    await using forwarded = await forwardPort(cluster, pod, { port });
    const [first, second] = [local(forwarded.port), local(forwarded.port)];
    first.socket.write('one');
    second.socket.write('two');
    await eventually('both are answered', () => first.text() === 'one' && second.text() === 'two');
    expect([peer.connections.length, forwarded.connections]).toEqual([2, 2]);
    first.socket.resetAndDestroy();
    await eventually('the other goes on', () => forwarded.connections === 1);
    second.socket.write(' bye');
    await second.closed;
    expect(second.text()).toBe('two bye');
    expect(String(peer.connections[0]?.query)).toBe(`ports=${port}`);
  });

  it('answers a local client that has ended its own side, as HTTP/1.0 does', async () => {
    const { cluster } = await start();
    const { port } = await echo();
    await using forwarded = await forwardPort(cluster, pod, { port });
    const client = local(forwarded.port);
    client.socket.end('x bye');
    await client.closed;
    expect(client.text()).toBe('x bye');
  });

  it('a local client that has gone is noticed when the pod says nothing for ten seconds', async () => {
    const clock = new FakeClock();
    const { peer, cluster } = await start({}, clock);
    const { port } = await echo();
    await using forwarded = await forwardPort(cluster, pod, { port });
    const client = local(forwarded.port);
    client.socket.write('x');
    await eventually('it is forwarded', () => client.text() === 'x');
    client.socket.destroy();
    await eventually('the timer runs', async () => {
      await clock.advance(5_000);
      return forwarded.connections === 0;
    });
    await eventually('the connection to the pod is gone', () => peer.openSockets === 0);
  });

  it('survives the restart of the pod: the next connection is a new one', async () => {
    const { cluster } = await start();
    const { server, port } = await echo();
    const errors: unknown[] = [];
    await using forwarded = await forwardPort(cluster, pod, { port, onError: (error) => errors.push(error) });
    server.close();
    await once(server, 'close');
    const refused = local(forwarded.port);
    refused.socket.write('x');
    await refused.closed;
    expect(errors).toMatchObject([{ code: 'PORT_FAILED' }]);
    await echo(port);
    const client = local(forwarded.port);
    client.socket.write('back bye');
    await client.closed;
    expect(client.text()).toBe('back bye');
  });

  it('waits while the pod is made again: deleted, on no node yet, on a node that does not answer', async () => {
    const refusals = [
      { code: 404, reason: 'NotFound', message: 'pods "web" not found' },
      { code: 400, reason: 'BadRequest', message: 'pod web does not have a host assigned' },
      { code: 500, reason: 'InternalError', message: 'error dialing backend: connection refused' },
    ];
    const left = [...refusals];
    const { cluster } = await start({ refuse: () => refusalOf(left.shift()) });
    const { port } = await echo();
    const errors: unknown[] = [];
    await using forwarded = await forwardPort(cluster, pod, { port, onError: (error) => errors.push(error) });
    const client = local(forwarded.port);
    client.socket.write('bye');
    await client.closed;
    expect([client.text(), left, errors]).toEqual(['bye', [], []]);
  });

  it('does not wait where asking again is of no use', async () => {
    let asked = 0;
    const refused = { code: 400, reason: 'BadRequest', message: 'container name must be specified' };
    const { cluster } = await start({ refuse: () => ((asked += 1), refusalOf(refused)) });
    const errors: unknown[] = [];
    await using forwarded = await forwardPort(cluster, pod, { port: 80, onError: (error) => errors.push(error) });
    await local(forwarded.port).closed;
    expect([asked, errors]).toMatchObject([1, [{ reason: 'BadRequest' }]]);
  });

  it('chooses a ready pod of a workload for each connection, and waits while there is none', async () => {
    const { port } = await echo();
    let items: readonly object[] = [
      podOf('a', 'False'),
      podOf('b', 'True'),
      podOf('c', 'True', { deletionTimestamp: 'x' }),
    ];
    let lists = 0;
    const { peer, cluster } = await start({
      onRequest: (request, response) => {
        const isList = request.url?.includes('/pods') === true;
        if (isList) lists += 1;
        const spec = {
          selector: { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'x', operator: 'Exists' }] },
        };
        const body = isList
          ? { kind: 'PodList', apiVersion: 'v1', metadata: {}, items }
          : { kind: 'Deployment', apiVersion: 'apps/v1', metadata: { name: 'web' }, spec };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      },
    });
    const deployments = resource({
      group: 'apps',
      version: 'v1',
      plural: 'deployments',
      kind: 'Deployment',
      namespaced: true,
    });
    await using forwarded = await forwardPort(cluster, { resource: deployments, name: 'web' }, { port });
    const ask = async (): Promise<string | undefined> => {
      const client = local(forwarded.port);
      client.socket.write('bye');
      await client.closed;
      return peer.connections.at(-1)?.path.split('/').at(-2);
    };
    expect(await ask()).toBe('b');
    items = [];
    const asked = ask();
    await eventually('it looks for a pod again', () => lists >= 3);
    items = [podOf('d', 'True')];
    expect(await asked).toBe('d');
  });

  it('a Service stands for its target port, also by name', async () => {
    const { port } = await echo();
    const { peer, cluster } = await start({
      onRequest: (request, response) => {
        const running = {
          metadata: { name: 'web-1' },
          spec: { containers: [{ name: 'c', ports: [{ name: 'http', containerPort: port }] }] },
          status: { phase: 'Running' },
        };
        const body =
          request.url?.includes('/pods') === true
            ? { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: [running] }
            : {
                kind: 'Service',
                apiVersion: 'v1',
                metadata: {},
                spec: { selector: { a: 'b' }, ports: [{ port: 80, targetPort: 'http' }] },
              };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      },
    });
    const services = resource({ version: 'v1', plural: 'services', kind: 'Service', namespaced: true });
    await using forwarded = await forwardPort(cluster, { resource: services, name: 'web' }, { port: 80 });
    const client = local(forwarded.port);
    client.socket.write('bye');
    await client.closed;
    expect([client.text(), String(peer.connections[0]?.query)]).toEqual(['bye', `ports=${port}`]);
  });

  it.each(['deployments', 'replicationcontrollers', 'statefulsets', 'jobs'])(
    '%s are asked for their pods',
    async (plural) => {
      const { port } = await echo();
      const [kind, group] = WORKLOADS[plural] ?? [];
      const apiVersion = group === '' ? 'v1' : `${group}/v1`;
      const selector = group === '' ? { app: 'web', tier: 'a' } : { matchLabels: { app: 'web', tier: 'a' } };
      const selectors: (string | null)[] = [];
      const { peer, cluster } = await start({
        onRequest: (request, response) => {
          const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
          const isList = pathname.endsWith('/pods');
          if (isList) selectors.push(searchParams.get('labelSelector'));
          const body = isList
            ? { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: [podOf('web-1', 'True')] }
            : { kind, apiVersion, metadata: { name: 'web' }, spec: { selector } };
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        },
      });
      const workload = resource({ group, version: 'v1', plural, kind: kind ?? '', namespaced: true });
      await using forwarded = await forwardPort(cluster, { resource: workload, name: 'web' }, { port });
      const client = local(forwarded.port);
      client.socket.write('bye');
      await client.closed;
      expect([client.text(), peer.connections[0]?.path.split('/').at(-2)]).toEqual(['bye', 'web-1']);
      expect(selectors).toEqual(['app=web,tier=a']);
    },
  );

  it('the signal and close end the port and its connections', async () => {
    const { peer, cluster } = await start();
    const { port } = await echo();
    const controller = new AbortController();
    const forwarded = await forwardPort(cluster, pod, { port, signal: controller.signal });
    const client = local(forwarded.port);
    client.socket.write('x');
    await eventually('it is forwarded', () => client.text() === 'x');
    controller.abort();
    await client.closed;
    await eventually('the connection to the pod is gone', () => peer.openSockets === 0);
    await forwarded.close();
    const late = local(forwarded.port);
    await late.closed;
    expect(late.text()).toBe('');
  });

  it('a connection that cannot be accepted is told, and the port goes on', async () => {
    const listen = vi.spyOn(Server.prototype, 'listen');
    const { cluster } = await start();
    const { port } = await echo();
    const errors: unknown[] = [];
    await using forwarded = await forwardPort(cluster, pod, { port, onError: (error) => errors.push(error) });
    const server = listen.mock.contexts.at(-1);
    listen.mockRestore();
    // Node emits this for a failed accept(2); without a listener it throws.
    if (server instanceof Server) server.emit('error', new Error('accept EMFILE'));
    expect(errors).toEqual([new Error('accept EMFILE')]);
    const client = local(forwarded.port);
    client.socket.write('bye');
    await client.closed;
    expect(client.text()).toBe('bye');
  });

  it('a port that is taken, and a signal that is aborted before it listens, are rejections that leave nothing', async () => {
    const { cluster } = await start();
    const { port } = await echo();
    const { signal } = new AbortController();
    await expect(forwardPort(cluster, pod, { port, localPort: port, signal })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    const controller = new AbortController();
    const forwarding = forwardPort(cluster, pod, { port, signal: controller.signal });
    controller.abort(new Error('not now'));
    await expect(forwarding).rejects.toThrow('not now');
  });

  it('more connections than maxConnections are refused', async () => {
    const { cluster } = await start();
    const { port } = await echo();
    await using forwarded = await forwardPort(cluster, pod, { port, maxConnections: 1 });
    const first = local(forwarded.port);
    first.socket.write('x');
    await eventually('the first is forwarded', () => first.text() === 'x');
    const second = local(forwarded.port);
    await second.closed;
    expect([second.text(), forwarded.connections]).toEqual(['', 1]);
  });

  it('large answers are whole, and a slow local reader holds the pod back', async () => {
    const size = 20_000_000;
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.end(Buffer.alloc(size, 'a'));
    });
    server.listen({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    cleanups.push(async () => server.close());
    const address = server.address();
    const { cluster } = await start();
    await using forwarded = await forwardPort(cluster, pod, {
      port: typeof address === 'object' && address !== null ? address.port : 0,
    });
    const socket = connectTcp({ host: '127.0.0.1', port: forwarded.port });
    socket.pause();
    await once(socket, 'connect');
    let length = 0;
    socket.on('data', (chunk: Buffer) => (length += chunk.length));
    socket.resume();
    await once(socket, 'close');
    expect(length).toBe(size);
  });
});
