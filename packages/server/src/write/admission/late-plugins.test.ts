import { organizationsOf } from '@listwatch/rules/internal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessAttributes } from '../../contract/authorization.ts';
import { type Asked, InProcessServer, type Json } from '../../start/in-process-server.fixture.ts';

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const NAMESPACE = '/api/v1/namespaces/default';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const CLIENT = 'kubernetes.io/kube-apiserver-client';

/** An attribute of a name in DER. */
function attribute(oid: readonly number[], text: string): Buffer {
  const value = der(0x0c, Buffer.from(text));
  return der(0x31, der(0x30, Buffer.concat([der(0x06, Buffer.from(oid)), value])));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  return Buffer.concat([Buffer.from(length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255]), content]);
}

/** A certificate request, without a key: only its subject counts here. */
function requestFor(...organizations: readonly string[]): string {
  const names = [attribute([0x55, 4, 3], 'ada'), ...organizations.map((name) => attribute([0x55, 4, 10], name))];
  const info = der(0x30, Buffer.concat([der(0x02, Buffer.from([0])), der(0x30, Buffer.concat(names))]));
  const lines = der(0x30, info).toString('base64');
  return Buffer.from(`-----BEGIN CERTIFICATE REQUEST-----\n${lines}\n-----END CERTIFICATE REQUEST-----\n`).toString(
    'base64',
  );
}

function refusal({ status, body }: Asked): string {
  expect(status, JSON.stringify(body)).toBe(403);
  return body.message.replace(/^.*? is forbidden: /, '');
}

