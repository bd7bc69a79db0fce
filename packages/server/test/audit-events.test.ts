import { readFileSync } from 'node:fs';
import { createMemoryEngine, type GetResult, type ReadOptions } from '@listwatch/storage';
import { ForwardingEngine } from '@listwatch/storage/internal';
import { describe, expect, it } from 'vitest';
import { AuditedServer, type Json } from './audited-server.fixture.ts';

const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, fields: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { k: 'v' },
  ...fields,
});

/** The events of one request. */
async function eventsOf(
  rule: object,
  ask: (server: AuditedServer) => Promise<unknown>,
  options: object = {},
): Promise<readonly Json[]> {
  await using server = await AuditedServer.start({ rules: [rule], ...options });
  await ask(server);
  return await server.events('it');
}

const ID = { 'audit-id': 'it' };

/** Fails in a way that no engine may. */
class BrokenEngine extends ForwardingEngine {
  override get(key: string, options?: ReadOptions): Promise<GetResult> {
    if (key.endsWith('/x')) throw new RangeError('out of order');
    return super.get(key, options);
  }
}

/** Fails for one verb. */
const failing = (failed: string) => ({
  authorizer: {
    authorize: ({ verb }: { readonly verb: string }) => {
      if (verb === failed) throw new RangeError('out of order');
      return { allowed: true } as const;
    },
  },
});

