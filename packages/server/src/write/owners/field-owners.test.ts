import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../start/in-process-server.fixture.ts';
import {
  DEPLOYMENTS,
  deployment,
  MAPS,
  MERGE,
  map,
  messageOf,
  OwnerServer,
  owners,
  POD_TEMPLATE,
  STRATEGIC,
  times,
} from './owner.fixture.ts';

let server: OwnerServer;
let count = 0;

beforeAll(async () => {
  server = await OwnerServer.start();
});
afterAll(() => server.server.close());

const fresh = (): string => `t${(count += 1)}`;
const at = (name: string): string => `${MAPS}/${name}`;
const post = (body: Json, manager = 'm'): Promise<Json> => server.ok('POST', `${MAPS}?fieldManager=${manager}`, body);
const put = (name: string, body: Json, manager = 'm'): Promise<Json> =>
  server.ok('PUT', `${at(name)}?fieldManager=${manager}`, body);

const scale = (name: string, spec: object): Json => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name },
  spec,
});

describe('a create', () => {
  it('is owned by its User-Agent, or by the named manager, with all that it sets', async () => {
    const metadata = {
      labels: { l: '1' },
      annotations: { n: '1' },
      finalizers: ['e.com/f'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u1' }],
    };
    const body = map(fresh(), { k: '1' }, metadata);
    const created = await server.ok('POST', MAPS, body, { agent: 'my-tool/v1.2 (linux)' });
    expect(owners(created)).toEqual([
      String.raw`my-tool Update {"f:data":{".":{},"f:k":{}},"f:metadata":{"f:annotations":{".":{},"f:n":{}},"f:finalizers":{".":{},"v:\"e.com/f\"":{}},"f:labels":{".":{},"f:l":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"u1\"}":{}}}}`,
    ]);
    expect(created.metadata.managedFields).toMatchObject([
      { apiVersion: 'v1', fieldsType: 'FieldsV1', time: created.metadata.creationTimestamp },
    ]);
    expect(owners(await server.ok('GET', at(body.metadata.name)))).toEqual(owners(created));
  });

  it('owns the defaults, and neither what admission adds nor what the server allocates', async () => {
    const spec = { selector: { a: 'b' }, ports: [{ name: 't', port: 80 }] };
    const service = await server.ok('POST', '/api/v1/namespaces/default/services', { metadata: { name: 's' }, spec });
    expect(service.spec.clusterIP).toMatch(/^\d/u);
    expect(owners(service)).toEqual([
      String.raw`unknown Update {"f:spec":{"f:internalTrafficPolicy":{},"f:ports":{".":{},"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:name":{},"f:port":{},"f:protocol":{},"f:targetPort":{}}},"f:selector":{},"f:sessionAffinity":{},"f:type":{}}}`,
    ]);
    const pod = await server.ok('POST', '/api/v1/namespaces/default/pods', {
      metadata: { name: 'p' },
      spec: POD_TEMPLATE.spec,
    });
    expect(pod.spec.tolerations).toHaveLength(2);
    expect(owners(pod)).toEqual([
      String.raw`unknown Update {"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}`,
    ]);
  });

  it('owns no value that Go would write by itself', async () => {
    const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
    const zero = await server.ok('POST', classes, { metadata: { name: 'zero' }, value: 0 });
    const five = await server.ok('POST', classes, { metadata: { name: 'five' }, value: 5 });
    expect(owners(zero)[0]).not.toContain('f:value');
    expect(owners(five)[0]).toContain('f:value');
  });

  it('takes given owners and adds the creator; an empty list starts anew', async () => {
    const given = {
      manager: 'z',
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:z': {} } },
    };
    const withGiven = await post(map(fresh(), { k: '1' }, { managedFields: [given] }));
    expect(owners(withGiven)).toEqual(['z Apply {"f:data":{"f:z":{}}}', 'm Update {"f:data":{".":{},"f:k":{}}}']);
    for (const managedFields of [[], [{}]]) {
      const reset = await post(map(fresh(), { k: '1' }, { managedFields }));
      expect(owners(reset)).toEqual(['m Update {"f:data":{".":{},"f:k":{}}}']);
    }
  });

  it('owns a name that the server generates only by its prefix', async () => {
    const body = { metadata: { generateName: 'g-' } };
    expect(owners(await server.ok('POST', MAPS, body))).toEqual([
      'unknown Update {"f:metadata":{"f:generateName":{}}}',
    ]);
  });
});

describe('an update', () => {
  it('owns what it changes, and what it removes has no owner', async () => {
    const name = fresh();
    await post(map(name, { k: '1', l: '1' }));
    const updated = await put(name, map(name, { l: '2', n: '1' }), 'n');
    expect(owners(updated)).toEqual(['m Update {"f:data":{}}', 'n Update {"f:data":{"f:l":{},"f:n":{}}}']);
  });

  it('without a change claims nothing and writes nothing', async () => {
    const name = fresh();
    const created = await post(map(name, { k: '1' }));
    await server.clock.advance(5000);
    expect(await put(name, map(name, { k: '1' }), 'other')).toEqual(created);
    expect(await put(name, created, 'other')).toEqual(created);
  });

  it('without managedFields, or with null, keeps them', async () => {
    const name = fresh();
    await post(map(name, { k: '1' }));
    expect(owners(await put(name, map(name, { k: '1', l: '1' })))).toEqual([
      'm Update {"f:data":{".":{},"f:k":{},"f:l":{}}}',
    ]);
    const kept = await server.merged(at(name), { metadata: { managedFields: null }, data: { l: null } }, 'm');
    expect(owners(kept)).toEqual(['m Update {"f:data":{".":{},"f:k":{}}}']);
  });

  it.each([[[]], [[{}]]])('with %j empties them, and later updates are not tracked', async (managedFields) => {
    const name = fresh();
    const created = await post(map(name, { k: '1' }));
    const reset = await put(name, { ...created, metadata: { ...created.metadata, managedFields }, data: { k: '2' } });
    expect(reset.metadata.managedFields).toBeUndefined();
    const changed = await server.merged(at(name), { data: { l: '1' } });
    expect([changed.data, changed.metadata.managedFields]).toEqual([{ k: '2', l: '1' }, undefined]);
    const applied = await server.applied(at(name), map(name, { z: '1' }));
    expect(owners(applied)).toEqual([
      'a Apply {"f:data":{"f:z":{}}}',
      'before-first-apply Update {"f:data":{".":{},"f:k":{},"f:l":{}}}',
    ]);
    expect((await server.apply(at(name), map(name, { k: '9' }))).body.message).toContain(
      'conflict with "before-first-apply" using v1',
    );
  });

  it.each([
    ['operation', { operation: 'Nonsense' }],
    ['version', { apiVersion: '' }],
    ['type', { fieldsType: 'FieldsV2' }],
    ['set', { fieldsV1: { nonsense: {} } }],
  ])('with an unreadable %s keeps the stored owners', async (_, wrong) => {
    const name = fresh();
    const created = await post(map(name, { k: '1' }));
    const managedFields = [{ ...created.metadata.managedFields[0], manager: 'evil', ...wrong }];
    const sent = { ...created, metadata: { ...created.metadata, managedFields } };
    expect(await put(name, sent)).toEqual(created);
  });

  it('drops unknown keys of a set and entries of unknown versions, and takes the last of two', async () => {
    const name = fresh();
    const created = await post(map(name, { k: '1' }));
    const [entry] = created.metadata.managedFields;
    const managedFields = [
      { ...entry, manager: 'x', fieldsV1: { 'f:data': { 'f:a': {}, 'x:odd': {} } } },
      { ...entry, manager: 'x', fieldsV1: { 'f:data': { 'f:b': {}, 'x:odd': {} } } },
      { ...entry, manager: 'old', apiVersion: 'v0' },
    ];
    const updated = await put(name, { ...created, metadata: { ...created.metadata, managedFields }, data: { k: '2' } });
    expect(owners(updated)).toEqual(['m Update {"f:data":{"f:k":{}}}', 'x Update {"f:data":{"f:b":{}}}']);
  });

  it('with a manager or subresource that is too long is refused', async () => {
    const name = fresh();
    const created = await post(map(name, { k: '1' }));
    const [entry] = created.metadata.managedFields;
    const sent = (change: object): Json => ({
      ...created,
      metadata: { ...created.metadata, managedFields: [{ ...entry, ...change }] },
    });
    const long = await server.ask('PUT', at(name), sent({ manager: 'm'.repeat(200) }));
    expect(messageOf(long)).toEqual([
      422,
      `ConfigMap "${name}" is invalid: metadata.managedFields[0].manager: Too long: may not be more than 128 bytes`,
    ]);
    const sub = await server.ask('PUT', at(name), sent({ subresource: 's'.repeat(257) }));
    expect(sub.body.message).toContain('managedFields[0].subresource: Too long: may not be more than 256 bytes');
  });

  it('moves the time of its manager only', async () => {
    const name = fresh();
    const created = await post(map(name, { k: '1', l: '1' }));
    await server.clock.advance(3000);
    const updated = await put(name, map(name, { k: '2', l: '1' }), 'n');
    expect(times(updated)[0]).toBe(times(created)[0]);
    expect(times(updated)[1]).not.toBe(times(created)[0]);
  });
});

describe('a patch', () => {
  it('owns what it changes: merge, JSON and strategic', async () => {
    const name = fresh();
    await post(map(name, { k: '1' }));
    await server.merged(at(name), { data: { b: '1' } }, 'm');
    const json = [
      { op: 'add', path: '/data/c', value: '2' },
      { op: 'remove', path: '/data/k' },
    ];
    await server.ok('PATCH', `${at(name)}?fieldManager=n`, json, { type: 'application/json-patch+json' });
    const finalizers = { metadata: { finalizers: ['e.com/f'] } };
    const patched = await server.ok('PATCH', `${at(name)}?fieldManager=s`, finalizers, { type: STRATEGIC });
    expect(owners(patched)).toEqual([
      'm Update {"f:data":{".":{},"f:b":{}}}',
      'n Update {"f:data":{"f:c":{}}}',
      String.raw`s Update {"f:metadata":{"f:finalizers":{".":{},"v:\"e.com/f\"":{}}}}`,
    ]);
    const gone = await server.ok(
      'PATCH',
      `${at(name)}?fieldManager=n`,
      [{ op: 'remove', path: '/metadata/finalizers' }],
      {
        type: 'application/json-patch+json',
      },
    );
    expect(owners(gone)).toHaveLength(2);
  });

  it('can change the list of owners itself', async () => {
    const name = fresh();
    await post(map(name, { k: '1' }));
    const renamed = await server.ok(
      'PATCH',
      `${at(name)}?fieldManager=n`,
      [{ op: 'replace', path: '/metadata/managedFields/0/manager', value: 'renamed' }],
      { type: 'application/json-patch+json' },
    );
    expect(owners(renamed)).toEqual(['renamed Update {"f:data":{".":{},"f:k":{}}}']);
  });

  it('by an eleventh manager unites the oldest two', async () => {
    const name = fresh();
    await post(map(name, { k: '1' }), 'm0');
    for (let i = 1; i <= 11; i += 1) {
      await server.clock.advance(1000);
      await server.merged(at(name), { data: { [`k${i}`]: '1' } }, `m${i}`);
    }
    const managers = owners(await server.ok('GET', at(name))).map((owner) => owner.split(' ')[0]);
    expect(managers).toHaveLength(10);
    expect(managers[0]).toBe('ancient-changes');
    expect(managers).not.toContain('m1');
    expect(managers).toContain('m11');
  });

  it('of an atomic list or map takes the whole field', async () => {
    const name = fresh();
    const path = `${DEPLOYMENTS}/${name}`;
    await server.applied(
      path,
      deployment(name, { template: { ...POD_TEMPLATE, spec: { ...POD_TEMPLATE.spec, nodeSelector: { a: '1' } } } }),
    );
    const patched = await server.merged(path, { spec: { template: { spec: { nodeSelector: { b: '2' } } } } });
    expect(owners(patched)[0]).not.toContain('nodeSelector');
    expect(owners(patched)[1]).toBe('u Update {"f:spec":{"f:template":{"f:spec":{"f:nodeSelector":{}}}}}');
  });
});

describe('a subresource', () => {
  it('is owned apart, and resets what it does not write', async () => {
    const name = fresh();
    const path = `${DEPLOYMENTS}/${name}`;
    await server.applied(path, deployment(name));
    const body = { ...deployment(name, { replicas: 9 }), status: { replicas: 4 } };
    body.metadata = { name, labels: { l: '1' }, annotations: { n: '1' } };
    const status = await server.applied(`${path}/status`, body, 'ctl');
    expect([status.spec.replicas, status.metadata.labels, status.metadata.annotations]).toEqual([
      1,
      undefined,
      { n: '1' },
    ]);
    expect(owners(status)[1]).toBe(
      'ctl Apply status {"f:metadata":{"f:annotations":{"f:n":{}}},"f:status":{"f:replicas":{}}}',
    );
    const conflict = await server.apply(`${path}/status`, { ...body, status: { replicas: 5 } }, 'ctl2');
    expect(conflict.body.message).toContain('conflict with "ctl" with subresource "status": .status.replicas');
    const ignored = await server.applied(path, { ...deployment(name), status: { replicas: 7 } }, 'other');
    expect(ignored.status.replicas).toBe(4);
    expect(owners(ignored).filter((owner) => owner.startsWith('other'))[0]).not.toContain('f:status');
    const reset = await server.merged(`${path}/status`, { metadata: { managedFields: [] }, status: { replicas: 6 } });
    expect(owners(reset).map((owner) => owner.split(' ')[0])).toEqual(['a', 'ctl', 'other', 'u']);
  });

  it('of a kind that takes only the status resets all metadata', async () => {
    const classes = '/apis/networking.k8s.io/v1/servicecidrs';
    await server.ok('POST', classes, { metadata: { name: 'c' }, spec: { cidrs: ['10.77.0.0/24'] } });
    const conditions = [
      { type: 'Ready', status: 'True', reason: 'R', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ];
    const changed = await server.merged(`${classes}/c/status`, {
      metadata: { labels: { l: '1' } },
      status: { conditions },
    });
    expect(changed.metadata.labels).toBeUndefined();
    expect(owners(changed).find((owner) => owner.startsWith('u '))).not.toContain('f:labels');
  });

  it('such as resize records all that an apply sends', async () => {
    const name = fresh();
    const pods = '/api/v1/namespaces/default/pods';
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await server.ok('POST', pods, { metadata: { name }, spec });
    const resized = await server.applied(
      `${pods}/${name}/resize`,
      { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { l: '1' } }, spec },
      'r',
      '&force=true',
    );
    expect(owners(resized)[0]).toBe(
      String.raw`r Apply resize {"f:metadata":{"f:labels":{"f:l":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:image":{},"f:name":{}}}}}`,
    );
  });
});

describe('the scale', () => {
  it('takes the replicas from their owner, without a time', async () => {
    const name = fresh();
    const path = `${DEPLOYMENTS}/${name}`;
    await server.applied(path, deployment(name, { replicas: 2 }));
    const same = await server.merged(`${path}/scale`, { spec: { replicas: 2 } }, 'idle');
    expect(same.metadata.managedFields).toBeUndefined();
    await server.ok('PUT', `${path}/scale?fieldManager=hpa`, scale(name, { replicas: 5 }));
    const scaled = await server.ok('GET', path);
    expect(owners(scaled)[0]).not.toContain('f:replicas');
    expect(owners(scaled).slice(1)).toEqual(['hpa Update scale {"f:spec":{"f:replicas":{}}}']);
    expect(scaled.metadata.managedFields[1]).not.toHaveProperty('time');
    expect(scaled.metadata.managedFields[1].apiVersion).toBe('apps/v1');
    const again = await server.apply(path, deployment(name, { replicas: 2 }));
    expect(again.body.message).toBe(
      'Apply failed with 1 conflict: conflict with "hpa" with subresource "scale" using apps/v1: .spec.replicas',
    );
  });

  it('is not tracked by updates while nobody owns the replicas', async () => {
    const name = fresh();
    const path = `${DEPLOYMENTS}/${name}`;
    await server.applied(path, deployment(name));
    await server.merged(`${path}/scale`, { spec: { replicas: 3 } }, 'hpa');
    const scaled = await server.ok('GET', path);
    expect([scaled.spec.replicas, owners(scaled).length]).toEqual([3, 1]);
  });

  it('can be applied, shared, and dropped by its last owner', async () => {
    const name = fresh();
    const path = `${DEPLOYMENTS}/${name}`;
    await server.applied(path, deployment(name, { replicas: 2 }));
    await server.applied(`${path}/scale`, scale(name, { replicas: 2 }), 'hpa');
    const shared = await server.ok('GET', path);
    // An entry without a time comes first.
    expect(owners(shared)[0]).toBe('hpa Apply scale {"f:spec":{"f:replicas":{}}}');
    expect(owners(shared)[1]).toContain('f:replicas');
    await server.applied(path, deployment(name));
    await server.applied(`${path}/scale`, scale(name, {}), 'hpa');
    const dropped = await server.ok('GET', path);
    expect([dropped.spec.replicas, owners(dropped).length]).toEqual([0, 2]);
  });
});

describe('versions', () => {
  it('apply in another version replaces the entry of the same manager', async () => {
    const name = fresh();
    const at1 = `/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers/${name}`;
    const at2 = at1.replace('/v1/', '/v2/');
    const hpa = (version: string, spec: object): Json => ({
      apiVersion: `autoscaling/${version}`,
      kind: 'HorizontalPodAutoscaler',
      metadata: { name },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 5, ...spec },
    });
    await server.applied(at1, hpa('v1', { targetCPUUtilizationPercentage: 50 }));
    const metrics = [
      { type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 60 } } },
    ];
    const second = await server.applied(at2, hpa('v2', { metrics }), 'a', '&force=true');
    expect(second.metadata.managedFields.map(({ apiVersion }: Json) => apiVersion)).toEqual(['autoscaling/v2']);
    expect(second.spec.metrics).toEqual(metrics);
    const other = await server.merged(at1, { spec: { maxReplicas: 6 } }, 'u');
    expect(owners(other)).toHaveLength(2);
    expect(owners(other)[0]).not.toContain('maxReplicas');
  });
});

