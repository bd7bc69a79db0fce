import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../../start/in-process-server.fixture.ts';
import { HookedServer, HookServer, patchOf } from './hook-server.fixture.ts';

let hooked: HookedServer;

beforeAll(async () => {
  hooked = await HookedServer.start();
});

afterAll(async () => {
  await hooked[Symbol.asyncDispose]();
});

const maps = (namespace: string, name = ''): string =>
  `/api/v1/namespaces/${namespace}/configmaps${name === '' ? '' : `/${name}`}`;
const PATCH = { type: 'application/merge-patch+json' };
const label = (key: string): ReturnType<typeof patchOf> =>
  patchOf({ op: 'add', path: '/metadata/labels', value: { [key]: 'yes' } });

/** Adds to a value of the object. */
function append({ request }: Json): ReturnType<typeof patchOf> {
  return patchOf({ op: 'add', path: '/data/k', value: `${request.object.data.k}+` });
}

/** Counts its calls in the object. */
function count(key: string): (review: Json) => ReturnType<typeof patchOf> {
  return ({ request }) => patchOf({ op: 'add', path: `/data/${key}`, value: `${request.object.data[key] ?? ''}1` });
}

function conditions(...expressions: readonly string[]): object {
  return { matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })) };
}

describe('a validating webhook', () => {
  it('is sent the whole request in the order of its fields, and only then is the object stored', async () => {
    const ns = await hooked.namespace();
    const { server, hook } = hooked;
    await hooked.configure('Validating', hooked.hookOf(ns, 'a', { timeoutSeconds: 7 }));
    const user = { name: 'eve', uid: 'u', groups: ['system:masters'], extra: { 'example.com/x': ['1'] } };
    await server.ok('POST', `${maps(ns)}?fieldManager=me`, { metadata: { name: 'a' }, data: { k: 'v' } }, { user });
    const [{ request, query, headers } = { request: {}, query: '', headers: {} }] = hook.calls;
    expect(query).toBe('?timeout=7s');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json, */*',
      'user-agent': 'kube-apiserver-admission',
    });
    expect(Object.keys(request)).toEqual([
      'uid',
      'kind',
      'resource',
      'requestKind',
      'requestResource',
      'name',
      'namespace',
      'operation',
      'userInfo',
      'object',
      'oldObject',
      'dryRun',
      'options',
    ]);
    expect(request).toMatchObject({
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      requestResource: { group: '', version: 'v1', resource: 'configmaps' },
      name: 'a',
      namespace: ns,
      operation: 'CREATE',
      userInfo: {
        username: 'eve',
        uid: 'u',
        groups: ['system:masters', 'system:authenticated'],
        extra: { 'example.com/x': ['1'] },
      },
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'me' },
    });
    expect(Object.keys(request.object.metadata)).toEqual(
      expect.arrayContaining(['name', 'namespace', 'uid', 'creationTimestamp', 'managedFields']),
    );
  });

  it('refuses with the Status that it gives, whatever its failure policy', async () => {
    const ns = await hooked.namespace();
    hooked.hook.answers['a'] = {
      allowed: false,
      status: { code: 418, message: 'no tea', reason: 'Teapot', details: { retryAfterSeconds: 3 } },
      warnings: ['hot', 'hot', ''],
    };
    await hooked.configure('Validating', hooked.hookOf(ns, 'a', { failurePolicy: 'Ignore' }));
    const { status, headers, body } = await hooked.create(ns, 'a');
    expect([status, headers['retry-after'], headers['warning']]).toEqual([418, '3', '299 - "hot"']);
    expect(body).toMatchObject({
      status: 'Failure',
      reason: 'Teapot',
      message: 'admission webhook "a.hook.example.com" denied the request: no tea',
    });
    expect((await hooked.server.ask('GET', maps(ns, 'a'))).status).toBe(404);
  });

  it.each([
    [{}, 400, 'without explanation'],
    [{ status: { reason: 'Forbidden' } }, 400, ': Forbidden'],
    [{ status: { code: 200, message: 'x' } }, 400, ': x'],
  ])('that answers %j refuses with %i and says %s', async (answer, code, end) => {
    const ns = await hooked.namespace();
    hooked.hook.answers['a'] = answer;
    await hooked.configure('Validating', hooked.hookOf(ns, 'a'));
    const { status, body } = await hooked.create(ns, 'a');
    expect([status, body.message.endsWith(end)]).toEqual([code, true]);
  });

  it('sees updates with both objects, deletes with the old one, and no name for each of a collection', async () => {
    const ns = await hooked.namespace();
    const { server, hook } = hooked;
    await hooked.configure('Validating', hooked.hookOf(ns, 'a'));
    for (const name of ['a', 'b', 'c']) await hooked.create(ns, name);
    await server.ok('PATCH', maps(ns, 'a'), { data: { k: 'w' } }, PATCH);
    await server.ok('DELETE', maps(ns, 'a'), { propagationPolicy: 'Background' });
    await server.ok('DELETE', maps(ns));
    const seen = hook.calls
      .slice(3)
      .map(({ request: { operation, name, object, oldObject, options } }) => [
        operation,
        name,
        object?.data ?? null,
        oldObject.data,
        options.kind,
      ]);
    expect(seen).toEqual([
      ['UPDATE', 'a', { k: 'w' }, { k: 'v' }, 'UpdateOptions'],
      ['DELETE', 'a', null, { k: 'w' }, 'DeleteOptions'],
      ['DELETE', undefined, null, { k: 'v' }, 'DeleteOptions'],
      ['DELETE', undefined, null, { k: 'v' }, 'DeleteOptions'],
    ]);
    expect(hook.calls[4]?.request.options.propagationPolicy).toBe('Background');
  });

  it('that refuses one object of a collection ends its deletion there', async () => {
    const ns = await hooked.namespace();
    hooked.hook.answers['a'] = ({ request }: Json) => ({ allowed: request.oldObject.metadata.name !== 'b' });
    await hooked.configure(
      'Validating',
      hooked.hookOf(ns, 'a', {
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['configmaps'] }],
      }),
    );
    for (const name of ['a', 'b', 'c']) await hooked.create(ns, name);
    expect((await hooked.server.ask('DELETE', maps(ns))).status).toBe(400);
    const left = await hooked.server.ok('GET', maps(ns));
    expect(left.items.map(({ metadata }: Json) => metadata.name)).toEqual(['b', 'c']);
  });

  it('sees every part of an object, evictions, tokens and connections by their own kinds', async () => {
    const ns = await hooked.namespace();
    const { server, hook } = hooked;
    const rules = [
      {
        apiGroups: ['', 'apps'],
        apiVersions: ['v1'],
        operations: ['*'],
        resources: ['pods/*', 'deployments/*', 'serviceaccounts/token'],
      },
    ];
    const at = (path: string, group = '/api/v1'): string => `${group}/namespaces/${ns}/${path}`;
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await server.ok('POST', at('pods'), pod);
    await server.ok('POST', at('serviceaccounts'), { metadata: { name: 'sa' } });
    const template = { metadata: { labels: { a: 'b' } }, spec: pod.spec };
    const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
    await server.ok('POST', at('deployments', '/apis/apps/v1'), deployment);
    await hooked.configure('Validating', hooked.hookOf(ns, 'a', { rules }));
    await server.ok('PATCH', at('pods/p/status'), { status: { message: 'm' } }, PATCH);
    await server.ok('PATCH', at('deployments/d/scale', '/apis/apps/v1'), { spec: { replicas: 3 } }, PATCH);
    await server.ok('POST', at('serviceaccounts/sa/token'), { spec: {} });
    await server.ask('POST', at('pods/p/exec?command=ls&stdout=true'));
    await server.ok('POST', at('pods/p/eviction'), { metadata: { name: 'p' } });
    const seen = hook.calls.map(({ request: { kind, resource, subResource, operation } }) =>
      [operation, kind.kind, `${resource.resource}/${subResource ?? ''}`].join(' '),
    );
    expect(seen).toEqual([
      'UPDATE Pod pods/status',
      'UPDATE Scale deployments/scale',
      'CREATE TokenRequest serviceaccounts/token',
      'CONNECT PodExecOptions pods/exec',
      'CREATE Eviction pods/eviction',
    ]);
    const [, scale, , exec] = hook.calls.map(({ request }) => request);
    expect([scale.object.spec, scale.oldObject.spec]).toEqual([{ replicas: 3 }, { replicas: 1 }]);
    expect(exec.object).toEqual({ kind: 'PodExecOptions', apiVersion: 'v1', stdout: true, command: ['ls'] });
    expect([exec.options, exec.dryRun]).toEqual([null, false]);
  });

  it('is not asked about what its own configuration is made of', async () => {
    const ns = await hooked.namespace();
    hooked.hook.answers['all'] = { allowed: false };
    const rules = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }];
    const objectSelector = { matchLabels: { only: ns } };
    const path = await hooked.configure(
      'Validating',
      hooked.hookOf(ns, 'all', { rules, objectSelector, namespaceSelector: {} }),
    );
    const labelled = { metadata: { name: `${ns}-x`, labels: { only: ns } } };
    const made = await hooked.server.ask('POST', path.slice(0, path.lastIndexOf('/')), { ...labelled, webhooks: [] });
    expect(made.status).toBe(201);
    const role = { metadata: { name: `${ns}-x`, labels: { only: ns } } };
    expect((await hooked.server.ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', role)).status).toBe(400);
    expect((await hooked.server.ask('DELETE', path)).status).toBe(200);
  });
});

describe('a mutating webhook', () => {
  it('changes what is stored, and owns none of it', async () => {
    const ns = await hooked.namespace();
    hooked.hook.answers['a'] = label('x');
    await hooked.configure('Mutating', hooked.hookOf(ns, 'a'));
    const { body } = await hooked.create(ns, 'a');
    expect(body.metadata.labels).toEqual({ x: 'yes' });
    expect(JSON.stringify(body.metadata.managedFields)).not.toContain('f:x');
  });

  it('sees neither the uid nor the name that the server makes; a validating one sees both', async () => {
    const ns = await hooked.namespace();
    await hooked.configure('Mutating', hooked.hookOf(ns, 'm'));
    await hooked.configure('Validating', hooked.hookOf(ns, 'v'));
    await hooked.server.ok('POST', maps(ns), { metadata: { generateName: 'g-' } });
    const [first, second] = hooked.hook.calls.map(({ request }) => request);
    expect([first.name, Object.keys(first.object.metadata)]).toEqual([
      undefined,
      ['generateName', 'namespace', 'managedFields'],
    ]);
    expect(second.name).toMatch(/^g-/u);
    expect(second.object.metadata.uid).toBeDefined();
  });

  it('sees what those before it have changed: configurations by name, webhooks in their order', async () => {
    const ns = await hooked.namespace();
    for (const path of ['a', 'b', 'c']) hooked.hook.answers[path] = append;
    await hooked.configure('Mutating', hooked.hookOf(ns, 'a'), hooked.hookOf(ns, 'b'));
    await hooked.configure('Mutating', hooked.hookOf(ns, 'c'));
    const { body } = await hooked.create(ns, 'x');
    expect([body.data.k, hooked.hook.paths]).toEqual(['v+++', ['a', 'b', 'c']]);
  });

  it('with IfNeeded is called once more after a later change, and never for its own', async () => {
    const ns = await hooked.namespace();
    hooked.hook.answers['first'] = count('first');
    hooked.hook.answers['last'] = count('last');
    const again = { reinvocationPolicy: 'IfNeeded' };
    await hooked.configure('Mutating', hooked.hookOf(ns, 'first', again), hooked.hookOf(ns, 'last'));
    const { body } = await hooked.create(ns, 'x');
    expect(hooked.hook.paths).toEqual(['first', 'last', 'first']);
    expect(body.data).toEqual({ k: 'v', first: '11', last: '1' });
    hooked.hook.calls.length = 0;
    hooked.hook.answers['last'] = { allowed: true };
    await hooked.create(ns, 'y');
    expect(hooked.hook.paths).toEqual(['first', 'last']);
  });

  it('gets the defaults of the kind back, and built-in plugins look at what it adds', async () => {
    const ns = await hooked.namespace();
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];
    hooked.hook.answers['a'] = patchOf({
      op: 'add',
      path: '/spec/containers/-',
      value: { name: 'side', image: 'i' },
    });
    const limits = { limits: [{ type: 'Container', default: { cpu: '1' } }] };
    await hooked.server.ok('POST', `/api/v1/namespaces/${ns}/limitranges`, { metadata: { name: 'l' }, spec: limits });
    await hooked.server.ok('GET', `/api/v1/namespaces/${ns}/limitranges`);
    await hooked.configure('Mutating', hooked.hookOf(ns, 'a', { rules }));
    const made = await hooked.server.ok('POST', `/api/v1/namespaces/${ns}/pods`, {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    expect(made.spec.containers[1]).toMatchObject({
      name: 'side',
      imagePullPolicy: 'Always',
      resources: { limits: { cpu: '1' }, requests: { cpu: '1' } },
    });
  });

  it.each([
    [patchOf({ op: 'remove', path: '/data/none' }), "error in remove for path: '/data/none': Unable to remove"],
    [patchOf({ op: 'test', path: '/data/k', value: 'x' }), 'testing value /data/k failed: test failed'],
    [patchOf({ op: 'add', path: '/data', value: 'text' }), 'json: cannot unmarshal string into Go struct field'],
    [
      patchOf({ op: 'replace', path: '/apiVersion', value: 'v2' }),
      'no kind "ConfigMap" is registered for version "v2"',
    ],
  ])('whose patch %j does not apply fails the request, whatever its failure policy', async (answer, message) => {
    const ns = await hooked.namespace();
    hooked.hook.answers['a'] = answer;
    await hooked.configure('Mutating', hooked.hookOf(ns, 'a', { failurePolicy: 'Ignore' }));
    const { status, body } = await hooked.create(ns, 'a');
    expect([status, body.message]).toEqual([500, expect.stringContaining(`Internal error occurred: ${message}`)]);
  });

  it('may rename a new object, but not move it to another namespace', async () => {
    const ns = await hooked.namespace();
    hooked.hook.answers['a'] = patchOf({ op: 'replace', path: '/metadata/name', value: 'other' });
    await hooked.configure('Mutating', hooked.hookOf(ns, 'a'));
    expect((await hooked.create(ns, 'x')).body.metadata.name).toBe('other');
    hooked.hook.answers['a'] = patchOf({ op: 'replace', path: '/metadata/namespace', value: 'default' });
    const { status, body } = await hooked.create(ns, 'y');
    expect([status, body.message]).toEqual([400, expect.stringContaining('does not match the namespace')]);
  });

  it('is called for an invalid object and a stale update, which validating ones never see', async () => {
    const ns = await hooked.namespace();
    await hooked.configure('Mutating', hooked.hookOf(ns, 'm'));
    await hooked.configure('Validating', hooked.hookOf(ns, 'v'));
    expect((await hooked.create(ns, 'a', { data: { 'bad key': '' } })).status).toBe(422);
    expect(hooked.hook.paths).toEqual(['m']);
    await hooked.create(ns, 'a');
    hooked.hook.calls.length = 0;
    const stale = { metadata: { name: 'a', resourceVersion: '1' } };
    expect((await hooked.server.ask('PUT', maps(ns, 'a'), stale)).status).toBe(409);
    expect(hooked.hook.paths).toEqual(['m']);
    hooked.hook.calls.length = 0;
    expect((await hooked.create(ns, 'a')).status).toBe(409);
    expect(hooked.hook.paths).toEqual(['m', 'v']);
  });
});

describe('the calls of a webhook', () => {
  it('are counted and timed by the names of Kubernetes, and listed for people', async () => {
    const ns = await hooked.namespace();
    const name = `${ns}.hook.example.com`;
    hooked.hook.answers['a'] = { allowed: false, status: { code: 403 } };
    await hooked.configure('Validating', hooked.hookOf(ns, 'a', { name }));
    await hooked.create(ns, 'a');
    const { body } = await hooked.server.ask('GET', '/metrics');
    const labels = `name="${name}",operation="CREATE"`;
    for (const line of [
      `apiserver_admission_webhook_admission_duration_seconds_count{${labels},rejected="true",type="validating"} 1`,
      `apiserver_admission_webhook_request_total{code="403",${labels},rejected="true",type="validating"} 1`,
      `apiserver_admission_webhook_rejection_count{error_type="no_error",${labels},rejection_code="403",type="validating"} 1`,
    ]) {
      expect(body).toContain(line);
    }
    const { webhooks } = await hooked.server.ok('GET', '/debug/webhooks');
    const [own] = webhooks.filter((one: Json) => one.name === name);
    expect(own).toMatchObject({ type: 'validating', calls: 1, refused: 1, failed: 0, inFlight: 0, waiting: 0 });
    // The console shows the slowest of them.
    const overview = await hooked.server.ok('GET', '/debug/overview');
    expect(overview.webhooks).toEqual(webhooks.slice(0, 20));
  });
});

describe('which webhook is called', () => {
  it('says the namespace by its labels now, the object by its labels before and after', async () => {
    const ns = await hooked.namespace();
    const namespaceSelector = { matchLabels: { watched: ns } };
    const objectSelector = { matchLabels: { mine: 'yes' } };
    const more = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': ns } }, objectSelector };
    await hooked.configure('Validating', hooked.hookOf(ns, 'ns', { namespaceSelector }), hooked.hookOf(ns, 'o', more));
    await hooked.create(ns, 'a');
    expect(hooked.hook.paths).toEqual([]);
    await hooked.server.ok('PATCH', `/api/v1/namespaces/${ns}`, { metadata: { labels: { watched: ns } } }, PATCH);
    await hooked.server.ok('GET', '/api/v1/namespaces');
    await hooked.create(ns, 'b', { metadata: { name: 'b', labels: { mine: 'yes' } } });
    expect([...hooked.hook.paths].toSorted()).toEqual(['ns', 'o']);
    hooked.hook.calls.length = 0;
    await hooked.server.ok('PATCH', maps(ns, 'b'), { metadata: { labels: { mine: null } } }, PATCH);
    await hooked.server.ok('PATCH', maps(ns, 'b'), { data: { k: 'w' } }, PATCH);
    expect([...hooked.hook.paths].toSorted()).toEqual(['ns', 'ns', 'o']);
  });

  it('says conditions: one that is false leaves it out, one that fails refuses unless failures are ignored', async () => {
    const ns = await hooked.namespace();
    const failing = 'object.data.nope == "x"';
    const path = await hooked.configure('Validating', hooked.hookOf(ns, 'a', conditions('object.data.k == "v"')));
    await hooked.create(ns, 'a');
    await hooked.create(ns, 'b', { data: { k: 'w' } });
    expect(hooked.hook.calls.map(({ request }) => request.name)).toEqual(['a']);
    await hooked.server.ok('DELETE', path);
    await hooked.configure('Validating', hooked.hookOf(ns, 'a', conditions(failing, 'request.name == "other"')));
    expect((await hooked.create(ns, 'c')).status).toBe(201);
    await hooked.configure('Validating', hooked.hookOf(ns, 'a', conditions(failing)));
    const { status, body } = await hooked.create(ns, 'd');
    expect([status, body.message]).toEqual([
      403,
      `configmaps "d" is forbidden: expression '${failing}' resulted in error: no such key: nope`,
    ]);
  });

  it('converts to the version that its rule names, and the patch back', async () => {
    const ns = await hooked.namespace();
    const group = '/apis/autoscaling';
    const rules = [
      { apiGroups: ['autoscaling'], apiVersions: ['v1'], operations: ['*'], resources: ['horizontalpodautoscalers'] },
    ];
    hooked.hook.answers['a'] = patchOf({ op: 'replace', path: '/spec/targetCPUUtilizationPercentage', value: 33 });
    await hooked.configure(
      'Mutating',
      hooked.hookOf(ns, 'a', { rules }),
      hooked.hookOf(ns, 'exact', { rules, matchPolicy: 'Exact' }),
    );
    const target = { type: 'Utilization', averageUtilization: 70 };
    const made = await hooked.server.ok('POST', `${group}/v2/namespaces/${ns}/horizontalpodautoscalers`, {
      metadata: { name: 'h' },
      spec: {
        maxReplicas: 5,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
      },
    });
    const [{ request } = { request: {} }] = hooked.hook.calls;
    expect(hooked.hook.paths).toEqual(['a']);
    expect([request.kind.version, request.requestKind.version, request.object.apiVersion]).toEqual([
      'v1',
      'v2',
      'autoscaling/v1',
    ]);
    expect([made.apiVersion, made.spec.metrics[0].resource.target.averageUtilization]).toEqual(['autoscaling/v2', 33]);
  });
});

describe('the connections', () => {
  it('are kept over HTTP/1.1 and are HTTP/2 to this machine where it is spoken', async () => {
    const ns = await hooked.namespace();
    await using modern = await HookServer.start({ http2: true });
    await using old = await HookServer.start();
    await hooked.configure(
      'Validating',
      hooked.hookOf(ns, 'a', { clientConfig: modern.at('a') }),
      hooked.hookOf(ns, 'b', { clientConfig: old.at('b') }),
    );
    for (const name of ['a', 'b', 'c']) expect((await hooked.create(ns, name)).status).toBe(201);
    expect([modern.connections, modern.calls.map(({ version }) => version)]).toEqual([1, ['2.0', '2.0', '2.0']]);
    expect([old.connections, old.calls.map(({ version }) => version)]).toEqual([1, ['1.1', '1.1', '1.1']]);
  });

  it('go to a Service under its name, and say when it has no endpoint', async () => {
    const ns = await hooked.namespace();
    const { server, hook } = hooked;
    const services = '/api/v1/namespaces/default/services';
    const ports = [{ name: 'https', port: 443 }];
    await server.ok('POST', services, { metadata: { name: 'none' }, spec: { ports, clusterIP: 'None' } });
    const outside = { type: 'ExternalName', externalName: '127.0.0.1' };
    await server.ok('POST', services, { metadata: { name: 'hook' }, spec: outside });
    await server.ok('GET', services);
    const at = (name: string, port = 443): object => ({
      clientConfig: { service: { namespace: 'default', name, port, path: '/a' }, caBundle: hook.caBundle },
    });
    const path = await hooked.configure('Validating', hooked.hookOf(ns, 'a', at('hook', hook.port)));
    expect((await hooked.create(ns, 'a')).status).toBe(201);
    expect(hook.calls[0]?.headers.host).toBe(`hook.default.svc:${hook.port}`);
    await server.ok('DELETE', path);
    await hooked.configure('Validating', hooked.hookOf(ns, 'a', at('none')));
    const { status, body } = await hooked.create(ns, 'b');
    const words = 'Post "https://none.default.svc:443/a?timeout=10s": no endpoints available for service "none"';
    expect([status, body.message]).toEqual([500, expect.stringContaining(words)]);
  });
});

describe('a large write', () => {
  it('is shown to webhooks and changed by them, in the thread that works on it', async () => {
    await using large = await HookedServer.start({ largeWriteBytes: 0 });
    const ns = await large.namespace();
    large.hook.answers['m'] = label('x');
    large.hook.answers['v'] = ({ request }: Json) => ({ allowed: request.object.metadata.labels?.x === 'yes' });
    const again = { reinvocationPolicy: 'IfNeeded' };
    await large.configure('Mutating', large.hookOf(ns, 'first', again), large.hookOf(ns, 'm'));
    await large.configure('Validating', large.hookOf(ns, 'v'));
    const { status, body } = await large.create(ns, 'a', { data: { k: 'v'.repeat(20_000) } });
    expect([status, body.metadata?.labels, large.hook.paths]).toEqual([
      201,
      { x: 'yes' },
      ['first', 'm', 'first', 'v'],
    ]);
    large.hook.answers['m'] = { allowed: true };
    const refused = await large.server.ask('PATCH', maps(ns, 'a'), { metadata: { labels: null } }, PATCH);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('denied the request')]);
  }, 60_000);
});