describe('an audit event', () => {
  it('of level Metadata has who, what, when and the result, and no objects', async () => {
    const events = await eventsOf({ level: 'Metadata' }, (server) =>
      server.ask('POST', `${CONFIGMAPS}?a=b&c=d`, configMap('a'), { ...ID, 'user-agent': 'probe/1.0' }),
    );
    const common = {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      auditID: 'it',
      requestURI: `${CONFIGMAPS}?a=b&c=d`,
      verb: 'create',
      user: { username: 'ada', uid: 'a1', groups: ['system:masters', 'system:authenticated'] },
      sourceIPs: ['127.0.0.1'],
      userAgent: 'probe/1.0',
      requestReceivedTimestamp: '2023-11-14T22:13:20.000000Z',
      stageTimestamp: '2023-11-14T22:13:20.000000Z',
    };
    const objectRef = { resource: 'configmaps', namespace: 'default', apiVersion: 'v1' };
    expect(events).toEqual([
      { ...common, stage: 'RequestReceived', objectRef },
      {
        ...common,
        stage: 'ResponseComplete',
        objectRef: { ...objectRef, name: 'a' },
        responseStatus: { metadata: {}, code: 201 },
        annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
      },
    ]);
    expect(Object.keys(events[1]).join(' ')).toBe(
      'kind apiVersion level auditID stage requestURI verb user sourceIPs userAgent objectRef responseStatus ' +
        'requestReceivedTimestamp stageTimestamp annotations',
    );
  });

  it('of level Request has the object decoded and with its defaults, without what the server adds', async () => {
    const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'b' }, more: 1 };
    const rule = { level: 'Request', omitStages: ['RequestReceived'] };
    const [event] = await eventsOf(rule, (server) =>
      server.ask('POST', '/api/v1/namespaces/default/secrets', body, ID),
    );
    expect(event.requestObject).toEqual({
      kind: 'Secret',
      apiVersion: 'v1',
      metadata: { name: 's' },
      data: { a: 'Yg==' },
      type: 'Opaque',
    });
    expect(event.responseObject).toBeUndefined();
  });

  it('of a large object has its name and the object, also when it is refused', async () => {
    const rule = { level: 'Request', omitStages: ['RequestReceived'] };
    await using server = await AuditedServer.start({ rules: [rule] });
    const data = { k: 'x'.repeat(20_000) };
    await server.ask('POST', CONFIGMAPS, { ...configMap('a'), data }, ID);
    await server.ask('POST', CONFIGMAPS, { ...configMap('Bad_Name'), data }, ID);
    const events = await server.events('it');
    expect(events.map(({ objectRef, responseStatus }) => [objectRef.name, responseStatus.code])).toEqual([
      ['a', 201],
      ['Bad_Name', 422],
    ]);
    expect(events[1].requestObject).toEqual({ ...configMap('Bad_Name'), data });
  });

  it.each([
    ['in JSON', 'application/json', false],
    ['as indented JSON', 'application/json', true],
    ['in YAML', 'application/yaml', false],
    ['in protobuf', 'application/vnd.kubernetes.protobuf', false],
  ])('of level RequestResponse has the object of an answer %s', async (_form, accept, pretty) => {
    const events = await eventsOf({ level: 'RequestResponse' }, (server) =>
      server.ask('POST', `${CONFIGMAPS}${pretty ? '?pretty=true' : ''}`, configMap('a'), { ...ID, accept }),
    );
    expect(events).toHaveLength(2);
    expect(events[1].responseObject).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } });
  });

  it('has a list whole, and leaves out one that is too long', async () => {
    await using server = await AuditedServer.start({ rules: [{ level: 'RequestResponse', verbs: ['list'] }] });
    for (let i = 0; i < 4; i += 1) {
      const data = { k: 'x'.repeat(i === 0 ? 10 : 900_000) };
      await server.ask('POST', CONFIGMAPS, { ...configMap(`c-${i}`), data });
      if (i === 0) await server.ask('GET', CONFIGMAPS, undefined, { 'audit-id': 'short' });
    }
    const long = await server.ask('GET', CONFIGMAPS, undefined, { 'audit-id': 'long' });
    expect(long.text.length).toBeGreaterThan(2_700_000);
    await server.ask('POST', CONFIGMAPS, { ...configMap('c-4'), data: { k: 'x'.repeat(900_000) } });
    const longer = await server.ask('GET', CONFIGMAPS, undefined, { 'audit-id': 'longer' });
    expect(JSON.parse(longer.text).items).toHaveLength(5);
    const last = (await server.events()).filter(({ stage }) => stage === 'ResponseComplete');
    const listed = last.map((event: Json) => [event.auditID, event.responseObject?.items.length]);
    expect(listed).toEqual([
      ['short', 1],
      ['long', 4],
      ['longer', undefined],
    ]);
    expect(last.at(-1).annotations['audit.k8s.io/truncated']).toBe('true');
  });

  it('keeps integers that a double cannot hold, and is escaped as Go does it', async () => {
    const text = '{"metadata":{"generation":9007199254740993}}';
    await using server = await AuditedServer.start({ rules: [{ level: 'Request' }] });
    await server.ask('POST', CONFIGMAPS, configMap('a'));
    const headers = { ...ID, 'content-type': 'application/merge-patch+json' };
    await server.ask('PATCH', `${CONFIGMAPS}/a?fieldManager=m&pretty=false`, text, headers);
    await server.events();
    const written = readFileSync(server.path, 'utf8');
    expect(written).toContain(`"requestObject":${text}`);
    expect(written).toContain(String.raw`/a?fieldManager=m\u0026pretty=false"`);
  });

  it('leaves managed fields out where the rule says so: of objects, lists and Tables', async () => {
    const rule = { level: 'RequestResponse', omitManagedFields: true };
    await using server = await AuditedServer.start({ rules: [rule] });
    const { text } = await server.ask('POST', CONFIGMAPS, configMap('a'), { 'user-agent': 'm' });
    expect(text).toContain('managedFields');
    const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    await server.ask('GET', `${CONFIGMAPS}?includeObject=Object`, undefined, { accept: table });
    await server.ask('GET', CONFIGMAPS);
    const shown = (await server.events()).flatMap(({ responseObject }) => responseObject ?? []);
    expect(shown.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Table', 'ConfigMapList']);
    expect(JSON.stringify(shown)).not.toContain('managedFields');
    expect(shown[2].items[0].metadata.name).toBe('a');
  });

  it('has a patch as it was sent, and an apply in YAML as JSON', async () => {
    await using server = await AuditedServer.start({ rules: [{ level: 'Request', verbs: ['patch'] }] });
    const apply = 'application/apply-patch+yaml';
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n';
    await server.ask('PATCH', `${CONFIGMAPS}/a?fieldManager=m`, yaml, { ...ID, 'content-type': apply });
    const json = '[ {"op": "remove",\n "path": "/data/k"} ]';
    await server.ask('PATCH', `${CONFIGMAPS}/a`, json, { ...ID, 'content-type': 'application/json-patch+json' });
    const broken = await server.ask('PATCH', `${CONFIGMAPS}/a`, '{"data":', {
      ...ID,
      'content-type': 'application/merge-patch+json',
    });
    expect(broken.status).toBe(400);
    const done = (await server.events('it')).filter(({ stage }) => stage === 'ResponseComplete');
    expect(done.map(({ requestObject }) => requestObject)).toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } },
      [{ op: 'remove', path: '/data/k' }],
      undefined,
    ]);
  });

  it('has the options of a delete, and no object that could not be decoded', async () => {
    await using server = await AuditedServer.start({ rules: [{ level: 'Request', omitStages: ['RequestReceived'] }] });
    await server.ask('POST', CONFIGMAPS, '{"kind":"ConfigMap",', ID);
    await server.ask('POST', CONFIGMAPS, configMap('a'));
    await server.ask('DELETE', `${CONFIGMAPS}/a`, { propagationPolicy: 'Background' }, ID);
    const events = await server.events('it');
    expect(events.map(({ requestObject }) => requestObject)).toEqual([
      undefined,
      { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal', propagationPolicy: 'Background' },
    ]);
    expect(events[1].responseStatus).toMatchObject({ status: 'Success', details: { name: 'a' }, code: 200 });
  });

  it('says why a request was allowed or refused', async () => {
    await using server = await AuditedServer.start({
      rules: [{ level: 'Metadata', omitStages: ['RequestReceived'] }],
      authorizer: {
        authorize: ({ verb }) =>
          verb === 'get' ? { allowed: true, reason: 'by a binding' } : { allowed: false, reason: 'by nobody' },
      },
    });
    await server.ask('GET', `${CONFIGMAPS}/a`, undefined, ID);
    await server.ask('GET', CONFIGMAPS, undefined, ID);
    const events = await server.events('it');
    expect(events.map(({ annotations }) => Object.values(annotations))).toEqual([
      ['allow', 'by a binding'],
      ['forbid', 'by nobody'],
    ]);
    expect(events[1].responseStatus).toMatchObject({ reason: 'Forbidden', code: 403 });
  });

  it('names the real user and the one that was acted as', async () => {
    const headers = { ...ID, 'impersonate-user': 'bob', 'impersonate-group': 'g' };
    const events = await eventsOf({ level: 'Metadata', users: ['ada'] }, (server) =>
      server.ask('GET', CONFIGMAPS, undefined, headers),
    );
    expect(events[0].impersonatedUser).toBeUndefined();
    expect(events[1]).toMatchObject({
      user: { username: 'ada' },
      impersonatedUser: { username: 'bob', groups: ['g', 'system:authenticated'] },
      authenticationMetadata: { impersonationConstraint: 'impersonate:user-info' },
    });
  });

  it('of a request that nobody can be found for is one, without a user', async () => {
    const events = await eventsOf({ level: 'RequestResponse' }, (server) =>
      server.ask('GET', CONFIGMAPS, undefined, { ...ID, authorization: 'Bearer nope' }),
    );
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      stage: 'ResponseStarted',
      user: {},
      responseStatus: { message: 'Unauthorized', code: 401 },
      responseObject: { kind: 'Status', code: 401 },
    });
    expect(events[0].annotations).toBeUndefined();
  });

  it('of a failure that the server did not foresee has the stage Panic', async () => {
    const events = await eventsOf(
      { level: 'Metadata', omitStages: ['RequestReceived'] },
      (server) => server.ask('GET', `${CONFIGMAPS}/x`, undefined, ID),
      { server: { engine: new BrokenEngine(createMemoryEngine()) } },
    );
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      stage: 'Panic',
      responseStatus: { message: "APIServer panic'd: RangeError: out of order", reason: 'InternalError', code: 500 },
    });
  });

  it('of a request that no authorizer could decide has the reason internal error', async () => {
    const events = await eventsOf(
      { level: 'Metadata', omitStages: ['RequestReceived'] },
      (server) => server.ask('GET', CONFIGMAPS, undefined, ID),
      failing('list'),
    );
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      stage: 'ResponseComplete',
      responseStatus: { code: 500 },
      annotations: { 'authorization.k8s.io/reason': 'internal error' },
    });
  });

  it('tells the token that was issued', async () => {
    await using server = await AuditedServer.start({ rules: [{ level: 'Metadata' }] });
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await server.ask('POST', accounts, { metadata: { name: 'x' }, kind: 'ServiceAccount', apiVersion: 'v1' });
    await server.ask('POST', `${accounts}/x/token`, {}, ID);
    const events = await server.events('it');
    expect(events[1].annotations['authentication.kubernetes.io/issued-credential-id']).toMatch(/^JTI=[0-9a-f-]{36}$/u);
  });
});

