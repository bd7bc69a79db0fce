import type { JsonRecord } from '@listwatch/api/values';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  bytesField,
  envelope,
  intField,
  messageParts,
} from '../../../../schema/src/protobuf/written-message.fixture.ts';
import { configMap, deployment } from '../../kinds/built-in-definitions.fixture.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { type Answer, VerbFixture } from '../verb.fixture.ts';

const TYPE = 'application/vnd.kubernetes.protobuf';
const MAPS = '/api/v1/namespaces/x/configmaps';

let server: VerbFixture;

beforeEach(async () => {
  server = await new VerbFixture().namespace();
});

function encoded(
  { resource, schemas, data }: ResourceDefinition,
  object: JsonRecord,
  ...more: readonly Buffer[]
): Buffer {
  const { group, version, kind } = resource;
  const message = Buffer.concat([...messageParts(schemas.set, data.type, object), ...more]);
  return envelope(group === '' ? version : `${group}/${version}`, kind, message);
}

function send(method: string, url: string, body: Buffer, type = TYPE): Promise<Answer> {
  return server.call(method, url, { body, type });
}

/** What client-go sends: fields that are empty and no pointers are written too. */
const EMPTY_METADATA = ['generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion'].map((name) => [name, '']);

function map(name: string, rest: JsonRecord = {}): JsonRecord {
  return { metadata: { ...Object.fromEntries(EMPTY_METADATA), name, generation: 0 }, ...rest };
}

function onlyUid(uid: string): Buffer {
  return envelope('v1', 'DeleteOptions', bytesField(2, bytesField(1, uid)));
}

describe('a body in protobuf', () => {
  it('is created and updated as the same object in JSON is', async () => {
    const made = await send('POST', MAPS, encoded(configMap, map('a', { data: { b: '2', a: '1' }, immutable: false })));
    expect(made.status).toBe(201);
    expect(made.headers['content-type']).toBe('application/json');
    const { status, body } = await server.call('POST', MAPS, {
      body: { metadata: { name: 'b' }, data: { b: '2', a: '1' }, immutable: false },
    });
    expect([status, Object.keys(made.body.metadata)]).toEqual([201, Object.keys(body.metadata)]);
    expect(JSON.stringify({ ...made.body, metadata: 0 })).toBe(JSON.stringify({ ...body, metadata: 0 }));
    const changed = await send('PUT', `${MAPS}/a`, encoded(configMap, { ...made.body, data: { a: '3' } }));
    expect([changed.status, changed.body.data]).toEqual([200, { a: '3' }]);
  });

  it('is defaulted and validated', async () => {
    const url = '/apis/apps/v1/namespaces/x/deployments';
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { selector: { matchLabels: labels }, template };
    const made = await send('POST', url, encoded(deployment, { metadata: { name: 'a' }, spec }));
    expect([made.status, made.body.spec.replicas]).toEqual([201, 1]);
    const refused = await send('POST', url, encoded(deployment, { metadata: { name: 'b' }, spec: { template } }));
    const fields = refused.body.details.causes.map(({ field }: { readonly field: string }) => field);
    expect([refused.status, fields]).toEqual([422, ['spec.selector', 'spec.template.metadata.labels']]);
  });

  it('is only tried with dryRun, and may hold unknown fields however strict the client is', async () => {
    const url = `${MAPS}?dryRun=All&fieldValidation=Strict`;
    expect((await send('POST', url, encoded(configMap, map('a'), bytesField(99, 'new')))).status).toBe(201);
    expect((await server.call('GET', `${MAPS}/a`)).status).toBe(404);
  });

  it('may leave out its type', async () => {
    const body = envelope('', '', Buffer.concat(messageParts(configMap.schemas.set, configMap.data.type, map('a'))));
    expect((await send('POST', MAPS, body)).status).toBe(201);
  });

  it('deletes with the options in it', async () => {
    const { uid } = (await send('POST', MAPS, encoded(configMap, map('a')))).body.metadata;
    expect((await send('DELETE', `${MAPS}/a`, onlyUid('another'))).status).toBe(409);
    expect((await send('DELETE', `${MAPS}/a`, onlyUid(uid))).status).toBe(200);
    await send('POST', MAPS, encoded(configMap, map('b')));
    expect((await send('DELETE', MAPS, envelope('v1', 'DeleteOptions', bytesField(5, 'All')))).status).toBe(200);
    expect((await send('DELETE', MAPS, envelope('v1', 'DeleteOptions', Buffer.alloc(0)))).body.items).toHaveLength(1);
    expect((await server.call('GET', `${MAPS}/b`)).status).toBe(404);
  });
});

describe('a body in protobuf that cannot be read', () => {
  it.each([
    [
      'is 400 when it breaks off',
      envelope('v1', 'ConfigMap', Buffer.of(0x0a, 5)),
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: proto: unexpected end',
    ],
    [
      'is 400 when its envelope breaks off',
      Buffer.from('k8s\0\n\x05'),
      'the object provided is unrecognized (must be of type ConfigMap): proto: unexpected end (6b3873000a05)',
    ],
    [
      'is 400 when it is JSON',
      Buffer.from(JSON.stringify({ metadata: { name: 'a' } })),
      'the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({"metadata":{"name":"a"}})',
    ],
    [
      'is 400 when it is empty',
      Buffer.alloc(0),
      'the object provided is unrecognized (must be of type ConfigMap): empty data (<empty>)',
    ],
    [
      'is 400 when a field is of another type',
      envelope('v1', 'ConfigMap', intField(2, 1)),
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: proto: wrong wireType = 0 for field 2',
    ],
    [
      'is 400 when it is of another kind that there is',
      encoded(deployment, { metadata: { name: 'a' }, spec: { replicas: 1 } }),
      'Deployment in version "v1" cannot be handled as a ConfigMap: converting (v1.Deployment) to (core.ConfigMap): unknown conversion',
    ],
    [
      'is 400 when its version makes no sense',
      envelope('a/b/c', 'ConfigMap', Buffer.alloc(0)),
      'the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c (6b3873000a120a05612f622f631209436f6e6669674d617012001a002200)',
    ],
  ])('%s', async (_, body, message) => {
    expect(await send('POST', MAPS, body)).toMatchObject({ status: 400, body: { reason: 'BadRequest', message } });
  });

  it.each([
    ['of a kind that there is not', envelope('v1', 'Widget', Buffer.alloc(0))],
    ['of a version that there is not', envelope('v9', 'ConfigMap', Buffer.alloc(0))],
  ])('is 415, and told to use JSON: one %s', async (_, body) => {
    expect(await send('POST', MAPS, body)).toMatchObject({
      status: 415,
      body: { reason: 'UnsupportedMediaType', message: expect.stringContaining('use application/json') },
    });
  });

  it('is never a patch', async () => {
    await send('POST', MAPS, encoded(configMap, map('a')));
    expect((await send('PATCH', `${MAPS}/a`, encoded(configMap, map('a')))).status).toBe(415);
  });
});
