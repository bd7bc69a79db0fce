import { beforeEach, describe, expect, it } from 'vitest';
import { VerbFixture } from './verb.fixture.ts';

const MAPS = '/api/v1/namespaces/x/configmaps';
const PODS = '/api/v1/namespaces/x/pods';

let server: VerbFixture;

beforeEach(async () => {
  server = await new VerbFixture().namespace();
});

/** The answer to a create, with the size of its Status. */
async function create(path: string, body: object): Promise<{ status: number; message: string; bytes: number }> {
  const answer = await server.call('POST', path, { body });
  return { status: answer.status, message: answer.body.message, bytes: JSON.stringify(answer.body).length };
}

describe('a large body that is refused', () => {
  it('4 000 controllers get a Status of a limited size: each error names the whole list', async () => {
    const ownerReferences = Array.from({ length: 4000 }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'K',
      name: `n${index}`,
      uid: `u${index}`,
      controller: true,
    }));
    const { status, message, bytes } = await create(MAPS, { metadata: { name: 'a', ownerReferences } });
    expect(status).toBe(422);
    expect(message).toMatch(/^ConfigMap "a" is invalid: \[metadata\.ownerReferences: Invalid value: \[\{"apiVersion"/);
    expect(message).toContain('Found "true" in references for K/n0 and K/n1');
    expect(bytes).toBeLessThan(400_000);
  });

  it.each<[string, string, object]>([
    ['a long name', MAPS, { metadata: { name: 'x!'.repeat(700_000) } }],
    ['a long label', MAPS, { metadata: { name: 'a', labels: { ['k'.repeat(700_000)]: 'v'.repeat(700_000) } } }],
    ['a long key', MAPS, { metadata: { name: 'a' }, data: { ['k'.repeat(1_400_000)]: 'v' } }],
    ['a long finalizer', MAPS, { metadata: { name: 'a', finalizers: ['f'.repeat(1_400_000)] } }],
    ['many finalizers', MAPS, { metadata: { name: 'a', finalizers: Array<string>(59_000).fill('f') } }],
    [
      'many containers',
      PODS,
      { metadata: { name: 'a' }, spec: { containers: Array.from({ length: 10_000 }, () => ({})) } },
    ],
    ['a long apiVersion', MAPS, { apiVersion: 'v'.repeat(2_000_000), metadata: { name: 'a' } }],
    ['a long kind', MAPS, { kind: 'K'.repeat(2_000_000), metadata: { name: 'a' } }],
    ['a long time', MAPS, { metadata: { name: 'a', creationTimestamp: '1'.repeat(2_000_000) } }],
    ['a long uid of an owner', MAPS, { metadata: { name: 'a', ownerReferences: [{ uid: 'u'.repeat(1_400_000) }] } }],
  ])('%s gets a Status of a limited size', async (_, path, body) => {
    const { status, bytes } = await create(path, body);
    expect([400, 422]).toContain(status);
    expect(bytes).toBeLessThan(400_000);
  });
});

describe('a large body that is right', () => {
  it('is taken as a small one is: 20 000 values that are all different', async () => {
    const values = Array.from({ length: 20_000 }, (_, index) => `zone-${index}`);
    const { status, message } = await create('/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name: 'a' },
      provisioner: 'example.com/p',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'example.com/zone', values }] }],
    });
    expect([status, message]).toEqual([201, undefined]);
  });
});

