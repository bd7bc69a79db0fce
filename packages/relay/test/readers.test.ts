import { once } from 'node:events';
import { statSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { backgroundClock } from '@listwatch/api';
import { connect as connectCluster, exec } from '@listwatch/client';
import { runCommand, startStreamPeer } from '@listwatch/conformance/kubelet';
import { TestAuthority, type TestCertificatePair } from '@listwatch/conformance/parts';
import { certificateAuthenticator, firstAuthenticator, parseTokenFile, tokenAuthenticator } from '@listwatch/server';
import { createProcessServer, type PrimaryOptions, type ProcessServer } from '@listwatch/server/internal';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openPrimaryHost, type PrimaryHost } from '../src/readers/primary-host.ts';
import { linkReader, type ReaderLink } from '../src/readers/reader-link.ts';

/** A primary and two readers in this process, with real sockets between them. */
const authority = new TestAuthority('clients');
const authenticator = firstAuthenticator([
  certificateAuthenticator(),
  tokenAuthenticator(parseTokenFile('admin-token,admin,1,"system:masters"\npaul-token,paul,2,"dev"\n')),
]);
const serving = authority.server();
const options = { authenticator, tls: { ...serving, clientCa: authority.ca } };
const admin = authority.client('/O=system:masters/CN=root');
const links: ReaderLink[] = [];
const readers: ProcessServer[] = [];
let engine: StorageEngine;
let primary: ProcessServer;
let host: PrimaryHost;

beforeAll(async () => {
  engine = createMemoryEngine();
  primary = createProcessServer({
    engine,
    ...options,
    kubelets: { caData: authority.ca },
    primary: { address: firstReader, metrics: async () => new Map() },
  });
  await primary.start();
  host = await openPrimaryHost({ engine, server: primary, clock: backgroundClock });
  for (let count = 0; count < 2; count++) {
    const link = linkReader(host.ticket, backgroundClock);
    const reader = createProcessServer({ engine: link.engine, ...options, reader: link.reader });
    await reader.listen();
    links.push(link);
    readers.push(reader);
  }
});

afterAll(async () => {
  for (const reader of readers) await reader.close();
  for (const link of links) await link.close();
  host.close();
  await primary.close();
  await engine.close();
  authority[Symbol.dispose]();
});

interface Asked {
  readonly method?: string;
  readonly token?: string;
  readonly client?: TestCertificatePair;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What the tests read of answers. */
interface AnswerJson {
  readonly kind: string;
  readonly text: string;
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly items: readonly AnswerJson[];
  readonly status: { readonly userInfo: { readonly username: string } };
}

interface Answered {
  readonly status: number;
  readonly json: AnswerJson;
}

async function ask(
  reader: number,
  path: string,
  { method = 'GET', token = 'admin-token', client, headers, body }: Asked = {},
): Promise<Answered> {
  const url = new URL(path, readers[reader]?.url);
  const sent = requestHttps(url, {
    method,
    ca: authority.ca,
    agent: false,
    ...client,
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      ...headers,
    },
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode ?? 0, json: text.startsWith('{') ? JSON.parse(text) : { text } });
      });
    });
  });
}

/** In the place of the one port that readers share. */
function firstReader(): ReturnType<PrimaryOptions['address']> {
  const { url = '' } = readers[0] ?? {};
  if (url === '') return undefined;
  return { host: '127.0.0.1', port: Number(new URL(url).port), url, insecureUrl: undefined };
}

const MAPS = '/api/v1/namespaces/default/configmaps';
const mapNamed = (name: string): object => ({ metadata: { name }, data: { k: 'v' } });

it('a list at one reader has every write that was acknowledged at the other, and a get too', async () => {
  for (let round = 0; round < 40; round++) {
    const name = `m${round}`;
    const written = await ask(round % 2, MAPS, { method: 'POST', body: mapNamed(name) });
    expect(written.status).toBe(201);
    const listed = await ask((round + 1) % 2, MAPS);
    const found = listed.json.items.find((one) => one.metadata.name === name);
    expect(found?.metadata.resourceVersion).toBe(written.json.metadata.resourceVersion);
    expect((await ask((round + 1) % 2, `${MAPS}/${name}`)).status).toBe(200);
  }
});

