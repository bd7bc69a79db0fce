import { EventEmitter } from 'node:events';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { TestAuthority } from '@listwatch/conformance/parts';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserInfo } from '../src/contract/api-request.ts';
import { Backend, json } from './backend.fixture.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const WAIT = { timeout: 30_000, interval: 20 };
const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
/** Twice as many as the server answers at one time. */
const PLACES = 40;
const ROOT: UserInfo = { name: 'root', groups: ['system:masters', 'system:authenticated'] };
const THINGS = '/apis/ext.example.com/v1/namespaces/default/things';

const proxies = new TestAuthority('front-proxy-ca');
let client = proxies.client('/CN=front-proxy-client');
const backend = new Backend({ clientCa: proxies.ca });
let target: TestServer;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look at it
  readonly body: any;
}

async function ask(
  method: string,
  path: string,
  { body, headers = {}, user = ROOT }: { body?: unknown; headers?: Record<string, string>; user?: UserInfo } = {},
): Promise<Answer> {
  const sent = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const response = await target.server.handle(
    { method, path, headers: { ...(sent && { 'content-type': type }), ...headers }, body: sent },
    { user },
  );
  let text = '';
  for await (const part of response.body) text += Buffer.from(part).toString();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  return { status: response.status, headers: response.headers, text, body: parsed };
}