/** What marks a deprecated API in an event. */
const mark = ({ stage, annotations, responseStatus }: Json): unknown => [
  stage,
  responseStatus.code,
  annotations['k8s.io/deprecated'],
  annotations['k8s.io/removed-release'],
];

describe('a deprecated API', () => {
  const ENDPOINTS = '/api/v1/namespaces/default/endpoints';
  const rules = [{ level: 'Metadata', omitStages: ['RequestReceived'] }];

  it('is marked, also where the object is missing; another version, a refusal and a wrong method are not', async () => {
    await using server = await AuditedServer.start({ rules });
    const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
    await server.ask('GET', ENDPOINTS);
    await server.ask('GET', `${ENDPOINTS}/none`);
    await server.ask('GET', '/api/v1/componentstatuses');
    await server.ask('GET', slices);
    await server.ask('GET', ENDPOINTS, undefined, { authorization: 'Bearer bob-token' });
    await server.ask('PUT', ENDPOINTS);
    expect((await server.events()).map(mark)).toEqual([
      ['ResponseComplete', 200, 'true', undefined],
      ['ResponseComplete', 404, 'true', undefined],
      ['ResponseComplete', 200, 'true', undefined],
      ['ResponseComplete', 200, undefined, undefined],
      ['ResponseComplete', 403, undefined, undefined],
      ['ResponseComplete', 405, undefined, undefined],
    ]);
  });

  it('is marked when a watch ends, and the event of its beginning does not have it yet', async () => {
    await using server = await AuditedServer.start({ rules });
    const watching = server.ask('GET', `${ENDPOINTS}?watch=1&timeoutSeconds=1`);
    await expect.poll(() => readFileSync(server.path, 'utf8')).toContain('ResponseStarted');
    await server.server.close();
    await watching;
    expect((await server.events()).map(mark)).toEqual([
      ['ResponseStarted', 200, undefined, undefined],
      ['ResponseComplete', 200, 'true', undefined],
    ]);
  });
});