describe('a large body that is accepted', () => {
  const schema = Object.fromEntries(
    Array.from({ length: 6000 }, (_, index) => [
      `field${index}`,
      { type: 'string', description: 'What this field is for, in one or two sentences that a person wrote down.' },
    ]),
  );
  const endpoints = Array.from({ length: 1000 }, (_, index) => ({
    addresses: [`10.0.${index % 250}.1`],
    conditions: { ready: true, serving: true, terminating: false },
    nodeName: `node-${index}`,
    targetRef: { kind: 'Pod', name: `pod-${index}`, namespace: 'x', uid: `uid-${index}` },
    zone: 'a',
  }));

  it.each<[string, object]>([
    ['a value of 1 MiB', { data: { k: 'v'.repeat(1024 * 1024) } }],
    ['20 000 short values', { data: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key-${i}`, 'v'])) }],
    ['annotations of 250 KB', { metadata: { name: 'a', annotations: { a: 'v'.repeat(250_000) } } }],
    ['a schema of 700 KB and 18 000 members', { properties: schema }],
    ['1 000 endpoints', { endpoints }],
  ])('has %s', async (_, members) => {
    await server.ok('POST', MAPS, { body: { metadata: { name: 'a' }, ...members } });
  });

  it('that defaults would make too large is refused before they are added', async () => {
    const containers = Array.from({ length: 29_000 }, () => ({}));
    const { status, message } = await create(PODS, { metadata: { name: 'a' }, spec: { containers } });
    expect([status, message]).toEqual([500, 'etcdserver: request is too large']);
  });

  it.each<[string, string, object, string]>([
    ['data', MAPS, { data: { k: 'v'.repeat(2_500_000) } }, '[]'],
    ['the data of a secret', MAPS.replace('configmaps', 'secrets'), { data: { k: 'A'.repeat(2_500_000) } }, 'data'],
  ])('of too much %s is told so, although etcd would refuse it too', async (_, path, body, field) => {
    const { status, message } = await create(path, { metadata: { name: 'a' }, ...body });
    expect([status, message]).toEqual([
      422,
      expect.stringContaining(`"a" is invalid: ${field}: Too long: may not be more than 1048576 bytes`),
    ]);
  });

  it('of too many annotations is told so', async () => {
    const annotations = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`key-${index}`, 'v'.repeat(10)]),
    );
    const { status, message } = await create(MAPS, { metadata: { name: 'a', annotations } });
    expect([status, message]).toEqual([422, expect.stringContaining('may not be more than 262144 bytes')]);
  });
});

describe('the body of a CustomResourceDefinition', () => {
  const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const name = 'things.large.example.com';
  /** Three members for each property. */
  const definition = (properties: number, description: string, metadata: object = {}): object => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name, ...metadata },
    spec: {
      group: 'large.example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: Object.fromEntries(
                Array.from({ length: properties }, (_, index) => [`k${index}`, { type: 'string', description }]),
              ),
            },
          },
        },
      ],
    },
  });

  it('may have 60 000 members, in each way to write it', async () => {
    const created = await server.ok('POST', CRDS, { body: definition(19_900, 'a') });
    const { resourceVersion } = created['metadata'];
    await server.ok('PUT', `${CRDS}/${name}`, { body: definition(19_900, 'b', { resourceVersion }) });
    const merge = { body: definition(19_900, 'c'), type: 'application/merge-patch+json' };
    const patched = await server.ok('PATCH', `${CRDS}/${name}`, merge);
    const { properties } = patched['spec'].versions[0].schema.openAPIV3Schema;
    expect([Object.keys(properties).length, properties.k19899]).toEqual([19_900, { type: 'string', description: 'c' }]);
    const applied = { body: definition(19_900, 'd'), type: 'application/apply-patch+yaml' };
    await server.ok('PATCH', `${CRDS}/${name}?fieldManager=me&force=true`, applied);
  }, 60_000);

  it('is refused with more, and so is another kind with half of them', async () => {
    const { status, message } = await create(CRDS, definition(20_100, 'a'));
    expect([status, message]).toEqual([413, expect.stringMatching(/the body has \d+ fields, limit is 60000$/)]);
    const data = Object.fromEntries(Array.from({ length: 25_100 }, (_, index) => [`k${index}`, 'v']));
    const other = await create(MAPS, { metadata: { name: 'a' }, data });
    expect([other.status, other.message]).toEqual([413, expect.stringMatching(/limit is 25000$/)]);
  });
});
