import { describe, expect, it } from 'vitest';
import { type Asked, InProcessServer } from '../../start/in-process-server.fixture.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const SCALE = `${DEPLOYMENTS}/web/scale`;
const MERGE = { type: 'application/merge-patch+json' };

const template = { metadata: { labels: { a: '1', b: '2' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector = { matchLabels: { b: '2', a: '1' }, matchExpressions: [{ key: 'z', operator: 'DoesNotExist' }] };

async function start(): Promise<InProcessServer> {
  const server = await InProcessServer.start();
  await server.ok('POST', DEPLOYMENTS, { metadata: { name: 'web' }, spec: { replicas: 2, selector, template } });
  return server;
}

const messageOf = ({ status, body }: Asked): unknown => [status, body.message];

describe('the scale of a Deployment', () => {
  it('shows its replicas and the selector as text', async () => {
    await using server = await start();
    await server.ok('PATCH', `${DEPLOYMENTS}/web/status`, '{"status":{"replicas":1}}', MERGE);
    const { metadata } = await server.ok('GET', `${DEPLOYMENTS}/web`);
    const { uid, resourceVersion, creationTimestamp } = metadata;
    expect(await server.ok('GET', SCALE)).toEqual({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'web', namespace: 'default', uid, resourceVersion, creationTimestamp },
      spec: { replicas: 2 },
      status: { replicas: 1, selector: 'a=1,b=2,!z' },
    });
  });

  it('changes the replicas, raises the generation and leaves the rest alone', async () => {
    await using server = await start();
    const scale = await server.ok('GET', SCALE);
    const sent = { ...scale, metadata: { ...scale.metadata, labels: { x: 'y' } }, spec: { replicas: 3 } };
    expect((await server.ok('PUT', SCALE, sent)).spec).toEqual({ replicas: 3 });
    const { metadata, spec } = await server.ok('GET', `${DEPLOYMENTS}/web`);
    expect([metadata.generation, metadata.labels, spec.replicas]).toEqual([2, undefined, 3]);
    expect((await server.ok('PATCH', SCALE, '{"spec":{"replicas":0}}', MERGE)).spec).toEqual({});
    const json = '[{"op":"add","path":"/spec/replicas","value":7}]';
    expect((await server.ok('PATCH', SCALE, json, { type: 'application/json-patch+json' })).spec.replicas).toBe(7);
  });

  it('is not changed by a dry run', async () => {
    await using server = await start();
    const sent = { metadata: { name: 'web' }, spec: { replicas: 9 } };
    expect((await server.ok('PUT', `${SCALE}?dryRun=All`, sent)).spec.replicas).toBe(9);
    expect((await server.ok('GET', SCALE)).spec.replicas).toBe(2);
  });

  it('of an older version or another uid is a conflict', async () => {
    await using server = await start();
    const scale = await server.ok('GET', SCALE);
    await server.ok('PUT', SCALE, { ...scale, spec: { replicas: 3 } });
    expect(messageOf(await server.ask('PUT', SCALE, { ...scale, spec: { replicas: 4 } }))).toEqual([
      409,
      'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
    ]);
    expect((await server.ask('PUT', SCALE, { metadata: { name: 'web', uid: 'x' } })).status).toBe(409);
    const stale = `{"metadata":{"resourceVersion":"${scale.metadata.resourceVersion}"},"spec":{"replicas":4}}`;
    expect((await server.ask('PATCH', SCALE, stale, MERGE)).status).toBe(409);
  });

  it('may not be negative, and needs the name of the path', async () => {
    await using server = await start();
    const negative =
      'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0';
    const sent = { metadata: { name: 'web' }, spec: { replicas: -1 } };
    expect(messageOf(await server.ask('PUT', SCALE, sent))).toEqual([422, negative]);
    expect(messageOf(await server.ask('PATCH', SCALE, '{"spec":{"replicas":-1}}', MERGE))).toEqual([422, negative]);
    expect((await server.ask('PUT', SCALE, { metadata: { name: 'x' } })).status).toBe(400);
    const typed =
      'Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32';
    expect(messageOf(await server.ask('PUT', SCALE, { spec: { replicas: 'x' } }))).toEqual([400, typed]);
    const missing = await server.ask('PUT', `${DEPLOYMENTS}/nope/scale`, { metadata: { name: 'nope' } });
    expect(messageOf(missing)).toEqual([404, 'deployments.apps "nope" not found']);
    expect((await server.ask('POST', SCALE, {})).status).toBe(405);
  });

  it('is a Table of its own', async () => {
    await using server = await start();
    const { body } = await server.ask('GET', SCALE, undefined, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    expect(body.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
      'Name',
      'Desired',
      'Available',
      'Age',
    ]);
    expect(body.rows).toMatchObject([{ cells: ['web', 2, 0, '0s'], object: { kind: 'PartialObjectMetadata' } }]);
  });
});

it.each([
  ['/apis/apps/v1/namespaces/default/replicasets', { selector: { matchLabels: { a: '1' } }, template }],
  [
    '/apis/apps/v1/namespaces/default/statefulsets',
    { selector: { matchLabels: { a: '1' } }, template, serviceName: 's' },
  ],
  ['/api/v1/namespaces/default/replicationcontrollers', { selector: { a: '1' }, template }],
])('%s have the subresource too', async (path, spec) => {
  await using server = await InProcessServer.start();
  await server.ok('POST', path, { metadata: { name: 'web' }, spec: { replicas: 2, ...spec } });
  expect((await server.ok('GET', `${path}/web/scale`)).status.selector).toBe('a=1');
  expect((await server.ok('PATCH', `${path}/web/scale`, '{"spec":{"replicas":5}}', MERGE)).spec.replicas).toBe(5);
  expect((await server.ok('GET', `${path}/web`)).spec.replicas).toBe(5);
});