describe('plugins that look at subresources, users and nodes', () => {
  let server: InProcessServer;
  /** The rights on signers that were asked for; the user `ada` has none but those that are named here. */
  const asked: AccessAttributes[] = [];
  let granted: readonly string[] = [];

  beforeAll(async () => {
    server = await InProcessServer.start({
      authorizer: {
        authorize: async (attributes) => {
          const { resource, verb, name } = attributes;
          if (resource !== 'signers') return { allowed: true };
          asked.push(attributes);
          return { allowed: granted.includes(`${verb} ${name}`) };
        },
      },
    });
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  async function request(name: string, signerName: string, ...organizations: readonly string[]): Promise<Asked> {
    const spec = { request: requestFor(...organizations), signerName, usages: ['client auth'] };
    return server.ask('POST', REQUESTS, { metadata: { name }, spec });
  }

  it('approve a certificate only with the right on its signer, or on the domain of the signer', async () => {
    expect((await request('a', 'example.com/s')).status).toBe(201);
    const conditions = [{ type: 'Approved', status: 'True', reason: 'R' }];
    const approve = (): Promise<Asked> =>
      server.ask('PATCH', `${REQUESTS}/a/approval`, { status: { conditions } }, { type: MERGE });
    granted = ['sign example.com/s'];
    const refused = await approve();
    expect(refused.body.details).toStrictEqual({
      name: 'a',
      group: 'certificates.k8s.io',
      kind: 'certificatesigningrequests',
    });
    expect(refusal(refused)).toBe('user not permitted to approve requests with signerName "example.com/s"');
    expect(asked.map(({ verb, name, group }) => [verb, name, group])).toStrictEqual([
      ['approve', 'example.com/s', 'certificates.k8s.io'],
      ['approve', 'example.com/*', 'certificates.k8s.io'],
    ]);
    granted = ['approve example.com/*'];
    expect((await approve()).status).toBe(200);
  });

  it('sign with the right to sign, which another change of the status does not need', async () => {
    expect((await request('b', 'example.com/t')).status).toBe(201);
    const certificate = Buffer.from('-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n').toString('base64');
    const path = `${REQUESTS}/b/status`;
    const change = (body: Json): Promise<Asked> => server.ask('PATCH', path, body, { type: MERGE });
    granted = ['approve example.com/t'];
    expect(refusal(await change({ status: { certificate } }))).toBe(
      'user not permitted to sign requests with signerName "example.com/t"',
    );
    expect((await change({ metadata: { labels: { a: 'b' } } })).status).toBe(200);
    granted = ['sign example.com/t'];
    expect((await change({ status: { certificate } })).status).toBe(200);
  });

  it('give nobody a client certificate for system:masters', async () => {
    expect(refusal(await request('c', CLIENT, 'devs', 'system:masters'))).toBe(
      `use of ${CLIENT} signer with system:masters group is not allowed`,
    );
    expect((await request('c', CLIENT, 'devs')).status).toBe(201);
    expect((await request('d', 'example.com/s', 'system:masters')).status).toBe(201);
  });

  it.each(['', 'AAAA', requestFor('a').slice(0, 80)])('read no groups from what is no request: %s', (text) => {
    expect(organizationsOf(text)).toStrictEqual([]);
  });

  it('let a claim grow when it is bound and its class allows it', async () => {
    const path = `${NAMESPACE}/persistentvolumeclaims`;
    for (const [name, allowVolumeExpansion] of [
      ['grows', true],
      ['stays', false],
    ] as const) {
      const body = { metadata: { name }, provisioner: 'a.b/c', allowVolumeExpansion };
      await server.ok('POST', '/apis/storage.k8s.io/v1/storageclasses', body);
      await server.ok('GET', '/apis/storage.k8s.io/v1/storageclasses');
      const resources = { requests: { storage: '1Gi' } };
      const spec = { accessModes: ['ReadWriteOnce'], storageClassName: name, volumeName: 'v', resources };
      await server.ok('POST', path, { metadata: { name }, spec });
    }
    const grow = (name: string): Promise<Asked> =>
      server.ask(
        'PATCH',
        `${path}/${name}`,
        { spec: { resources: { requests: { storage: '2Gi' } } } },
        { type: MERGE },
      );
    const bind = (name: string): Promise<Asked> =>
      server.ask(
        'PATCH',
        `${path}/${name}/status`,
        { status: { phase: 'Bound', capacity: { storage: '1Gi' } } },
        { type: MERGE },
      );
    expect((await grow('grows')).status).toBe(422);
    for (const name of ['grows', 'stays']) expect((await bind(name)).status).toBe(200);
    expect((await grow('grows')).status).toBe(200);
    expect(refusal(await grow('stays'))).toBe(
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  });

  it('give a Pod the zone and the region of its node, and no more than the node has', async () => {
    const labels = { 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r', other: 'o' };
    const status = { allocatable: { cpu: '2', memory: '1Gi' } };
    await server.ok('POST', '/api/v1/nodes', { metadata: { name: 'n', labels }, status });
    await server.ok('POST', '/api/v1/nodes', { metadata: { name: 'w', labels: { 'kubernetes.io/os': 'windows' } } });
    await server.ok('GET', '/api/v1/nodes');
    const pod = (name: string, nodeName?: string): Promise<Json> =>
      server.ok('POST', `${NAMESPACE}/pods`, {
        metadata: { name, labels: { 'topology.kubernetes.io/zone': 'mine' } },
        spec: { nodeName, containers: [{ name: 'a', image: 'a', resources: { requests: { cpu: '1' } } }] },
      });
    const { other: _other, ...copied } = labels;
    expect((await pod('made', 'n')).metadata.labels).toStrictEqual(copied);
    expect((await pod('bound')).metadata.labels).toStrictEqual({ 'topology.kubernetes.io/zone': 'mine' });
    const target = { kind: 'Node', name: 'n' };
    await server.ok('POST', `${NAMESPACE}/pods/bound/binding`, { metadata: { name: 'bound' }, target });
    expect((await server.ok('GET', `${NAMESPACE}/pods/bound`)).metadata.labels).toStrictEqual(copied);
    const resize = (name: string, requests: Json): Promise<Asked> =>
      server.ask(
        'PATCH',
        `${NAMESPACE}/pods/${name}/resize`,
        { spec: { containers: [{ name: 'a', resources: { requests } }] } },
        { type: STRATEGIC },
      );
    const refused = await resize('bound', { cpu: '2500m' });
    expect(refused.body.details.causes).toStrictEqual([{ reason: 'NodeCapacity' }]);
    expect(refusal(refused)).toBe(
      "node didn't have enough allocatable resources: cpu, requested: 2500, allocatable: 2000",
    );
    expect((await resize('bound', { cpu: '2' })).status).toBe(200);
    await pod('windows', 'w');
    expect(refusal(await resize('windows', { cpu: '2' }))).toBe(
      'pod resize is only supported on linux nodes, node "w" is "windows"',
    );
    const small = { name: 'i', image: 'i', resources: { requests: { cpu: '1' } } };
    const containers = [{ name: 'a', image: 'a', resources: { requests: { cpu: '1' } } }];
    const spec = { nodeName: 'n', initContainers: [small], containers };
    await server.ok('POST', `${NAMESPACE}/pods`, { metadata: { name: 'init' }, spec });
    const resizeInit = (): Promise<Asked> => {
      const initContainers = [{ name: 'i', resources: { requests: { cpu: '1500m' } } }];
      return server.ask('PATCH', `${NAMESPACE}/pods/init/resize`, { spec: { initContainers } }, { type: STRATEGIC });
    };
    expect(refusal(await resizeInit())).toBe(
      'pod update requires features InPlacePodVerticalScalingInitContainers which are not available on node "n"',
    );
    const declared = { status: { declaredFeatures: ['InPlacePodVerticalScalingInitContainers'] } };
    await server.ask('PATCH', '/api/v1/nodes/n/status', declared, { type: MERGE });
    await server.ok('GET', '/api/v1/nodes');
    expect((await resizeInit()).status).toBe(200);
    await pod('lost', 'nowhere');
    expect(refusal(await resize('lost', { cpu: '2' }))).toBe('node "nowhere" not found');
  });
});
