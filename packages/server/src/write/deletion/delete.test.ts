import type { Change, StorageEngine } from '@listwatch/storage';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Admission } from '../../contract/admission.ts';
import { type Body, NOW, VerbFixture } from '../verb.fixture.ts';

const MAPS = '/api/v1/namespaces/x/configmaps';
const PODS = '/api/v1/namespaces/x/pods';
const MERGE = 'application/merge-patch+json';

let server: VerbFixture;

beforeEach(async () => {
  server = await new VerbFixture().namespace();
});

async function statusOf(path: string): Promise<number> {
  return (await server.call('GET', path)).status;
}

async function pod(spec: object = {}): Promise<Body> {
  const containers = [{ name: 'c', image: 'i' }];
  return server.ok('POST', PODS, { body: { metadata: { name: 'p' }, spec: { containers, ...spec } } });
}

describe('delete', () => {
  let stored: Body;

  beforeEach(async () => {
    stored = await server.ok('POST', MAPS, { body: { metadata: { name: 'a' }, data: { k: 'v' } } });
  });

  it.each([
    '',
    '?propagationPolicy=Background',
    '?gracePeriodSeconds=0',
    '?gracePeriodSeconds=-1',
    '?orphanDependents=0',
  ])('%s removes the object and answers with a Status', async (query) => {
    const { status, body } = await server.call('DELETE', `${MAPS}/a${query}`);
    expect([status, body]).toEqual([
      200,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'a', kind: 'configmaps', uid: stored.metadata.uid },
      },
    ]);
    expect(await statusOf(`${MAPS}/a`)).toBe(404);
  });

  it('a missing object is 404', async () => {
    const answer = await server.call('DELETE', `${MAPS}/nope`);
    expect([answer.status, answer.body.message]).toEqual([404, 'configmaps "nope" not found']);
  });

  it('a dry run answers alike and leaves it there', async () => {
    const { status, body } = await server.call('DELETE', `${MAPS}/a?dryRun=All`);
    expect([status, body.status]).toEqual([200, 'Success']);
    expect(await server.ok('GET', `${MAPS}/a`)).toEqual(stored);
  });

  it.each([
    ['Foreground', 'foregroundDeletion'],
    ['Orphan', 'orphan'],
  ])('%s marks the object and leaves the rest to the garbage collector', async (policy, finalizer) => {
    const { status, body } = await server.call('DELETE', `${MAPS}/a?propagationPolicy=${policy}`);
    expect([status, body.kind, body.metadata]).toEqual([
      200,
      'ConfigMap',
      {
        ...stored.metadata,
        resourceVersion: await server.revision(),
        deletionTimestamp: NOW,
        deletionGracePeriodSeconds: 0,
        finalizers: [finalizer],
      },
    ]);
    expect(await statusOf(`${MAPS}/a`)).toBe(200);
  });

  it('a Job keeps its pods unless a policy says otherwise', async () => {
    const jobs = '/apis/batch/v1/namespaces/x/jobs';
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    const body = { metadata: { name: 'j' }, spec: { template } };
    await server.ok('POST', jobs, { body });
    const preserved = expect.stringMatching(/^299 - "child pods are preserved by default when jobs are deleted; /);
    const first = await server.call('DELETE', `${jobs}/j`);
    const held = first.body;
    expect(first.headers).toMatchObject({ warning: preserved });
    expect((await server.call('DELETE', jobs)).headers).toMatchObject({ warning: preserved });
    expect([held.kind, held.metadata.finalizers]).toEqual(['Job', ['orphan']]);
    const last = await server.call('DELETE', `${jobs}/j?propagationPolicy=Background`);
    expect(last.body.status).toBe('Success');
    expect(last.headers).not.toHaveProperty('warning');
    expect(await statusOf(`${jobs}/j`)).toBe(404);
  });

  it('a second delete of a held object writes nothing, but one with another policy does', async () => {
    const first = await server.ok('DELETE', `${MAPS}/a?propagationPolicy=Foreground`);
    await server.clock.advance(5000);
    expect(await server.ok('DELETE', `${MAPS}/a`)).toEqual(first);
    const other = await server.ok('DELETE', `${MAPS}/a?propagationPolicy=Orphan`);
    expect([other.metadata.finalizers, other.metadata.deletionTimestamp]).toEqual([['orphan'], NOW]);
    expect((await server.call('DELETE', `${MAPS}/a?propagationPolicy=Background`)).body.status).toBe('Success');
  });

  it('202 only for those who said orphanDependents=false and whose object is still there', async () => {
    const body = { metadata: { finalizers: ['example.com/x'] } };
    await server.ok('PATCH', `${MAPS}/a`, { type: MERGE, body });
    expect((await server.call('DELETE', `${MAPS}/a?orphanDependents=false`)).status).toBe(202);
    expect((await server.call('DELETE', `${MAPS}/a`)).status).toBe(200);
  });

  it.each([
    [
      { uid: 'x' },
      () =>
        `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (x) does not match the UID in record (${stored.metadata.uid}). The object might have been deleted and then recreated`,
    ],
    [
      { resourceVersion: '1' },
      () =>
        `Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${stored.metadata.resourceVersion}). The object might have been modified`,
    ],
  ])('preconditions that do not hold are 409: %j', async (preconditions, message) => {
    const answer = await server.call('DELETE', `${MAPS}/a`, { body: { preconditions } });
    expect([answer.status, answer.body.message]).toEqual([409, message()]);
    expect(answer.body.details).toEqual({ name: 'a', kind: 'ConfigMap' });
    const { uid, resourceVersion } = stored.metadata;
    const right = { preconditions: { uid, resourceVersion } };
    expect((await server.call('DELETE', `${MAPS}/a`, { body: right })).status).toBe(200);
  });

  it('of 16 at the same time one removes it and the others find nothing', async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => server.call('DELETE', `${MAPS}/a`)));
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      200,
      ...Array.from({ length: 15 }, () => 404),
    ]);
  });
});