it('a watch at a reader gets the writes of all, and its versions are those of the other reader', async () => {
  const { json } = await ask(0, MAPS);
  const from = json.metadata.resourceVersion;
  const names = async (reader: number): Promise<readonly string[]> => {
    const seen: string[] = [];
    const url = new URL(`${MAPS}?watch=1&resourceVersion=${from}`, readers[reader]?.url);
    const sent = requestHttps(url, {
      ca: authority.ca,
      agent: false,
      headers: { authorization: 'Bearer admin-token' },
    }).end();
    const [answer] = await once(sent, 'response');
    let text = '';
    answer.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        const { object } = JSON.parse(text.slice(0, end));
        seen.push(`${object.metadata.name}@${object.metadata.resourceVersion}`);
        text = text.slice(end + 1);
      }
    });
    await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(20), { timeout: 20_000 });
    sent.destroy();
    return seen;
  };
  const watched = Promise.all([names(0), names(1)]);
  for (let count = 0; count < 20; count++) {
    expect((await ask(count % 2, MAPS, { method: 'POST', body: mapNamed(`w${count}`) })).status).toBe(201);
  }
  const [one, other] = await watched;
  expect(one).toEqual(other);
  expect(one.map((seen) => seen.split('@')[0])).toEqual(Array.from({ length: 20 }, (_, at) => `w${at}`));
});

it('a custom kind is served by the readers as soon as its definition is acknowledged', async () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  expect((await ask(0, path, { method: 'POST', body: definition })).status).toBe(201);
  const things = '/apis/example.com/v1/namespaces/default/things';
  await vi.waitFor(async () => expect((await ask(1, things)).status).toBe(200), { timeout: 20_000 });
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 't' } };
  expect((await ask(0, things, { method: 'POST', body: thing })).status).toBe(201);
  expect((await ask(1, things)).json.items).toHaveLength(1);
});

it('discovery, reviews and writes are the primary’s, as whom the client is: by token and by certificate', async () => {
  expect((await ask(0, '/apis')).json.kind).toBe('APIGroupList');
  const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  expect((await ask(0, review, { method: 'POST', body })).json.status.userInfo.username).toBe('admin');
  const byCertificate = await ask(1, review, { method: 'POST', body, token: '', client: admin });
  expect(byCertificate.json.status.userInfo).toMatchObject({
    username: 'root',
    groups: ['system:masters', 'system:authenticated'],
  });
  expect((await ask(1, MAPS, { method: 'POST', body: mapNamed('by-cert'), token: '', client: admin })).status).toBe(
    201,
  );
});

it('rights are judged for each user, for reads at the reader and for writes at the primary', async () => {
  expect((await ask(0, MAPS, { token: 'paul-token' })).status).toBe(403);
  expect((await ask(0, MAPS, { token: 'paul-token', method: 'POST', body: mapNamed('p') })).status).toBe(403);
  expect((await ask(0, MAPS, { token: 'wrong' })).status).toBe(401);
  const rule = { apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'create'] };
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'r' }, rules: [rule] };
  const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'paul' }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'b' },
    subjects,
    roleRef,
  };
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
  expect((await ask(0, `${rbac}/roles`, { method: 'POST', body: role })).status).toBe(201);
  expect((await ask(0, `${rbac}/rolebindings`, { method: 'POST', body: binding })).status).toBe(201);
  await vi.waitFor(async () => expect((await ask(1, MAPS, { token: 'paul-token' })).status).toBe(200), {
    timeout: 20_000,
  });
  expect((await ask(1, MAPS, { token: 'paul-token', method: 'POST', body: mapNamed('p') })).status).toBe(201);
});