describe('a watch', () => {
  it('has an event when it is asked for, when it begins and when it ends', async () => {
    await using server = await AuditedServer.start({ rules: [{ level: 'RequestResponse', verbs: ['watch'] }] });
    const watching = server.ask('GET', `${CONFIGMAPS}?watch=true&timeoutSeconds=1&resourceVersion=0`, undefined, ID);
    await expect.poll(() => readFileSync(server.path, 'utf8')).toContain('ResponseStarted');
    await server.server.close();
    await watching;
    const events = await server.events('it');
    expect(events.map(({ stage, responseStatus }) => [stage, responseStatus?.code])).toEqual([
      ['RequestReceived', undefined],
      ['ResponseStarted', 200],
      ['ResponseComplete', 200],
    ]);
    expect(events.some(({ responseObject }) => responseObject !== undefined)).toBe(false);
  });
});

describe('what a client makes up', () => {
  it('a user agent of a million characters is cut', async () => {
    const events = await eventsOf({ level: 'Metadata' }, (server) =>
      server.ask('GET', '/version', undefined, { ...ID, 'user-agent': 'u'.repeat(1_000_000) }),
    );
    expect(events[0].userAgent).toBe(`${'u'.repeat(1024)}...TRUNCATED`);
  });

  it('a line end in a header, a path or an object makes no second line', async () => {
    const forged = '\n{"kind":"Event","auditID":"forged"}\n';
    await using server = await AuditedServer.start({ rules: [{ level: 'RequestResponse' }] });
    await server.ask('POST', CONFIGMAPS, configMap('a', { data: { k: forged } }), { 'user-agent': forged });
    await server.ask('GET', `/version?${forged}`, undefined, { 'audit-id': forged });
    await server.ask('GET', '/version', undefined, { 'impersonate-user': forged, 'x-forwarded-for': forged });
    const events = await server.events();
    expect(events.length).toBeGreaterThan(5);
    expect(events.map(({ auditID }) => auditID)).not.toContain('forged');
    expect(events[1].responseObject.data.k).toBe(forged);
  });

  it('addresses of proxies count when they are addresses, and the last one is that of the connection', async () => {
    const headers = { ...ID, 'x-forwarded-for': '9.9.9.9, nonsense, ::ffff:8.8.8.8', 'x-real-ip': '7.7.7.7' };
    const events = await eventsOf({ level: 'Metadata' }, (server) => server.ask('GET', '/version', undefined, headers));
    expect(events[0].sourceIPs).toEqual(['9.9.9.9', '8.8.8.8', '7.7.7.7', '127.0.0.1']);
  });
});