async function ok(method: string, path: string, body?: unknown): Promise<Answer['body']> {
  const answer = await ask(method, path, { body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

const apiService = (spec: object = {}): object => ({
  metadata: { name: 'v1.ext.example.com' },
  spec: {
    group: 'ext.example.com',
    version: 'v1',
    groupPriorityMinimum: 2000,
    versionPriority: 10,
    caBundle: backend.caBundle,
    service: { namespace: 'default', name: 'ext', port: backend.port },
    ...spec,
  },
});

const externalName = { metadata: { name: 'ext' }, spec: { type: 'ExternalName', externalName: 'localhost' } };

async function available(name = 'v1.ext.example.com'): Promise<Answer['body']> {
  return (await ok('GET', `${SERVICES}/${name}`)).status.conditions?.[0];
}

async function passes(name?: string): Promise<void> {
  await vi.waitFor(async () => expect(await available(name)).toMatchObject({ status: 'True', reason: 'Passed' }), WAIT);
}

async function fails(reason: string, message?: unknown): Promise<void> {
  await vi.waitFor(
    async () => expect(await available()).toMatchObject({ status: 'False', reason, ...(message ? { message } : {}) }),
    WAIT,
  );
}

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

beforeAll(async () => {
  await backend.listen();
  target = await startTestServer(createMemoryEngine(), {
    aggregation: {
      proxyClient: () => client,
      proxyClientCa: proxies.ca,
      maxRequestsPerBackend: PLACES,
      requestHeader: { usernameHeaders: ['X-Remote-User', 'X-Own-User'] },
    },
    maxReadsInFlight: PLACES / 2,
  });
});
afterAll(async () => {
  await target[Symbol.asyncDispose]();
  await backend.close();
  expect(target.unforeseen).toEqual([]);
});

describe('local APIServices', () => {
  it('exist for each built-in version with the priorities of kube-apiserver', async () => {
    const { items } = await ok('GET', `${SERVICES}?labelSelector=kube-aggregator.kubernetes.io/automanaged=onstart`);
    const shown = items.map(({ metadata, spec }: Answer['body']) => [
      metadata.name,
      spec.groupPriorityMinimum,
      spec.versionPriority,
    ]);
    expect(shown).toContainEqual(['v1.', 18_000, 1]);
    expect(shown).toContainEqual(['v2.autoscaling', 17_500, 30]);
    expect(shown).toContainEqual(['v1.resource.k8s.io', 16_200, 21]);
    expect(shown.map(([name]: string[]) => name)).not.toContain('v1.apiregistration.k8s.io');
    expect(items[0].status.conditions[0]).toMatchObject({
      type: 'Available',
      status: 'True',
      reason: 'Local',
      message: 'Local APIServices are always available',
    });
  });

  it('are available as soon as they are created', async () => {
    const spec = { group: 'here.example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 };
    const made = await ok('POST', SERVICES, {
      metadata: { name: 'v1.here.example.com' },
      spec,
      status: { conditions: [] },
    });
    expect(made.status.conditions).toMatchObject([{ type: 'Available', status: 'True', reason: 'Local' }]);
    await ok('DELETE', `${SERVICES}/v1.here.example.com`);
  });

  it('take their group out of /apis when they are deleted, and its paths stay', async () => {
    await ok('DELETE', `${SERVICES}/v1.policy`);
    await vi.waitFor(async () => {
      const { groups } = await ok('GET', '/apis');
      expect(groups.map(({ name }: { name: string }) => name)).not.toContain('policy');
    }, WAIT);
    expect((await ask('GET', '/apis/policy/v1/poddisruptionbudgets')).status).toBe(200);
  });

  it('of custom kinds come back when somebody deletes them', async () => {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    await ok('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'cogs.gear.example.com' },
      spec: {
        group: 'gear.example.com',
        scope: 'Namespaced',
        names: { plural: 'cogs', kind: 'Cog' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    const path = `${SERVICES}/v1.gear.example.com`;
    await vi.waitFor(async () => expect((await ask('GET', path)).status).toBe(200), WAIT);
    const { metadata } = await ok('GET', path);
    await ok('DELETE', path);
    await vi.waitFor(async () => {
      const again = await ok('GET', path);
      expect(again.metadata.uid).not.toBe(metadata.uid);
      expect(again.spec).toMatchObject({ groupPriorityMinimum: 1000, versionPriority: 100 });
    }, WAIT);
  });
});

describe('availability', () => {
  it('says which step fails, and answers 503 in plain text meanwhile', async () => {
    const made = await ok('POST', SERVICES, apiService());
    expect(made.status).toEqual({});
    await fails('ServiceNotFound', 'service/ext in "default" is not present');
    const refused = await ask('GET', THINGS);
    expect([refused.status, refused.text, refused.headers['content-type']]).toEqual([
      503,
      'service unavailable\n',
      'text/plain; charset=utf-8',
    ]);
    const spec = { ports: [{ name: 'a', port: 443 }] };
    await ok('POST', '/api/v1/namespaces/default/services', { metadata: { name: 'ext' }, spec });
    await fails('ServicePortError', `service/ext in "default" is not listening on port ${backend.port}`);
    await ok('PATCH', '/api/v1/namespaces/default/services/ext', {
      spec: { ports: [{ name: 'a', port: backend.port }] },
    });
    await fails('EndpointsNotFound', 'cannot find endpointslices for service/ext in "default"');
    await ok('POST', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
      metadata: { name: 'ext-1', labels: { 'kubernetes.io/service-name': 'ext' } },
      addressType: 'IPv4',
      ports: [{ name: 'b', port: 1 }],
      endpoints: [{ addresses: ['192.0.2.1'] }],
    });
    await fails('MissingEndpoints', 'endpointslices for service/ext in "default" have no addresses with port name "a"');
    await ok('DELETE', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/ext-1');
    await ok('DELETE', '/api/v1/namespaces/default/services/ext');
    await ok('POST', '/api/v1/namespaces/default/services', externalName);
    await passes();
    expect(backend.seen.find(({ url }) => url === '/apis/ext.example.com/v1')).toMatchObject({
      client: 'front-proxy-client',
      serverName: 'ext.default.svc',
      headers: {
        'x-remote-user': ['system:kube-aggregator'],
        'x-remote-group': ['system:masters'],
        'user-agent': ['Go-http-client/1.1'],
      },
    });
  });

  it('never connects to the port of this server', async () => {
    const port = Number(new URL(target.url).port);
    await ok('POST', SERVICES, {
      metadata: { name: 'v1.self.example.com' },
      spec: {
        group: 'self.example.com',
        version: 'v1',
        groupPriorityMinimum: 1,
        versionPriority: 1,
        insecureSkipTLSVerify: true,
        service: { namespace: 'default', name: 'ext', port },
      },
    });
    await vi.waitFor(
      async () => expect((await available('v1.self.example.com'))?.message).toContain('address not allowed'),
      WAIT,
    );
    await ok('DELETE', `${SERVICES}/v1.self.example.com`);
  });

  it('counts what is not available', async () => {
    const { text } = await ask('GET', '/metrics');
    const lines = text.split('\n').filter((line) => line.includes('name="v1.ext.example.com"'));
    expect(lines).toContain('aggregator_unavailable_apiservice{name="v1.ext.example.com"} 0');
    const counted = lines.filter((line) => line.startsWith('aggregator_unavailable_apiservice_total'));
    expect(counted.join('\n')).toMatch(/reason="ServiceNotFound"\} [1-9]/u);
  });

  it('publishes whom backends may trust', async () => {
    const { data } = await ok('GET', '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication');
    expect(data['requestheader-client-ca-file'].trim()).toBe(proxies.ca.trim());
    expect(data['requestheader-username-headers']).toBe('["X-Remote-User","X-Own-User"]');
    expect(data['requestheader-uid-headers']).toBe('["X-Remote-Uid"]');
    expect(data['requestheader-extra-headers-prefix']).toBe('["X-Remote-Extra-"]');
  });
});

describe('a proxied request', () => {
  beforeEach(() => {
    backend.behaviour = (_, response) => json(response, { kind: 'ThingList', items: [] });
  });

  it('names the user in headers, and keeps credentials and invented names out', async () => {
    const user = {
      name: 'carol',
      uid: 'u-1',
      groups: ['system:masters', 'dev', 'system:authenticated'],
      extra: { 'Foo/bar': ['x'], a: ['1', '2'] },
    };
    const headers = {
      authorization: 'Bearer secret',
      'x-remote-user': 'root',
      'X-Own-User': 'root',
      'x-remote-extra-hat': 'no',
      'x-own': 'kept',
      cookie: 'a=b',
      'x-forwarded-for': '203.0.113.9',
    };
    const answer = await ask('GET', `${THINGS}?b=x%20y&a=1&a=0`, { user, headers });
    expect(answer.status).toBe(200);
    expect(answer.headers['audit-id']).toBe(backend.last?.headers['audit-id']?.[0]);
    expect(backend.last).toMatchObject({
      method: 'GET',
      url: `${THINGS}?a=1&a=0&b=x+y`,
      client: 'front-proxy-client',
      headers: {
        host: [`localhost:${backend.port}`],
        'x-remote-user': ['carol'],
        'x-remote-uid': ['u-1'],
        'x-remote-group': ['system:masters', 'dev', 'system:authenticated'],
        'x-remote-extra-foo%2fbar': ['x'],
        'x-remote-extra-a': ['1', '2'],
        'x-own': ['kept'],
        cookie: ['a=b'],
        'x-forwarded-proto': ['https'],
        'x-forwarded-uri': [THINGS],
        'x-forwarded-host': [`localhost:${backend.port}`],
      },
    });
    const names = Object.keys(backend.last?.headers ?? {});
    for (const name of ['authorization', 'x-remote-extra-hat']) expect(names).not.toContain(name);
    // Backends read in the ConfigMap that this header names the user, too.
    expect(names).not.toContain('x-own-user');
  });

  it('acts for the impersonated user', async () => {
    const headers = { 'impersonate-user': 'dora', 'impersonate-group': 'system:masters', 'impersonate-uid': '7' };
    expect((await ask('GET', THINGS, { headers })).status).toBe(200);
    expect(backend.last?.headers).toMatchObject({ 'x-remote-user': ['dora'], 'x-remote-uid': ['7'] });
    expect(Object.keys(backend.last?.headers ?? {}).some((name) => name.startsWith('impersonate'))).toBe(false);
  });

  it('is refused here when the user has no rights, and the backend is not asked', async () => {
    const before = backend.seen.length;
    const answer = await ask('GET', THINGS, { user: { name: 'carol', groups: ['system:authenticated'] } });
    expect([answer.status, answer.body.message]).toEqual([
      403,
      'things.ext.example.com is forbidden: User "carol" cannot list resource "things" in API group "ext.example.com" in the namespace "default"',
    ]);
    expect(backend.seen.length).toBe(before);
  });

  it.each([
    [418, 'application/json', '{"tea":true}'],
    [404, 'text/plain', 'nothing here'],
    [201, 'application/octet-stream', 'made'],
  ])('passes %i on as it is', async (status, type, text) => {
    backend.behaviour = (_, response) =>
      response.writeHead(status, { 'content-type': type, 'x-backend': 'b', 'cache-control': 'public' }).end(text);
    const answer = await ask('GET', `${THINGS}/x`);
    expect(answer).toMatchObject({ status, text, headers: { 'content-type': type, 'x-backend': 'b' } });
    expect(answer.headers['cache-control']).toBe('no-cache, private');
  });

  it('streams a body of any size', async () => {
    let size = 0;
    backend.behaviour = (request, response) => {
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
      });
      request.on('end', () => json(response, { size }));
    };
    const body = 'x'.repeat(5 * 1024 * 1024);
    const answer = await ask('POST', THINGS, { body });
    expect(answer.body).toEqual({ size: body.length });
  });

  it('may not be redirected', async () => {
    backend.behaviour = (_, response) => response.writeHead(302, { location: 'https://elsewhere/' }).end();
    expect(await ask('GET', THINGS)).toMatchObject({
      status: 502,
      text: 'the backend attempted to redirect this request, which is not permitted\n',
    });
  });

  it('gives the head and each event of a watch as they come', async () => {
    const gate = new EventEmitter();
    backend.behaviour = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      gate.once('open', () => response.write('{"type":"ADDED"}\n'));
    };
    const { status, body, done } = await watch(`${THINGS}?watch=true`);
    expect(status).toBe(200);
    gate.emit('open');
    expect((await body.next()).value?.toString()).toBe('{"type":"ADDED"}\n');
    done();
  });

  it('changes its protocol, and bytes go both ways', async () => {
    backend.upgrade = (request, socket) => {
      const { 'x-forwarded-uri': uri, 'x-remote-user': user } = request.headers;
      const seen = `${String(user)} ${String(uri)}`;
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n${seen}`);
      socket.pipe(socket);
    };
    const { first, socket } = await upgrade(`${THINGS}/x/shell`);
    expect(first).toBe('conformance undefined');
    const echoed = new Promise((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString())));
    socket.write('hello');
    expect(await echoed).toBe('hello');
    socket.destroy();
  });

  it('is a 503 when the backend does not change its protocol, and its own refusal otherwise', async () => {
    backend.upgrade = (_, socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    expect(await refusedUpgrade(`${THINGS}/x/shell`)).toEqual([503, 'invalid upgrade response: status code 200\n']);
    backend.upgrade = (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno');
    expect(await refusedUpgrade(`${THINGS}/x/shell`)).toEqual([403, 'no']);
  });
});

describe('an answer of a backend', () => {
  it('keeps each of its cookies, and drops headers of its connection', async () => {
    backend.behaviour = (_, response) => {
      response.writeHead(200, { 'set-cookie': ['a=1; Path=/', 'b=2'], connection: 'keep-alive, x-hop', 'x-hop': 'no' });
      response.end('ok');
    };
    const seen = await new Promise<Record<string, unknown>>((resolve, reject) => {
      const sent = connection(THINGS, { connection: 'close, x-mine', 'x-mine': 'no', 'x-other': 'yes' });
      sent.on('error', reject).on('response', (response) => {
        resolve(response.resume().headers);
      });
      sent.end();
    });
    expect(seen['set-cookie']).toEqual(['a=1; Path=/', 'b=2']);
    expect(seen).not.toHaveProperty('x-hop');
    expect(backend.last?.headers).toMatchObject({ 'x-other': ['yes'] });
    expect(backend.last?.headers).not.toHaveProperty('x-mine');
  });
});

describe('discovery and OpenAPI', () => {
  it('shows the group of the backend in the order of its priority, with its resources', async () => {
    await vi.waitFor(async () => {
      const { body } = await ask('GET', '/apis', { headers: { accept: AGGREGATED } });
      const group = body.items.find((one: Answer['body']) => one.metadata.name === 'ext.example.com');
      expect(group.versions).toEqual([
        {
          version: 'v1',
          resources: [
            {
              resource: 'things',
              responseKind: { group: '', version: '', kind: 'Thing' },
              scope: 'Namespaced',
              singularResource: 'thing',
              verbs: ['get', 'list', 'watch'],
              subresources: [
                { subresource: 'shell', responseKind: { group: '', version: '', kind: 'Thing' }, verbs: ['create'] },
              ],
            },
          ],
          freshness: 'Current',
        },
      ]);
    }, WAIT);
    const { groups } = await ok('GET', '/apis');
    const names = groups.map(({ name }: { name: string }) => name);
    expect(names[0]).toBe('apiregistration.k8s.io');
    expect(names.indexOf('ext.example.com')).toBeLessThan(names.indexOf('gear.example.com'));
    expect(names.indexOf('ext.example.com')).toBeGreaterThan(names.indexOf('flowcontrol.apiserver.k8s.io'));
    expect(await ok('GET', '/apis/ext.example.com')).toMatchObject({
      preferredVersion: { groupVersion: 'ext.example.com/v1' },
    });
  });

  it('has a group with a version of its own and one of a backend, by priority', async () => {
    await ok('POST', SERVICES, {
      ...apiService({ group: 'gear.example.com', version: 'v2', versionPriority: 200 }),
      metadata: { name: 'v2.gear.example.com' },
    });
    await vi.waitFor(async () => {
      const { versions } = await ok('GET', '/apis/gear.example.com');
      expect(versions.map(({ version }: { version: string }) => version)).toEqual(['v2', 'v1']);
    }, WAIT);
    await ok('DELETE', `${SERVICES}/v2.gear.example.com`);
  });

  it('shows the OpenAPI of a backend that has version 2 alone as version 3', async () => {
    backend.documents = (request, response) =>
      request.url === '/openapi/v2' ? json(response, VERSION_2) : response.writeHead(404).end();
    await ok('PATCH', `${SERVICES}/v1.ext.example.com`, { spec: { caBundle: null, insecureSkipTLSVerify: true } });
    const name = 'apis/ext.example.com/v1';
    await vi.waitFor(async () => {
      const { paths } = await ok('GET', '/openapi/v3');
      expect(paths[name]?.serverRelativeURL).toMatch(/^\/openapi\/v3\/apis\/ext.example.com\/v1\?hash=[0-9A-F]{64}$/u);
    }, WAIT);
    const document = await ok('GET', `/openapi/v3/${name}`);
    const schema = { $ref: '#/components/schemas/com.example.Thing' };
    expect(document).toMatchObject({
      openapi: '3.0.0',
      paths: { [`/${name}/things`]: { get: { responses: { 200: { content: { '*/*': { schema } } } } } } },
    });
    expect(Object.keys(document.paths)).toHaveLength(1);
    expect(Object.keys(document.components.schemas)).toEqual([
      'com.example.Thing',
      'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
    ]);
    await ok('PATCH', `${SERVICES}/v1.ext.example.com`, {
      spec: { caBundle: backend.caBundle, insecureSkipTLSVerify: null },
    });
    await passes();
  });

  it('merges the OpenAPI documents of backends, and takes them out again', async () => {
    backend.documents = (request, response) => {
      const { pathname } = new URL(request.url ?? '', 'https://b');
      const path = 'apis/ext.example.com/v1';
      if (pathname === '/openapi/v3')
        json(response, { paths: { [path]: { serverRelativeURL: `/openapi/v3/${path}?hash=1` } } });
      else if (pathname === `/openapi/v3/${path}`) json(response, { openapi: '3.0.0', from: 'backend' });
      else if (pathname === '/openapi/v2') json(response, VERSION_2);
      else response.writeHead(404).end();
    };
    // Its backend becomes another one, so that its documents are read again.
    await ok('PATCH', `${SERVICES}/v1.ext.example.com`, { spec: { caBundle: null, insecureSkipTLSVerify: true } });
    const name = 'apis/ext.example.com/v1';
    await vi.waitFor(async () => expect((await ok('GET', '/openapi/v3')).paths).toHaveProperty([name]), WAIT);
    expect((await ask('GET', `/openapi/v3/${name}`)).body).toEqual({ openapi: '3.0.0', from: 'backend' });
    const { paths, definitions } = await ok('GET', '/openapi/v2');
    expect(paths[`/${name}/things`].get.responses[200].schema.$ref).toBe('#/definitions/com.example.Thing');
    expect(paths).not.toHaveProperty(['/apis/other.example.com/v1/things']);
    expect(definitions['com.example.Thing'].properties.metadata.$ref).toBe(
      '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta_v2',
    );
    expect(definitions).not.toHaveProperty(['com.example.Unused']);
    await ok('PATCH', `${SERVICES}/v1.ext.example.com`, {
      spec: { caBundle: backend.caBundle, insecureSkipTLSVerify: null },
    });
    await passes();
  });
});

describe('a version of the Service default/kubernetes', () => {
  it('is answered by this server itself', async () => {
    const own = { group: 'gear.example.com', version: 'v1', service: { namespace: 'default', name: 'kubernetes' } };
    const name = 'v1.gear.example.com';
    await ok('PATCH', `${SERVICES}/${name}`, {
      metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': null } },
      spec: { ...own, service: { ...own.service, port: 443 } },
    });
    await passes(name);
    expect((await ask('GET', '/apis/gear.example.com/v1')).status).toBe(200);
    const { body } = await ask('GET', '/apis', { headers: { accept: AGGREGATED } });
    const group = body.items.find((one: Answer['body']) => one.metadata.name === 'gear.example.com');
    expect(group.versions[0]).toMatchObject({
      version: 'v1',
      freshness: 'Current',
      resources: [{ resource: 'cogs' }],
    });
    await ok('DELETE', `${SERVICES}/${name}`);
  });

  it('is not available when this server does not serve it', async () => {
    const name = 'v1.nothing.example.com';
    await ok('POST', SERVICES, {
      metadata: { name },
      spec: {
        group: 'nothing.example.com',
        version: 'v1',
        groupPriorityMinimum: 1,
        versionPriority: 1,
        service: { namespace: 'default', name: 'kubernetes' },
      },
    });
    await vi.waitFor(
      async () => expect(await available(name)).toMatchObject({ status: 'False', reason: 'FailedDiscoveryCheck' }),
      WAIT,
    );
    expect((await ask('GET', '/apis/nothing.example.com/v1')).status).toBe(404);
    await ok('DELETE', `${SERVICES}/${name}`);
  });
});

describe('a backend that misbehaves', () => {
  it('that is cut costs one 503 for each request', async () => {
    backend.behaviour = (request) => request.socket.destroy();
    expect(await ask('GET', THINGS)).toMatchObject({ status: 503, text: 'error trying to reach service: EOF\n' });
  });

  it('that sends less than it promised cuts the answer', async () => {
    backend.behaviour = (request, response) => {
      response.writeHead(200, { 'content-length': '100', 'content-type': 'text/plain' });
      response.write('short', () => request.socket.destroy());
    };
    await expect(ask('GET', `${THINGS}/x`)).rejects.toThrow();
  });

  it('that sends more than it promised is not read beyond, and the next answer is its own', async () => {
    backend.behaviour = (request) => {
      request.socket.write(
        'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil',
      );
    };
    const answer = await ask('GET', `${THINGS}/x`).catch(() => undefined);
    if (answer !== undefined) expect(answer.text).toBe('ok');
    backend.behaviour = (_, response) => response.writeHead(200).end('good');
    expect((await ask('GET', `${THINGS}/x`)).text).toBe('good');
  });

  it('that sends endless headers is a 503', async () => {
    backend.behaviour = (request) => {
      request.socket.write(`HTTP/1.1 200 OK\r\n${'x-a: '.padEnd(1000, 'b')}\r\n`.padEnd(200_000, 'x-c: d\r\n'));
    };
    expect((await ask('GET', `${THINGS}/x`)).status).toBe(503);
  });

  it('that changes the protocol without being asked is a 503, and its connection is closed', async () => {
    const closed: string[] = [];
    backend.behaviour = ({ socket }) => {
      socket.on('close', () => closed.push('answer'));
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: evil\r\n\r\nGET / HTTP/1.1\r\n\r\n',
      );
    };
    const text = 'error trying to reach service: the protocol was changed without being asked for\n';
    expect(await ask('GET', THINGS)).toMatchObject({ status: 503, text });
    await vi.waitFor(() => expect(closed).toEqual(['answer']), WAIT);
  });

  it('that sends interim answers without end is a 503', async () => {
    backend.behaviour = ({ socket }) => {
      const more = (): void => {
        if (!socket.destroyed) socket.write('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(50), more);
      };
      more();
    };
    // A watch has no time limit: it would go on for ever.
    expect(await ask('GET', `${THINGS}?watch=true`)).toMatchObject({
      status: 503,
      text: 'error trying to reach service: too many 1xx answers\n',
    });
    backend.behaviour = (request, response) => {
      request.socket.write('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n');
      response.writeHead(200).end('fine');
    };
    expect((await ask('GET', THINGS)).text).toBe('fine');
  });

  it('that sends trailers without end cuts the answer, and the next one is its own', async () => {
    backend.behaviour = ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n');
      const more = (): void => {
        if (!socket.destroyed) socket.write('x-trailer: y\r\n'.repeat(1000), more);
      };
      more();
    };
    await expect(ask('GET', `${THINGS}/x`)).rejects.toThrow();
    backend.behaviour = (_, response) => {
      response.writeHead(200, { trailer: 'x-sum' });
      response.write('ok');
      response.addTrailers({ 'x-sum': '1' });
      response.end();
    };
    expect((await ask('GET', `${THINGS}/x`)).text).toBe('ok');
  });

  it('that closes idle connections at the moment of their use: reads are asked again, on a new one; writes are not', async () => {
    backend.behaviour = (_, response) => json(response, {});
    // Several connections that stay open.
    await Promise.all(Array.from({ length: 4 }, () => ask('GET', THINGS)));
    const seen: string[] = [];
    const old = new Set<unknown>();
    backend.behaviour = (request, response) => {
      seen.push(request.method ?? '');
      if (!old.has(request.socket) && request.headers.connection !== 'close') return request.socket.destroy();
      return json(response, { fresh: true });
    };
    expect((await ask('GET', THINGS)).body).toEqual({ fresh: true });
    expect(seen).toEqual(['GET', 'GET']);
    expect(await ask('DELETE', `${THINGS}/x`)).toMatchObject({
      status: 503,
      text: 'error trying to reach service: EOF\n',
    });
    expect(seen).toEqual(['GET', 'GET', 'DELETE']);
  });

  it('that says nonsense of its resources spoils the discovery of nobody else', async () => {
    const legacy = backend.discovery;
    const nonsense = [
      'text',
      7,
      { resource: 'things', verbs: 'get', responseKind: 5, shortNames: { a: 1 }, subresources: [{ subresource: 3 }] },
      { resource: { a: 1 } },
    ];
    backend.documents = (request, response) => {
      if (request.url !== '/apis') return response.writeHead(404).end();
      response.writeHead(200, { 'content-type': AGGREGATED });
      const versions = [{ version: 'v1', resources: nonsense }];
      return response.end(JSON.stringify({ items: [null, { metadata: { name: 'ext.example.com' }, versions }] }));
    };
    await ok('PATCH', `${SERVICES}/v1.ext.example.com`, { spec: { caBundle: null, insecureSkipTLSVerify: true } });
    await vi.waitFor(async () => {
      const { body } = await ask('GET', '/apis', { headers: { accept: AGGREGATED } });
      const group = body.items.find((one: Answer['body']) => one.metadata.name === 'ext.example.com');
      expect(group.versions[0].resources).toEqual([
        { resource: 'things', scope: 'Cluster', singularResource: '', verbs: [] },
      ]);
    }, WAIT);
    backend.discovery = legacy;
    await ok('PATCH', `${SERVICES}/v1.ext.example.com`, {
      spec: { caBundle: backend.caBundle, insecureSkipTLSVerify: null },
    });
    await passes();
  });

  it('that hangs uses up its own places, and no other request waits', async () => {
    const hanging: (() => void)[] = [];
    backend.behaviour = (_, response) => void hanging.push(() => json(response, {}));
    const waiting = Promise.allSettled(Array.from({ length: PLACES }, () => ask('GET', THINGS)));
    await vi.waitFor(() => expect(hanging.length).toBe(PLACES), WAIT);
    expect((await ask('GET', THINGS)).status).toBe(429);
    // They are more than the server answers at one time, and hold none of its places.
    expect((await ask('GET', '/api/v1/namespaces')).status).toBe(200);
    for (const answer of hanging) answer();
    const answers = await waiting;
    expect(new Set(answers.map((one) => (one.status === 'fulfilled' ? one.value.status : one.reason)))).toEqual(
      new Set([200]),
    );
  });

  it('that answers discovery with an error is not available, and is again when it recovers', async () => {
    const good = backend.discovery;
    backend.discovery = (_, response) => response.writeHead(500).end();
    await ok('PATCH', '/api/v1/namespaces/default/services/ext', { metadata: { labels: { touched: 'yes' } } });
    const url = `https://localhost:${backend.port}/apis/ext.example.com/v1`;
    await fails('FailedDiscoveryCheck', `failing or missing response from ${url}: bad status from ${url}: 500`);
    const { body } = await ask('GET', '/apis', { headers: { accept: AGGREGATED } });
    const group = body.items.find((one: Answer['body']) => one.metadata.name === 'ext.example.com');
    expect(group.versions[0].freshness).toBe('Stale');
    backend.discovery = good;
    await passes();
  });

  it('whose certificate is of another authority is not available', async () => {
    using other = new TestAuthority('other');
    const caBundle = Buffer.from(other.ca).toString('base64');
    await ok('PATCH', `${SERVICES}/v1.ext.example.com`, { spec: { caBundle } });
    await fails('FailedDiscoveryCheck', expect.stringContaining('tls: failed to verify certificate: x509: '));
    await ok('PATCH', `${SERVICES}/v1.ext.example.com`, {
      spec: { caBundle: Buffer.from('rubbish').toString('base64') },
    });
    await fails('FailedDiscoveryCheck');
    await ok('PATCH', `${SERVICES}/v1.ext.example.com`, { spec: { caBundle: backend.caBundle } });
    await passes();
    backend.behaviour = (_, response) => json(response, {});
    expect((await ask('GET', THINGS)).status).toBe(200);
  });

  it('is shown the next certificate without a restart', async () => {
    backend.behaviour = (_, response) => json(response, {});
    client = proxies.client('/CN=next-proxy');
    expect((await ask('GET', THINGS)).status).toBe(200);
    expect(backend.last?.client).toBe('next-proxy');
  });

  it('is gone with its APIService', async () => {
    await ok('DELETE', `${SERVICES}/v1.ext.example.com`);
    await vi.waitFor(async () => {
      const answer = await ask('GET', THINGS);
      expect([answer.status, answer.text]).toEqual([404, '404 page not found\n']);
    }, WAIT);
    const { groups } = await ok('GET', '/apis');
    expect(groups.map(({ name }: { name: string }) => name)).not.toContain('ext.example.com');
  });
});

const VERSION_2 = {
  paths: {
    '/apis/ext.example.com/v1/things': {
      get: { responses: { 200: { description: 'OK', schema: { $ref: '#/definitions/com.example.Thing' } } } },
    },
    '/apis/other.example.com/v1/things': { get: {} },
  },
  definitions: {
    'com.example.Thing': {
      type: 'object',
      properties: { metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' } },
    },
    'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': { type: 'object', properties: { name: { type: 'integer' } } },
    'com.example.Unused': { type: 'object' },
  },
};

function connection(path: string, headers: Record<string, string>): ReturnType<typeof httpsRequest> {
  const { hostname, port } = new URL(target.url);
  const authorization = `Bearer ${target.token}`;
  return httpsRequest({ hostname, port, path, ca: target.ca, agent: false, headers: { authorization, ...headers } });
}

function watch(path: string): Promise<{ status: number; body: AsyncIterator<Buffer>; done: () => void }> {
  return new Promise((resolve, reject) => {
    const sent = connection(path, {});
    sent.on('error', reject).on('response', (response) => {
      resolve({
        status: response.statusCode ?? 0,
        body: response[Symbol.asyncIterator](),
        done: () => sent.destroy(),
      });
    });
    sent.end();
  });
}

function upgrade(path: string): Promise<{ first: string; socket: Duplex }> {
  return new Promise((resolve, reject) => {
    const sent = connection(path, { connection: 'Upgrade', upgrade: 'echo' });
    sent.on('error', reject).on('upgrade', (_, socket, head: Buffer) => {
      if (head.length > 0) resolve({ first: head.toString(), socket });
      else socket.once('data', (chunk: Buffer) => resolve({ first: chunk.toString(), socket }));
    });
    sent.end();
  });
}

function refusedUpgrade(path: string): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const sent = connection(path, { connection: 'Upgrade', upgrade: 'echo' });
    sent.on('error', reject).on('response', (response) => {
      let text = '';
      response
        .on('data', (chunk: Buffer) => (text += chunk.toString()))
        .on('end', () => resolve([response.statusCode, text]));
    });
    sent.end();
  });
}
