import { createHash } from 'node:crypto';
import { recordOf, recordsOf } from '@listwatch/api/values';
import { GROUP_TABLE, KIND_TABLE } from '@listwatch/kinds/data';
import { SERVED_KINDS } from '@listwatch/rules/internal';
import { describe, expect, it } from 'vitest';
import { aggregatedResponse } from './aggregated-discovery.ts';
import { LiveDiscovery } from './discovery.ts';

const discovery = new LiveDiscovery(SERVED_KINDS, { serverAddress: '10.0.0.1:6443' });

const read = (document: Buffer | undefined): unknown => JSON.parse(String(document));
const ALL = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

describe('discovery', () => {
  it('shows the version of the core group at /api', () => {
    expect(String(discovery.core)).toBe(
      '{"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[{"clientCIDR":"0.0.0.0/0","serverAddress":"10.0.0.1:6443"}]}\n',
    );
  });

  it('shows the other groups at /apis', () => {
    const version = { groupVersion: 'apps/v1', version: 'v1' };
    const apps = { name: 'apps', versions: [version], preferredVersion: version };
    expect(read(discovery.groups)).toMatchObject({ kind: 'APIGroupList', apiVersion: 'v1' });
    expect(read(discovery.groups)).toHaveProperty('groups.1', apps);
    expect(read(discovery.group('apps'))).toEqual({ kind: 'APIGroup', apiVersion: 'v1', ...apps });
  });

  it('shows resources and then their subresources', () => {
    const list = read(discovery.resources('', 'v1'));
    expect(list).toMatchObject({ kind: 'APIResourceList', groupVersion: 'v1' });
    expect(list).not.toHaveProperty('apiVersion');
    const names = KIND_TABLE.filter(({ group }) => group === '').flatMap(({ plural, subresources }) => [
      plural,
      ...Object.keys(subresources).map((name) => `${plural}/${name}`),
    ]);
    const resources = recordsOf(recordOf(list)['resources']);
    expect(resources.map(({ name }) => name)).toEqual(names.toSorted());
    expect(resources).toContainEqual({
      name: 'namespaces/finalize',
      singularName: '',
      namespaced: false,
      kind: 'Namespace',
      verbs: ['update'],
    });
    expect(resources).toContainEqual({
      name: 'pods/eviction',
      singularName: '',
      namespaced: true,
      group: 'policy',
      version: 'v1',
      kind: 'Eviction',
      verbs: ['create'],
    });
  });

  it.each([
    [
      '',
      {
        name: 'configmaps',
        singularName: 'configmap',
        namespaced: true,
        kind: 'ConfigMap',
        verbs: ALL,
        shortNames: ['cm'],
        storageVersionHash: 'qFsyl6wFWjQ=',
      },
    ],
    [
      '',
      {
        name: 'secrets',
        singularName: 'secret',
        namespaced: true,
        kind: 'Secret',
        verbs: ALL,
        storageVersionHash: 'S6u1pOWzb84=',
      },
    ],
    [
      '',
      {
        name: 'pods',
        singularName: 'pod',
        namespaced: true,
        kind: 'Pod',
        verbs: ALL,
        shortNames: ['po'],
        categories: ['all'],
        storageVersionHash: 'xPOwRZ+Yhw8=',
      },
    ],
    [
      '',
      {
        name: 'namespaces',
        singularName: 'namespace',
        namespaced: false,
        kind: 'Namespace',
        verbs: ALL.filter((verb) => verb !== 'deletecollection'),
        shortNames: ['ns'],
        storageVersionHash: 'Q3oi5N2YM8M=',
      },
    ],
    [
      'apps',
      {
        name: 'deployments',
        singularName: 'deployment',
        namespaced: true,
        kind: 'Deployment',
        verbs: ALL,
        shortNames: ['deploy'],
        categories: ['all'],
        storageVersionHash: '8aSe+NMegvE=',
      },
    ],
    [
      'coordination.k8s.io',
      {
        name: 'leases',
        singularName: 'lease',
        namespaced: true,
        kind: 'Lease',
        verbs: ALL,
        storageVersionHash: 'gqkMMb/YqFM=',
      },
    ],
  ])('of the group %j has %j', (group, entry) => {
    expect(read(discovery.resources(group, 'v1'))).toHaveProperty('resources', expect.arrayContaining([entry]));
  });

  it('has no documents for what does not exist', () => {
    const missing = [
      discovery.group(''),
      discovery.group('x'),
      discovery.resources('', 'v2'),
      discovery.resources('apps', ''),
    ];
    expect(missing).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('shows resources that are not stored, without a hash, and subresources of another kind', () => {
    const other = {
      group: 'example.com',
      version: 'v1beta1',
      plural: 'things',
      singular: 'thing',
      kind: 'Thing',
      namespaced: false,
      verbs: ['create'],
      subresources: [
        { name: 'scale', verbs: ['get'], responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' } },
      ],
    };
    expect(read(new LiveDiscovery([], { others: [other] }).resources('example.com', 'v1beta1'))).toEqual({
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'example.com/v1beta1',
      resources: [
        { name: 'things', singularName: 'thing', namespaced: false, kind: 'Thing', verbs: ['create'] },
        {
          name: 'things/scale',
          singularName: '',
          namespaced: false,
          group: 'autoscaling',
          version: 'v1',
          kind: 'Scale',
          verbs: ['get'],
        },
      ],
    });
  });
});

const OWN = { group: '', version: '', kind: 'Deployment' };
const DEPLOYMENTS = {
  resource: 'deployments',
  responseKind: OWN,
  scope: 'Namespaced',
  singularResource: 'deployment',
  verbs: ALL,
  shortNames: ['deploy'],
  categories: ['all'],
  subresources: [
    {
      subresource: 'scale',
      responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      verbs: ['get', 'patch', 'update'],
    },
    { subresource: 'status', responseKind: OWN, verbs: ['get', 'patch', 'update'] },
  ],
};

describe('aggregated discovery', () => {
  const { aggregatedCore, aggregatedGroups } = discovery;

  it('shows a resource with its subresources', () => {
    expect(read(aggregatedGroups.body)).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
      items: GROUP_TABLE.slice(1).map(({ group }) => ({ metadata: { name: group } })),
    });
    expect(read(aggregatedGroups.body)).toMatchObject({
      items: expect.arrayContaining([
        {
          metadata: { name: 'apps' },
          versions: [{ version: 'v1', resources: expect.arrayContaining([DEPLOYMENTS]), freshness: 'Current' }],
        },
      ]),
    });
  });

  it('shows the core group apart, without a name', () => {
    expect(read(aggregatedCore.body)).toHaveProperty('items.0.metadata', {});
    expect(read(aggregatedCore.body)).toHaveProperty('items.length', 1);
  });

  it('is tagged by its content', () => {
    const content = String(aggregatedGroups.body).trimEnd();
    expect(aggregatedGroups.etag).toBe(`"${createHash('sha512').update(content).digest('hex').toUpperCase()}"`);
    expect(aggregatedGroups.etag).not.toBe(aggregatedCore.etag);
  });

  it('is sent whole to a client that does not have it', () => {
    for (const tag of [undefined, '"other"', aggregatedCore.etag.replaceAll('"', '')]) {
      expect(aggregatedResponse(aggregatedCore, tag)).toEqual({
        type: 'bytes',
        status: 200,
        headers: {
          'content-type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
          etag: aggregatedCore.etag,
          vary: 'Accept',
          'cache-control': 'public',
        },
        body: aggregatedCore.body,
      });
    }
  });

  it('is not sent to a client that has it', () => {
    expect(aggregatedResponse(aggregatedCore, aggregatedCore.etag)).toEqual({
      type: 'bytes',
      status: 304,
      headers: { etag: aggregatedCore.etag, vary: 'Accept', 'cache-control': 'public' },
      body: Buffer.alloc(0),
    });
  });
});
