import { beforeEach, describe, expect, it } from 'vitest';
import { type Body, NOW, VerbFixture } from './verb.fixture.ts';

const MAPS = '/api/v1/namespaces/x/configmaps';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/x/leases';

let server: VerbFixture;
let stored: Body;

beforeEach(async () => {
  server = await new VerbFixture().namespace();
  stored = await server.ok('POST', MAPS, { body: { metadata: { name: 'a' }, data: { k: 'v' } } });
});

/** The stored object with other metadata and data. */
function changed(metadata: object, data: object = { n: '1' }): Body {
  return { ...stored, metadata: { ...stored.metadata, ...metadata }, data };
}

describe('update', () => {
  it.each([
    ['its current version', (): Body => changed({})],
    ['no version', (): Body => ({ metadata: { name: 'a' }, data: { n: '1' } })],
    ['version 0', (): Body => changed({ resourceVersion: '0' })],
    ['other times and a generation', (): Body => changed({ creationTimestamp: '2001-01-01T00:00:00Z', generation: 7 })],
  ])('with %s replaces the object and keeps what the server set', async (_, body) => {
    const { status, body: updated } = await server.call('PUT', `${MAPS}/a`, { body: body() });
    expect(status).toBe(200);
    expect(updated).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: {
        name: 'a',
        namespace: 'x',
        uid: stored.metadata.uid,
        creationTimestamp: NOW,
        resourceVersion: await server.revision(),
        managedFields: [
          {
            manager: 'unknown',
            operation: 'Update',
            apiVersion: 'v1',
            time: NOW,
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { '.': {}, 'f:n': {} } },
          },
        ],
      },
      data: { n: '1' },
    });
    expect(updated.metadata.resourceVersion).not.toBe(stored.metadata.resourceVersion);
    expect(await server.ok('GET', `${MAPS}/a`)).toEqual(updated);
  });

  it('that changes nothing writes nothing, however the fields are ordered', async () => {
    const { metadata, data } = stored;
    const { name, uid, ...rest } = metadata;
    const body = { data, metadata: { ...rest, uid, name, labels: {} }, kind: 'ConfigMap' };
    expect(await server.ok('PUT', `${MAPS}/a`, { body })).toEqual(stored);
    expect(await server.revision()).toBe(stored.metadata.resourceVersion);
  });

  it('with a value of the wrong type is 400 and writes nothing', async () => {
    const { status, body } = await server.call('PUT', `${MAPS}/a`, { body: changed({}, { n: 1 }) });
    expect([status, body.message]).toEqual([
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ]);
    expect(await server.revision()).toBe(stored.metadata.resourceVersion);
  });

  it('a dry run shows the change at the version that the object has, and stores nothing', async () => {
    const shown = await server.ok('PUT', `${MAPS}/a?dryRun=All`, { body: changed({}) });
    expect([shown.data, shown.metadata.resourceVersion]).toEqual([{ n: '1' }, stored.metadata.resourceVersion]);
    expect(await server.ok('GET', `${MAPS}/a`)).toEqual(stored);
  });

  it('of ten at one version one wins and nine are told to start over', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        server.call('PUT', `${MAPS}/a`, { body: changed({}, { n: String(index) }) }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ]);
  });

  it.each([
    [
      'an old version',
      (): Body => changed({ resourceVersion: '1' }),
      409,
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [
      'another uid',
      (): Body => changed({ uid: 'other' }),
      409,
      'Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/x/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: uid-2',
    ],
    [
      'a version that is none',
      (): Body => changed({ resourceVersion: 'abc' }),
      500,
      'strconv.ParseUint: parsing "abc": invalid syntax',
    ],
    [
      'another name',
      (): Body => changed({ name: 'zz' }),
      400,
      'the name of the object (zz) does not match the name on the URL (a)',
    ],
    [
      'another namespace',
      (): Body => changed({ namespace: 'zz' }),
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'no name',
      (): Body => ({ data: {} }),
      400,
      'the name of the object (a based on URL) was undeterminable: name must be provided',
    ],
    [
      'a bad label',
      (): Body => changed({ labels: { a: '-' } }),
      422,
      "ConfigMap \"a\" is invalid: metadata.labels: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
    [
      'a time of deletion',
      (): Body => changed({ deletionTimestamp: '2001-01-01T00:00:00Z' }),
      422,
      'ConfigMap "a" is invalid: metadata.deletionTimestamp: Invalid value: "2001-01-01T00:00:00Z": field is immutable',
    ],
  ])('with %s is refused', async (_, body, status, message) => {
    const answer = await server.call('PUT', `${MAPS}/a`, { body: body() });
    expect([answer.status, answer.body.message]).toEqual([status, message]);
    expect(await server.ok('GET', `${MAPS}/a`)).toEqual(stored);
  });

  it('names a broken rule of a change twice in the causes, as Kubernetes does', async () => {
    const body = changed({ deletionTimestamp: '2001-01-01T00:00:00Z' });
    const cause = {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: "2001-01-01T00:00:00Z": field is immutable',
      field: 'metadata.deletionTimestamp',
    };
    expect((await server.call('PUT', `${MAPS}/a`, { body })).body.details.causes).toEqual([cause, cause]);
  });

  it.each([{}, { resourceVersion: '5' }])('of a missing object is 404: %j', async (metadata) => {
    const answer = await server.call('PUT', `${MAPS}/b`, { body: { metadata: { name: 'b', ...metadata } } });
    expect([answer.status, answer.body.message]).toEqual([404, 'configmaps "b" not found']);
  });

  it('of a missing object with a uid is 409: it is not the object that was meant', async () => {
    const answer = await server.call('PUT', `${MAPS}/b`, { body: { metadata: { name: 'b', uid: 'u' } } });
    expect(answer.status).toBe(409);
    expect(answer.body.message).toMatch(/UID in precondition: u, UID in object meta: $/);
  });

  it('a writer that has gone stops trying', async () => {
    const gone = new Error('gone');
    const call = server.call('PUT', `${MAPS}/a`, { body: changed({}), signal: AbortSignal.abort(gone) });
    await expect(call).rejects.toBe(gone);
  });
});

