import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CustomServer, pathOf, specSchema, widget, widgets } from '../src/crd/custom-server.fixture.ts';
import { BUILT_IN_KINDS } from '../src/kinds/built-in-definitions.fixture.ts';
import { InProcessServer, type Json } from '../src/start/in-process-server.fixture.ts';
import { damagedBodies } from './damage/damaged-bodies.ts';
import { doubledLists, filledBody } from './damage/filled-body.ts';
import { WHOLE_BODIES } from './kind-bodies/whole-bodies.ts';
import { KINDS_NAMESPACE, type KindRequest } from './kind-side.ts';
import { kindOf, titled } from './kind-sides.ts';
import { placeOf, storyOf } from './kind-story.ts';

/** Damaged bodies of each kind: all of them take minutes, and their rules are tested elsewhere. */
const SAMPLES = 1;

const FORMS = [
  'application/yaml',
  'application/vnd.kubernetes.protobuf,application/json',
  'application/json;as=Table;g=meta.k8s.io;v=v1',
  'application/yaml;as=Table;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
];

/** A metric: the worker has done something. */
const JOBS = /^listwatch_compute_jobs_total\{[^}]*\} [1-9]/mu;

/** Two servers: one does all work on the main thread, the other all in its worker. */
let here: InProcessServer;
let there: InProcessServer;

async function both(...request: Parameters<InProcessServer['ask']>): Promise<readonly Json[]> {
  return Promise.all([here, there].map(async (server) => seen(await server.ask(...request))));
}

/** The answer without what is chosen at random. */
function seen({ status, headers, body }: Awaited<ReturnType<InProcessServer['ask']>>): Json {
  const text = (typeof body === 'string' ? body : JSON.stringify(body))
    // YAML quotes those that look like numbers.
    .replaceAll(/"?[0-9a-f]{8}-[0-9a-f-]{27}"?/gu, 'UID')
    .replaceAll(/10\.(?:96|97|98|99|1[01]\d)\.\d+\.\d+/gu, 'IP')
    .replaceAll(/"((?:health|node)[a-z]*port)":3\d{4}/giu, '"$1":PORT')
    .replaceAll(/17000000\d{8}/gu, 'VERSION');
  return { status, warning: headers['warning'], text };
}

async function same(request: KindRequest, what = ''): Promise<void> {
  const { method, path, headers = {}, body } = request;
  const type = headers['content-type'] ?? 'application/json';
  const [one, other] = await both(method, path, body, {
    type,
    ...(headers['accept'] && { accept: headers['accept'] }),
  });
  expect([what, method, path, other]).toEqual([what, method, path, one]);
}

beforeAll(async () => {
  [here, there] = await Promise.all([
    InProcessServer.start({ largeWriteBytes: Infinity }),
    InProcessServer.start({ largeWriteBytes: 0 }),
  ]);
  await both('POST', '/api/v1/namespaces', { metadata: { name: KINDS_NAMESPACE } });
});

afterAll(async () => {
  await Promise.all([here, there].map((server) => server[Symbol.asyncDispose]()));
});

describe.each(titled(WHOLE_BODIES))('large writes of %s', (_, body) => {
  it('get the answers that small ones get', async () => {
    const kind = kindOf(body);
    const definition = BUILT_IN_KINDS.find(({ data }) => data.type === kind.type);
    if (definition === undefined) throw new Error(`there is no kind ${kind.type}`);
    for (const request of storyOf(body, kind)) if (request.method !== 'GET') await same(request);
    const { collection, name, object } = placeOf(body);
    const whole = { ...object, ...(body.status === undefined ? {} : { status: body.status }) };
    const filled = filledBody(definition.schemas.set, kind.type, whole);
    const all = [...damagedBodies(definition.schemas.set, kind.type, whole)];
    const bodies = [
      { damage: 'every list twice', object: doubledLists(whole) },
      { damage: 'every field', object: filled },
      // From the middle: the first fields are metadata, which all kinds share.
      ...all.slice(Math.floor(all.length / 2)).slice(0, SAMPLES),
    ];
    for (const { damage, object: sent } of bodies) {
      await same({ method: 'POST', path: `${collection}?dryRun=All`, body: sent }, damage);
      await same({ method: 'PUT', path: `${collection}/${name}`, body: sent }, damage);
    }
  });
});

const inSpace = (rest: string): string => `/api/v1/namespaces/limited/${rest}`;
const pod = (name: string, fields: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...fields },
});