describe('delete of a pod', () => {
  it('that no node runs is immediate: it is marked, removed, and answered as it was last', async () => {
    const { metadata } = await pod();
    const { status, body } = await server.call('DELETE', `${PODS}/p`);
    expect([status, body.kind, body.metadata.deletionGracePeriodSeconds]).toEqual([200, 'Pod', 0]);
    expect(await statusOf(`${PODS}/p`)).toBe(404);
    expect(BigInt(await server.revision())).toBe(BigInt(metadata.resourceVersion) + 2n);
    expect(body.metadata.resourceVersion).toBe(await server.revision());
  });

  it('that a node runs gets its time, which a later delete can only shorten', async () => {
    await pod({ nodeName: 'n', terminationGracePeriodSeconds: 20 });
    const first = await server.ok('DELETE', `${PODS}/p`);
    expect(first.metadata).toMatchObject({
      deletionTimestamp: '2023-11-14T22:13:40Z',
      deletionGracePeriodSeconds: 20,
      generation: 2,
    });
    for (const query of ['', '?gracePeriodSeconds=60', '?gracePeriodSeconds=20']) {
      expect(await server.ok('DELETE', `${PODS}/p${query}`)).toEqual(first);
    }
    const shorter = await server.ok('DELETE', `${PODS}/p?gracePeriodSeconds=5`);
    expect(shorter.metadata).toMatchObject({
      deletionTimestamp: '2023-11-14T22:13:25Z',
      deletionGracePeriodSeconds: 5,
      generation: 2,
    });
    expect((await server.ok('DELETE', `${PODS}/p?gracePeriodSeconds=0`)).kind).toBe('Pod');
    expect(await statusOf(`${PODS}/p`)).toBe(404);
  });

  it('leaves alone a new pod of that name that came in between', async () => {
    await pod();
    const { engine } = server.context.store;
    const impostor = Buffer.from('{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","uid":"other"}}');
    const racing: StorageEngine = Object.create(engine, {
      get: { value: engine.get.bind(engine) },
      commit: {
        value: async (change: Change) => {
          const result = await engine.commit(change);
          if (change.type === 'put') await engine.commit({ type: 'put', key: change.key, value: impostor });
          return result;
        },
      },
    });
    const answer = await new VerbFixture(racing).call('DELETE', `${PODS}/p`);
    expect([answer.status, answer.body.metadata.uid]).toEqual([200, 'uid-2']);
    expect((await server.ok('GET', `${PODS}/p`)).metadata.uid).toBe('other');
  });

  it('with a finalizer stays even when its time is over', async () => {
    await pod({ nodeName: 'n' });
    await server.ok('PATCH', `${PODS}/p`, { type: MERGE, body: { metadata: { finalizers: ['example.com/x'] } } });
    const { metadata } = await server.ok('DELETE', `${PODS}/p?gracePeriodSeconds=0`);
    expect(metadata).toMatchObject({ deletionGracePeriodSeconds: 0, finalizers: ['example.com/x'] });
    await server.ok('PATCH', `${PODS}/p`, { type: MERGE, body: { metadata: { finalizers: null } } });
    expect(await statusOf(`${PODS}/p`)).toBe(404);
  });

  it('a dry run shows the mark and sets none', async () => {
    const stored = await pod({ nodeName: 'n' });
    const shown = await server.ok('DELETE', `${PODS}/p?dryRun=All`);
    expect(shown.metadata).toMatchObject({
      deletionGracePeriodSeconds: 30,
      resourceVersion: stored.metadata.resourceVersion,
    });
    expect(await server.ok('GET', `${PODS}/p`)).toEqual(stored);
  });
});