describe('update of kinds with rules of their own', () => {
  it('creates a Lease that is not there: 201', async () => {
    const body = { metadata: { name: 'l' }, spec: { holderIdentity: 'me' } };
    const made = await server.call('PUT', `${LEASES}/l`, { body });
    expect([made.status, made.body.metadata.creationTimestamp]).toEqual([201, NOW]);
    expect(
      (await server.call('PUT', '/apis/coordination.k8s.io/v1/namespaces/nowhere/leases/l', { body })).status,
    ).toBe(404);
  });

  it('wants the version of a Lease', async () => {
    const body = { metadata: { name: 'l' }, spec: { holderIdentity: 'me' } };
    await server.ok('POST', LEASES, { body });
    expect(await server.call('PUT', `${LEASES}/l`, { body })).toMatchObject({
      status: 422,
      body: {
        message:
          'leases.coordination.k8s.io "l" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
        details: { kind: 'leases', group: 'coordination.k8s.io', name: 'l' },
      },
    });
  });

  it('raises the generation of a Deployment with its spec, and with nothing else', async () => {
    const deployments = '/apis/apps/v1/namespaces/x/deployments';
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
    const made = await server.ok('POST', deployments, { body: { metadata: { name: 'd' }, spec } });
    const labelled = await server.ok('PUT', `${deployments}/d`, {
      body: { ...made, metadata: { ...made.metadata, labels: { x: 'y' } } },
    });
    expect(labelled.metadata.generation).toBe(1);
    const scaled = await server.ok('PUT', `${deployments}/d`, {
      body: { ...labelled, spec: { ...labelled.spec, replicas: 5 } },
    });
    expect(scaled.metadata.generation).toBe(2);
  });
});

describe('update of an object that is being deleted', () => {
  beforeEach(async () => {
    await server.ok('PUT', `${MAPS}/a`, { body: changed({ finalizers: ['example.com/x', 'example.com/y'] }) });
    stored = await server.ok('DELETE', `${MAPS}/a`);
  });

  it('cannot add a finalizer', async () => {
    const finalizers = [...stored.metadata.finalizers, 'example.com/z', 'example.com/w'];
    const answer = await server.call('PUT', `${MAPS}/a`, { body: changed({ finalizers }) });
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/w", "example.com/z"}',
    ]);
  });

  it('cannot take the deletion back', async () => {
    const body = changed({ deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined });
    expect((await server.ok('PUT', `${MAPS}/a`, { body })).metadata).toMatchObject({
      deletionTimestamp: NOW,
      deletionGracePeriodSeconds: 0,
    });
  });

  it('that removes the last finalizer removes the object, and still answers with it', async () => {
    stored = await server.ok('PUT', `${MAPS}/a`, { body: changed({ finalizers: ['example.com/y'] }) });
    const { status, body } = await server.call('PUT', `${MAPS}/a`, { body: changed({ finalizers: [] }, { n: '2' }) });
    expect([status, body.data, body.metadata.finalizers]).toEqual([200, { n: '2' }, undefined]);
    expect(body.metadata.resourceVersion).toBe(stored.metadata.resourceVersion);
    expect((await server.call('GET', `${MAPS}/a`)).status).toBe(404);
  });

  it('a dry run of that leaves the object where it is', async () => {
    await server.ok('PUT', `${MAPS}/a?dryRun=All`, { body: changed({ finalizers: [] }) });
    expect(await server.ok('GET', `${MAPS}/a`)).toEqual(stored);
  });
});