describe('writes without owners', () => {
  it('a delete and a binding leave them as they are', async () => {
    const name = fresh();
    const pods = '/api/v1/namespaces/default/pods';
    const metadata = { name, finalizers: ['e.com/f'] };
    const created = await server.ok('POST', pods, { metadata, spec: POD_TEMPLATE.spec });
    await server.ok('POST', `${pods}/${name}/binding`, { metadata: { name }, target: { kind: 'Node', name: 'n' } });
    await server.ok('DELETE', `${pods}/${name}?gracePeriodSeconds=0`);
    const left = await server.ok('GET', `${pods}/${name}`);
    expect(left.spec.nodeName).toBe('n');
    expect(left.metadata.managedFields).toEqual(created.metadata.managedFields);
  });

  it('the objects of a new server belong to it', async () => {
    const namespace = await server.ok('GET', '/api/v1/namespaces/default');
    expect(owners(namespace)).toEqual([
      'kube-apiserver Update {"f:metadata":{"f:labels":{".":{},"f:kubernetes.io/metadata.name":{}}}}',
    ]);
  });
});

it('a merge patch of a large object is tracked in bounded steps', async () => {
  const name = fresh();
  const data = Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`k${index}`, 'v']));
  await post(map(name, data));
  const patched = await server.ok('PATCH', `${at(name)}?fieldManager=n`, { data: { k1: 'w' } }, { type: MERGE });
  expect(owners(patched)[1]).toBe('n Update {"f:data":{"f:k1":{}}}');
});

const pathIn = (version: string, name: string): string =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers/${name}`;

describe('an apply in another version', () => {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
  const autoscaler = (version: string, name: string, metadata: object = {}): Json => ({
    apiVersion: `autoscaling/${version}`,
    kind: 'HorizontalPodAutoscaler',
    metadata: { name, ...metadata },
    spec: { scaleTargetRef, maxReplicas: 3 },
  });

  it('moves the entry of its manager to that version, there and back', async () => {
    const name = fresh();
    for (const version of ['v1', 'v2', 'v1']) {
      const applied = await server.applied(pathIn(version, name), autoscaler(version, name, { labels: { a: 'b' } }));
      expect([applied.metadata.labels, applied.spec.maxReplicas]).toEqual([{ a: 'b' }, 3]);
      expect(applied.metadata.managedFields).toMatchObject([{ manager: 'a', apiVersion: `autoscaling/${version}` }]);
    }
    const without = await server.applied(pathIn('v2', name), autoscaler('v2', name));
    expect(without.metadata.labels).toBeUndefined();
  });
});