it('headers that name a user or a connection make nobody anybody', async () => {
  const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const facts = Buffer.from(
    JSON.stringify({ certificate: { commonName: 'x', organizations: ['system:masters'], trusted: true } }),
  );
  const forged = {
    'x-remote-user': 'root',
    'x-remote-group': 'system:masters',
    'x-listwatch-connection': `${'A'.repeat(43)}.${facts.toString('base64url')}`,
  };
  const asPaul = await ask(0, review, { method: 'POST', body, token: 'paul-token', headers: forged });
  expect(asPaul.json.status.userInfo.username).toBe('paul');
  const asNobody = await ask(0, MAPS, { token: '', headers: forged });
  expect(asNobody.status).toBe(403);
  const write = await ask(0, MAPS, { token: '', headers: forged, method: 'POST', body: mapNamed('forged') });
  expect(write.status).toBe(403);
});

it('the sockets are the owner’s alone, and who does not know the secret gets nothing', async () => {
  const { storePath, requestPath } = host.ticket;
  for (const path of [storePath, requestPath]) {
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(statSync(path).uid).toBe(process.getuid?.());
  }
  for (const said of [
    Buffer.alloc(0),
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    Buffer.concat([Buffer.from([0, 0, 0, 37, 1, 0, 0, 0, 0]), Buffer.alloc(32)]),
  ]) {
    const socket = connect({ path: storePath });
    let heard = 0;
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.length;
    });
    socket.on('error', () => {});
    socket.end(said);
    await once(socket, 'close');
    expect(heard).toBe(0);
  }
  for (const header of [undefined, 'x.y', `${'A'.repeat(43)}.e30`]) {
    const sent = requestHttp({
      socketPath: requestPath,
      path: MAPS,
      headers: {
        authorization: 'Bearer admin-token',
        ...(header === undefined ? {} : { 'x-listwatch-connection': header }),
      },
    }).end();
    await expect(once(sent, 'response')).rejects.toThrow();
  }
});

it('a reader writes nothing of its own', async () => {
  await expect(links[0]?.engine.commit()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  const before = await engine.revision();
  const link = linkReader(host.ticket, backgroundClock);
  const reader = createProcessServer({ engine: link.engine, ...options, reader: link.reader });
  await reader.start();
  await reader.close();
  await link.close();
  expect(await engine.revision()).toBe(before);
});

it('health is that of the reader: it is not ready without its primary', async () => {
  expect((await ask(0, '/readyz')).json.text).toBe('ok');
  expect((await ask(0, '/readyz?verbose')).json.text).toContain('watch-cache ok');
});

it('a command runs at the kubelet of its Pod behind a reader, and the port of the readers is no kubelet', async () => {
  await using kubelet = await startStreamPeer({ certificate: authority.server(), onConnection: runCommand });
  const server = readers[1]?.url ?? '';
  await using cluster = await connectCluster({ server, caData: authority.ca, token: 'admin-token' });
  for (const [name, port] of [
    ['near', kubelet.port],
    ['self', firstReader()?.port],
  ] as const) {
    const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
    const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: port } } };
    const spec = { nodeName: name, containers: [{ name: 'c', image: 'i' }] };
    const merge = { 'content-type': 'application/merge-patch+json' };
    expect((await ask(0, '/api/v1/nodes', { method: 'POST', body: { metadata: { name } } })).status).toBe(201);
    const patch = { method: 'PATCH', headers: merge, body: { status } };
    expect((await ask(0, `/api/v1/nodes/${name}/status`, patch)).status).toBe(200);
    const pod = { metadata: { name }, spec };
    expect((await ask(0, '/api/v1/namespaces/default/pods', { method: 'POST', body: pod })).status).toBe(201);
  }
  const session = await exec(cluster, { name: 'near' }, { command: ['cat'], stdin: 'hello' });
  expect(await session.output()).toEqual({ code: 0, stdout: 'hello', stderr: '' });
  await expect(exec(cluster, { name: 'self' }, { command: ['cat'] })).rejects.toMatchObject({
    message: 'address not allowed',
  });
});