describe('delete of an event', () => {
  const EVENTS = '/api/v1/namespaces/x/events';
  const body = { metadata: { name: 'e' }, involvedObject: { namespace: 'x' } };

  it('asks no garbage collector, whatever the policy', async () => {
    await server.ok('POST', EVENTS, { body });
    expect((await server.ok('DELETE', `${EVENTS}/e?propagationPolicy=Foreground`)).status).toBe('Success');
    expect(await statusOf(`${EVENTS}/e`)).toBe(404);
  });

  it('that a finalizer holds does not make it live for ever', async () => {
    const { engine } = server.context.store;
    const changes: Change[] = [];
    const recording: StorageEngine = Object.create(engine, {
      get: { value: engine.get.bind(engine) },
      commit: {
        value: (change: Change) => {
          changes.push(change);
          return engine.commit(change);
        },
      },
    });
    const recorded = new VerbFixture(recording);
    const metadata = { name: 'e', finalizers: ['example.com/x'] };
    await recorded.ok('POST', EVENTS, { body: { ...body, metadata } });
    await recorded.ok('DELETE', `${EVENTS}/e`);
    expect(changes.map((change) => change.type === 'put' && change.ttlSeconds)).toEqual([3600, 3600]);
  });
});

describe('delete of a namespace', () => {
  const X = '/api/v1/namespaces/x';

  it('begins its end: the phase is Terminating until its finalizers are gone', async () => {
    const { status, body } = await server.call('DELETE', X);
    expect([status, body.kind, body.status.phase, body.spec]).toEqual([
      200,
      'Namespace',
      'Terminating',
      { finalizers: ['kubernetes'] },
    ]);
    expect(body.metadata.deletionTimestamp).toBe(NOW);
    expect(body.metadata.deletionGracePeriodSeconds).toBeUndefined();
    expect(await server.ok('DELETE', X)).toEqual(body);
    const finalized = await server.call('PUT', `${X}/finalize`, { body: { ...body, spec: { finalizers: [] } } });
    expect([finalized.status, finalized.body.kind]).toEqual([200, 'Namespace']);
    expect(await statusOf(X)).toBe(404);
  });

  it('a change of its labels on the way does not end it', async () => {
    await server.ok('DELETE', X);
    await server.ok('PATCH', X, { type: MERGE, body: { metadata: { labels: { a: 'b' } } } });
    expect((await server.ok('GET', X)).metadata.labels).toMatchObject({ a: 'b' });
  });

  it('is shown to admission by its uid, whatever was sent; that of another object as it was sent', async () => {
    const seen: Body[] = [];
    const admit: Admission['admit'] = async (_head, request) => {
      seen.push(request().options);
      return undefined;
    };
    const admitted = await new VerbFixture(undefined, { admission: { admit } }).namespace();
    const { metadata } = await admitted.ok('GET', X);
    await admitted.ok('POST', MAPS, { body: { metadata: { name: 'a' } } });
    await admitted.ok('DELETE', `${MAPS}/a`);
    await admitted.ok('DELETE', X);
    const bare = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' };
    expect(seen).toEqual([bare, { ...bare, preconditions: { uid: metadata.uid } }]);
  });

  it('its finalizers change through finalize alone', async () => {
    const stored = await server.ok('GET', X);
    const body = { ...stored, spec: { finalizers: [] }, status: { phase: 'Active' } };
    expect((await server.ok('PUT', X, { body })).spec).toEqual({ finalizers: ['kubernetes'] });
    expect((await server.ok('PUT', `${X}/status`, { body })).spec).toEqual({ finalizers: ['kubernetes'] });
    expect((await server.ok('PUT', `${X}/finalize`, { body })).spec).toEqual({});
  });

  it.each(['default', 'kube-system', 'kube-public'])('%s may not be deleted: 403', async (name) => {
    await server.namespace(name);
    expect(await server.call('DELETE', `/api/v1/namespaces/${name}`)).toMatchObject({
      status: 403,
      body: {
        message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
        details: { name, kind: 'namespaces' },
      },
    });
  });
});