describe('large writes', () => {
  it('are admitted by what the caches know: limits, classes, quotas, levels of security, nodes', async () => {
    await both('POST', '/api/v1/namespaces', {
      metadata: { name: 'limited', labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } },
    });
    const limits = [{ type: 'Container', default: { cpu: '1' }, max: { cpu: '2' } }];
    await both('POST', inSpace('limitranges'), { metadata: { name: 'l' }, spec: { limits } });
    await both('POST', '/api/v1/nodes', { metadata: { name: 'n', labels: { 'topology.kubernetes.io/zone': 'z' } } });
    await both('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'high' }, value: 7 });
    await both('POST', inSpace('resourcequotas'), {
      metadata: { name: 'q' },
      spec: { hard: { pods: '3', configmaps: '1', 'limits.cpu': '4' } },
    });
    await both('PUT', inSpace('resourcequotas/q/status'), {
      metadata: { name: 'q' },
      status: {
        hard: { pods: '3', configmaps: '1', 'limits.cpu': '4' },
        used: { pods: '0', configmaps: '0', 'limits.cpu': '0' },
      },
    });
    const [one] = await both('POST', inSpace('pods'), pod('a', { priorityClassName: 'high', nodeName: 'n' }));
    expect(one.status).toBe(201);
    for (const part of ['"cpu":"1"', '"priority":7', '"topology.kubernetes.io/zone":"z"'])
      expect(one.text).toContain(part);
    const requests: readonly KindRequest[] = [
      { method: 'POST', path: inSpace('pods'), body: pod('b', { priorityClassName: 'high', nodeName: 'n' }) },
      { method: 'POST', path: inSpace('pods'), body: pod('c', { priorityClassName: 'none' }) },
      { method: 'POST', path: inSpace('pods'), body: pod('d', { hostNetwork: true }) },
      { method: 'POST', path: inSpace('pods'), body: pod('e', { nodeName: 'nowhere' }) },
      { method: 'POST', path: inSpace('pods'), body: pod('f') },
      { method: 'POST', path: inSpace('configmaps'), body: { metadata: { name: 'a' } } },
      { method: 'POST', path: inSpace('configmaps'), body: { metadata: { name: 'b' } } },
      { method: 'GET', path: inSpace('resourcequotas/q') },
      {
        method: 'POST',
        path: inSpace('services'),
        body: { metadata: { name: 's' }, spec: { type: 'NodePort', ports: [{ port: 1 }] } },
      },
      {
        method: 'POST',
        path: inSpace('services'),
        body: { metadata: { name: 't' }, spec: { clusterIP: '1.2.3.4', ports: [{ port: 1 }] } },
      },
      { method: 'POST', path: '/api/v1/namespaces/missing/configmaps', body: { metadata: { name: 'a' } } },
      {
        method: 'PATCH',
        path: '/api/v1/namespaces/limited',
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } },
      },
    ];
    for (const request of requests) await same(request);
  });

  it('that lose a compare, or a name that was made, are done again', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    await both('POST', path, { metadata: { name: 'raced' } });
    const patched = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        there.ask('PATCH', `${path}/raced`, { data: { [`k${index}`]: 'v' } }, { type: 'application/merge-patch+json' }),
      ),
    );
    expect(patched.map(({ status }) => status)).toEqual(patched.map(() => 200));
    const made = await there.ok('GET', `${path}/raced`);
    expect(Object.keys(made.data)).toHaveLength(20);
    const names = await Promise.all(
      Array.from({ length: 20 }, () => there.ok('POST', path, { metadata: { generateName: 'made-' } })),
    );
    expect(new Set(names.map(({ metadata }) => metadata.name)).size).toBe(20);
    await same({ method: 'POST', path, body: { metadata: { name: 'raced' } } });
  });

  it('reach the watch cache with their labels and fields', async () => {
    await there.ok('POST', '/api/v1/namespaces/default/pods', {
      ...pod('seen'),
      metadata: { name: 'seen', labels: { a: 'b' } },
    });
    const query = 'labelSelector=a%3Db&fieldSelector=status.phase%3DPending';
    const { items } = await there.ok('GET', `/api/v1/namespaces/default/pods?${query}`);
    expect(items).toHaveLength(1);
  });

  it('and reads are answered in YAML, protobuf and tables as small ones are', async () => {
    const path = '/api/v1/namespaces/default/pods';
    const spec = { containers: [{ name: 'c', image: 'i' }], nodeName: 'forms-node' };
    const labels = { forms: 'a' };
    for (const accept of FORMS) {
      const metadata = { name: 'forms', labels };
      await same({ method: 'POST', path, headers: { accept }, body: { metadata, spec } }, accept);
      await same({ method: 'GET', path: `${path}/forms`, headers: { accept } }, accept);
      await same({ method: 'POST', path, body: { metadata: { name: 'second', labels }, spec } }, accept);
      // Other tests leave pods whose names are made.
      await same({ method: 'GET', path: `${path}?labelSelector=forms`, headers: { accept } }, accept);
      await same({ method: 'DELETE', path: `${path}/second?gracePeriodSeconds=0` }, accept);
      await same({ method: 'DELETE', path: `${path}/forms?gracePeriodSeconds=0` }, accept);
    }
    expect((await there.ask('GET', '/metrics')).body).toMatch(JOBS);
  });

  it('of custom kinds get the same answers: defaults, pruning, rules, status, scale, versions, strict fields', async () => {
    const group = 'large.example.com';
    const schema = {
      openAPIV3Schema: specSchema(
        {
          a: { type: 'string', default: 'x', maxLength: 10 },
          replicas: { type: 'integer' },
          list: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k'],
            items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: { type: 'integer' } } },
          },
        },
        { 'x-kubernetes-validations': [{ rule: 'self.a != "bad"', message: 'not bad' }] },
      ),
    };
    const subresources = {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    };
    const definition = widgets(group, { schema, subresources });
    definition.spec.versions.push({ ...definition.spec.versions[0], name: 'v2', storage: false });
    const customs = await Promise.all([
      CustomServer.start({ largeWriteBytes: Infinity }),
      CustomServer.start({ largeWriteBytes: 0 }),
    ]);
    const before = [here, there];
    try {
      await Promise.all(customs.map((server) => server.install(definition)));
      [here, there] = [customs[0] ?? here, customs[1] ?? there];
      const path = pathOf(group);
      const patch = (type: string, sent: unknown, at = '/w'): KindRequest => ({
        method: 'PATCH',
        path: `${path}${at}?fieldManager=m`,
        headers: { 'content-type': type },
        body: sent,
      });
      const requests: readonly KindRequest[] = [
        { method: 'POST', path, body: widget(group, 'w', { spec: { replicas: 1, list: [{ k: 'a', v: 1 }], odd: 1 } }) },
        { method: 'POST', path: `${path}?fieldValidation=Strict`, body: widget(group, 'x', { spec: { odd: 1 } }) },
        { method: 'POST', path, body: widget(group, 'x', { spec: { a: 'bad' } }) },
        {
          method: 'POST',
          path,
          body: widget(group, 'x', { spec: { a: 'longer than ten', list: [{ k: 'a' }, { k: 'a' }] } }),
        },
        { method: 'POST', path, body: { ...widget(group, 'x'), kind: 'Other' } },
        { method: 'PUT', path: `${path}/w`, body: widget(group, 'w', { spec: { replicas: 2 } }) },
        ...FORMS.map((accept) => ({ method: 'GET', path: `${path}/w`, headers: { accept } })),
        patch('application/merge-patch+json', { spec: { replicas: 3 } }),
        patch('application/json-patch+json', [{ op: 'add', path: '/spec/a', value: 'y' }]),
        patch('application/apply-patch+yaml', widget(group, 'w', { spec: { a: 'z', list: [{ k: 'b', v: 2 }] } })),
        patch('application/apply-patch+yaml', widget(group, 'new', { spec: { a: 'z' } }), '/new'),
        patch('application/merge-patch+json', { status: { replicas: 3 } }, '/w/status'),
        patch('application/merge-patch+json', { spec: { replicas: 5 } }, '/w/scale'),
        { method: 'GET', path: `${path}/w/scale` },
        {
          method: 'PUT',
          path: `${path}/w/scale`,
          body: {
            apiVersion: 'autoscaling/v1',
            kind: 'Scale',
            metadata: { name: 'w', namespace: 'default' },
            spec: { replicas: 6 },
          },
        },
        { method: 'POST', path: pathOf(group, '', 'v2'), body: widget(group, 'second', { spec: { a: 'q' } }, 'v2') },
        { method: 'GET', path: `${path}/second` },
        { method: 'GET', path: `${path}/w` },
      ];
      for (const request of requests) await same(request);
    } finally {
      [here, there] = [before[0] ?? here, before[1] ?? there];
      await Promise.all(customs.map((server) => server[Symbol.asyncDispose]()));
    }
  });

  it('of custom kinds have texts of any length matched, and small objects with a long text are large writes', async () => {
    const group = 'texts.example.com';
    const name = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$' };
    const schema = { openAPIV3Schema: specSchema({ name }) };
    await using server = await CustomServer.start({ engine: createMemoryEngine() });
    await server.install(widgets(group, { schema }));
    const create = async (object: string, text: string): Promise<number> =>
      (await server.ask('POST', pathOf(group), widget(group, object, { spec: { name: text } }))).status;
    expect(await create('short', 'a.b')).toBe(201);
    expect((await server.ask('GET', '/metrics')).body).not.toMatch(JOBS);
    // Smaller than `largeWriteBytes`.
    expect(await create('medium', `${'a.'.repeat(3000)}b`)).toBe(201);
    expect((await server.ask('GET', '/metrics')).body).toMatch(JOBS);
    expect(await create('long', `${'a.'.repeat(200_000)}b`)).toBe(201);
    expect(await create('wrong', 'a.'.repeat(200_000))).toBe(422);
  });

  it('are refused with 429 when too many wait, and end with their server', async () => {
    const clock = new FakeClock();
    const server = await InProcessServer.start({ engine: createMemoryEngine({ clock }), clock, largeWriteBytes: 0 });
    const body = { metadata: { generateName: 'm-' } };
    const asked = Array.from({ length: 130 }, () => server.ask('POST', '/api/v1/namespaces/default/configmaps', body));
    const refused = await Promise.race(asked);
    expect(refused).toMatchObject({ status: 429, body: { reason: 'TooManyRequests' } });
    await server[Symbol.asyncDispose]();
    const codes = new Set((await Promise.all(asked)).map(({ status }) => status));
    expect([...codes].filter((code) => ![201, 429, 503].includes(code))).toEqual([]);
  });
});
