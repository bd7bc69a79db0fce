import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { TestAuthority } from '@listwatch/conformance/parts';
import { rejection, rest } from '@listwatch/conformance/transport';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Cluster } from './cluster.ts';
import { clusterAddress, connect, type NodeConnectOptions } from './connect.ts';
import { connect as connectBrowser } from './connect-browser.ts';
import { orderedServers } from './connect-options.ts';
import { createLoopbackTransport } from './transport/carriers/loopback-transport.ts';

let authority: TestAuthority;
let server: Http2SecureServer;
let url: string;
let folder: string;
const clusters: Cluster[] = [];

/** A server of both protocols that tells who asked, how, and as whom. */
beforeAll(async () => {
  authority = new TestAuthority();
  const tls = { ...authority.server(), ca: authority.ca, requestCert: true, rejectUnauthorized: false };
  server = createSecureServer({ ...tls, allowHTTP1: true }, (request, response) => {
    const socket: unknown = request.httpVersionMajor === 2 ? request.stream.session?.socket : request.socket;
    const { subject } = socket instanceof TLSSocket ? socket.getPeerCertificate() : { subject: undefined };
    const { authorization, 'impersonate-user': as, 'accept-encoding': encoding } = request.headers;
    const answer = JSON.stringify({ http: request.httpVersion, name: subject?.CN, authorization, as, encoding });
    if (encoding === 'gzip') response.setHeader('content-encoding', encoding);
    response.end(encoding === 'gzip' ? gzipSync(answer) : answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => {
  server.close();
  authority[Symbol.dispose]();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-connect-'));
  vi.stubEnv('HOME', folder);
  vi.stubEnv('KUBECONFIG', '');
  vi.stubEnv('KUBERNETES_SERVICE_HOST', '');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const cluster of clusters.splice(0)) await cluster.close();
  rmSync(folder, { recursive: true, force: true });
});

async function opened(options?: NodeConnectOptions): Promise<Cluster> {
  const cluster = await connect(options);
  clusters.push(cluster);
  return cluster;
}

async function ask({ transport }: Cluster): Promise<unknown> {
  return JSON.parse(await rest(await transport.send({ method: 'GET', path: '/', headers: {} })));
}

const encode = (text: string): string => Buffer.from(text).toString('base64');

function kubeconfig(user: object, context: object = {}): string {
  const path = join(folder, 'config');
  writeFileSync(path, kubeconfigText(user, context));
  return path;
}

function kubeconfigText(user: object, context: object = {}): string {
  return JSON.stringify({
    'current-context': 'main',
    contexts: [{ name: 'main', context: { cluster: 'c', user: 'u', ...context } }],
    clusters: [
      {
        name: 'c',
        cluster: { server: url, 'certificate-authority-data': encode(authority.ca) },
      },
    ],
    users: [{ name: 'u', user }],
  });
}

describe('connect', () => {
  it('by an address and a token speaks HTTP/2', async () => {
    const cluster = await opened({ server: url, token: 't', caData: authority.ca });
    expect(await ask(cluster)).toEqual({ http: '2.0', authorization: 'Bearer t' });
    expect(cluster).toMatchObject({ server: url, namespace: 'default' });
  });

  it('by several addresses uses the first that answers, and a write is sent once', async () => {
    const dead = 'https://127.0.0.1:1';
    const options = { servers: [dead, url], serverOrder: 'listed', caData: authority.ca } as const;
    for (const protocol of ['http/1.1', 'http/2'] as const) {
      const cluster = await opened({ ...options, protocol, token: 't' });
      expect(await ask(cluster)).toMatchObject({ authorization: 'Bearer t' });
      // The name does not depend on the order: a checkpoint is kept under it.
      expect(cluster.server).toBe([dead, url].toSorted().join(','));
    }
  });

  it('spreads clients over several servers unless it is told an order', () => {
    const servers = ['https://a', 'https://b', 'https://c', 'https://a'];
    const draws = [0.9, 0.5, 0.1];
    expect(orderedServers({ servers }, () => draws.shift() ?? 0)).toEqual(['https://c', 'https://b', 'https://a']);
    expect(orderedServers({ servers, serverOrder: 'listed' })).toEqual(['https://a', 'https://b', 'https://c']);
  });

  it('speaks the protocol it is told to', async () => {
    const options = { server: url, caData: authority.ca };
    expect(await ask(await opened({ ...options, protocol: 'http/1.1' }))).toEqual({ http: '1.1' });
    expect(await ask(await opened({ ...options, protocol: 'http/2' }))).toEqual({ http: '2.0' });
  });

  it.each(['http/1.1', 'http/2'] as const)('asks for lists in gzip over %s if it is told to', async (protocol) => {
    const options = { server: url, caData: authority.ca, protocol };
    expect(await ask(await opened({ ...options, compression: true }))).toMatchObject({ encoding: 'gzip' });
    expect(await ask(await opened(options))).not.toHaveProperty('encoding');
  });

  it.each(['http/1.1', 'http/2'] as const)('shows the client certificate of a kubeconfig over %s', async (protocol) => {
    const { cert, key } = authority.client('/CN=alice/O=team');
    const user = { 'client-certificate-data': encode(cert), 'client-key-data': encode(key), as: 'bob' };
    const cluster = await opened({ kubeconfig: kubeconfig(user, { namespace: 'team-a' }), protocol });
    expect(await ask(cluster)).toMatchObject({ name: 'alice', as: 'bob' });
    expect(cluster.namespace).toBe('team-a');
  });

  it('finds KUBECONFIG by itself, and options go before what it says', async () => {
    vi.stubEnv('KUBECONFIG', kubeconfig({ token: 't', as: 'bob' }, { namespace: 'team-a' }));
    expect(await ask(await opened())).toMatchObject({ authorization: 'Bearer t', as: 'bob' });
    const cluster = await opened({ context: 'main', namespace: 'other', impersonate: { user: 'carol' } });
    expect(cluster.namespace).toBe('other');
    expect(await ask(cluster)).toMatchObject({ as: 'carol' });
  });

  it('takes a kubeconfig from text, before the files of the environment', async () => {
    vi.stubEnv('KUBECONFIG', kubeconfig({ token: 'of the file' }));
    const text = kubeconfigText({ token: 'of the text' }, { namespace: 'team-b' });
    const cluster = await opened({ kubeconfigText: text, context: 'main' });
    expect(await ask(cluster)).toMatchObject({ authorization: 'Bearer of the text' });
    expect(cluster.namespace).toBe('team-b');
    expect(await clusterAddress({ kubeconfigText: text })).toMatchObject({ servers: [url] });
    // A variable that is set to nothing must not end with the login of somebody else.
    expect(await rejection(connect({ kubeconfigText: '' }))).toMatchObject({ code: 'FILE_INVALID' });
    expect(await rejection(connect({ kubeconfigText: 'kind: Config' }))).toMatchObject({ code: 'NAME_UNKNOWN' });
    expect(await rejection(connect({ kubeconfigText: text, kubeconfig: 'x' }))).toBeInstanceOf(TypeError);
  });

  it('refuses what would be passed over: a login beside a kubeconfig, a kubeconfig beside an address', async () => {
    const path = kubeconfig({ token: 't' });
    for (const [options, message] of [
      [{ kubeconfig: path, token: 'other' }, 'token requires server or servers: a kubeconfig has its own'],
      [{ kubeconfig: path, insecureSkipTlsVerify: true }, 'insecureSkipTlsVerify requires server or servers'],
      [{ server: url, kubeconfigText: 'x' }, 'server cannot be combined with kubeconfigText'],
      [{ servers: [url], context: 'main' }, 'servers cannot be combined with context'],
    ] as const) {
      const error = await rejection(connect(options));
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toContain(message);
    }
    // What is undefined was not given.
    await opened({ kubeconfig: path, token: undefined });
  });

  it('over a transport of your own puts the features around it', async () => {
    const seen: unknown[] = [];
    const transport = createLoopbackTransport({
      handle: async ({ headers }) => {
        seen.push(headers);
        return { status: 200, headers: {}, body: (async function* () {})() };
      },
    });
    for (const open of [connect, connectBrowser]) {
      const cluster = await open({ transport, token: 't' });
      expect(cluster.server).toBe('loopback');
      await cluster.transport.send({ method: 'GET', path: '/', headers: {} });
    }
    expect(seen).toEqual([{ authorization: 'Bearer t' }, { authorization: 'Bearer t' }]);
  });

  it('without any description says where it looked and what to do', async () => {
    expect(await rejection(connect())).toMatchObject({
      name: 'ConfigError',
      code: 'NO_CONFIG',
      message: expect.stringContaining(join(folder, '.kube', 'config')),
    });
  });

  it('says at once which file of a kubeconfig is missing', async () => {
    const user = { 'client-certificate': 'gone.crt', 'client-key': 'gone.key' };
    expect(await rejection(connect({ kubeconfig: kubeconfig(user) }))).toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining(join(folder, 'gone.crt')),
    });
  });

  it('a pod without a token file is told so', async () => {
    vi.stubEnv('KUBERNETES_SERVICE_HOST', '10.0.0.1');
    vi.stubEnv('KUBERNETES_SERVICE_PORT', '443');
    expect(await rejection(connect())).toMatchObject({ code: 'FILE_UNREADABLE' });
  });

  it('refuses what cannot be meant', async () => {
    expect(await rejection(connect({ server: 'kube:6443' }))).toBeInstanceOf(TypeError);
    expect(await rejection(connect({ server: url, certData: 'x' }))).toBeInstanceOf(TypeError);
    const credentials = { headers: async () => ({}), renew: async () => false };
    expect(await rejection(connect({ server: url, token: 't', credentials }))).toBeInstanceOf(TypeError);
    expect(await rejection(connectBrowser({ server: 'kube' }))).toBeInstanceOf(TypeError);
    for (const open of [connect, connectBrowser]) {
      expect(await rejection(open({ servers: [] }))).toBeInstanceOf(TypeError);
      expect(await rejection(open({ servers: [url, 'kube'] }))).toBeInstanceOf(TypeError);
      expect(await rejection(open({ server: url, servers: [url] }))).toMatchObject({
        message: 'pass server or servers, not both',
      });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as plain JavaScript would call it
      const order = { servers: [url], serverOrder: 'any' } as unknown as { servers: readonly string[] };
      expect(await rejection(open(order))).toMatchObject({ message: expect.stringContaining('serverOrder') });
    }
  });
});

it('an unknown option is refused by its name', async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as plain JavaScript would call it
  const options = { server: 'https://127.0.0.1:1', tokn: 'x' } as unknown as NodeConnectOptions;
  await expect(connect(options)).rejects.toThrow('unknown option "tokn" of connect');
});
