import { describe, expect, it } from 'vitest';
import { type Asked, InProcessServer, type Json } from '../../start/in-process-server.fixture.ts';

const POD = '/api/v1/namespaces/default/pods/p';
const DEBUG = `${POD}/ephemeralcontainers`;
const MERGE = { type: 'application/merge-patch+json' };
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

const CERTIFICATE_REQUEST = [
  '-----BEGIN CERTIFICATE REQUEST-----',
  'MIHRMHgCAQAwFjEUMBIGA1UEAwwLZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggq',
  'hkjOPQMBBwNCAARcGQ17Js35gnl3HBb2X5Bmlr1re/E3O1tuQ/V751Hy3xDy9m6R',
  '9nRV6gt/kcYwl+OGEa0e1/4Zt+EQxNdNJhDGoAAwCgYIKoZIzj0EAwIDSQAwRgIh',
  'APHMK9Uv2pMXmNK8Wjt8fEVXNDNXH6ZY6SPQ1zyeYkcNAiEA0VIqv9sLfQzMWLVQ',
  'bK4I6qPeE/484PoKoTqePf3p+t8=',
  '-----END CERTIFICATE REQUEST-----',
  '',
].join('\n');

const RESOURCES = { requests: { cpu: '100m', memory: '10Mi' }, limits: { cpu: '200m', memory: '20Mi' } };

async function start(resources: object = {}): Promise<InProcessServer> {
  const server = await InProcessServer.start();
  const spec = { containers: [{ name: 'c', image: 'i', resources }] };
  await server.ok('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'p', labels: { a: 'b' } }, spec });
  return server;
}

const messageOf = ({ status, body }: Asked): unknown => [status, body.message];
const debug = (server: InProcessServer, ...ephemeralContainers: readonly object[]): Promise<Asked> =>
  server.ask('PATCH', DEBUG, JSON.stringify({ spec: { ephemeralContainers } }), MERGE);

const may = (what: string): unknown => [
  422,
  `Pod "p" is invalid: spec.ephemeralContainers: Forbidden: existing ephemeral containers "d" may not be ${what}\n`,
];

describe('ephemeralcontainers', () => {
  it('adds containers with their defaults, and changes nothing else', async () => {
    await using server = await start();
    const pod = await server.ok('GET', DEBUG);
    const spec = {
      ...pod.spec,
      containers: [{ name: 'c', image: 'other' }],
      ephemeralContainers: [{ name: 'd', image: 'busybox' }],
    };
    const changed = await server.ok('PUT', DEBUG, { ...pod, metadata: { ...pod.metadata, labels: { x: 'y' } }, spec });
    expect(changed.spec.ephemeralContainers).toMatchObject([{ name: 'd', terminationMessagePolicy: 'File' }]);
    expect(changed.spec.containers).toEqual(pod.spec.containers);
    expect([changed.metadata.labels, changed.metadata.generation]).toEqual([{ a: 'b' }, 2]);
  });

  it('does not change or remove one that is there', async () => {
    await using server = await start();
    await debug(server, { name: 'd', image: 'busybox' });
    expect(messageOf(await debug(server))).toEqual(may('removed'));
    expect(messageOf(await debug(server, { name: 'd', image: 'other' }))).toEqual(may('changed'));
  });

  it.each([
    [{ name: 'c', image: 'i' }, 'spec.ephemeralContainers[0].name: Duplicate value: "c"'],
    [
      { name: 'd', image: 'i', targetContainerName: 'x' },
      'spec.ephemeralContainers[0].targetContainerName: Not found: "x"',
    ],
    [
      {
        name: 'd',
        ports: [{ containerPort: 1 }],
        resources: { limits: { cpu: '1' } },
        livenessProbe: { exec: { command: ['a'] } },
      },
      '[spec.ephemeralContainers[0].image: Required value, spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container, spec.ephemeralContainers[0].resources: Forbidden: cannot be set for an Ephemeral Container, spec.ephemeralContainers[0].livenessProbe: Forbidden: cannot be set for an Ephemeral Container]',
    ],
  ])('refuses %j', async (container, why) => {
    await using server = await start();
    expect(messageOf(await debug(server, container))).toEqual([422, `Pod "p" is invalid: ${why}`]);
  });

  it('of an old version is a conflict, of a missing Pod a 404, and is not deleted', async () => {
    await using server = await start();
    const pod = await server.ok('GET', POD);
    await debug(server, { name: 'd', image: 'busybox' });
    expect((await server.ask('PUT', DEBUG, pod)).status).toBe(409);
    expect((await server.ask('PATCH', DEBUG.replace('/p/', '/nope/'), '{}', MERGE)).status).toBe(404);
    expect((await server.ask('DELETE', DEBUG)).status).toBe(405);
  });
});

const resize = async (server: InProcessServer, change: (container: Json) => object): Promise<Asked> => {
  const pod = await server.ok('GET', `${POD}/resize`);
  const containers = pod.spec.containers.map(change);
  const metadata = { ...pod.metadata, labels: { x: 'y' } };
  return server.ask('PUT', `${POD}/resize`, { ...pod, metadata, spec: { ...pod.spec, containers } });
};

describe('resize', () => {
  it('changes CPU and memory, and drops what else was sent', async () => {
    await using server = await start(RESOURCES);
    const resources = { ...RESOURCES, requests: { cpu: '150m', memory: '12Mi' } };
    const { status, body } = await resize(server, (container) => ({ ...container, image: 'other', resources }));
    expect([status, body.spec.containers[0].resources, body.spec.containers[0].image]).toEqual([200, resources, 'i']);
    expect([body.metadata.labels, body.metadata.generation]).toEqual([{ a: 'b' }, 2]);
  });

  it.each([
    [
      { requests: RESOURCES.limits, limits: RESOURCES.limits },
      'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
    ],
    [
      { requests: RESOURCES.requests, limits: { cpu: '200m' } },
      'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
    ],
    [
      { ...RESOURCES, requests: { ...RESOURCES.requests, 'ephemeral-storage': '1Gi' } },
      'spec: Forbidden: only cpu and memory resources are mutable',
    ],
  ])('to %j is refused', async (resources, why) => {
    await using server = await start(RESOURCES);
    expect(messageOf(await resize(server, (container) => ({ ...container, resources })))).toEqual([
      422,
      `Pod "p" is invalid: ${why}`,
    ]);
  });

  it('of the whole pod goes up, and is never removed', async () => {
    await using server = await start(RESOURCES);
    const change = async (spec: object): Promise<Asked> =>
      server.ask('PATCH', `${POD}/resize`, JSON.stringify({ spec }), MERGE);
    const whole = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '2Gi' } };
    expect((await change({ resources: whole })).body.spec.resources).toEqual(whole);
    expect(messageOf(await change({ resources: null }))).toEqual([
      422,
      expect.stringContaining('spec.resources: Forbidden: pod-level resources cannot be removed'),
    ]);
  });

  it('adds, renames and reorders no containers', async () => {
    await using server = await start(RESOURCES);
    const { status, body } = await resize(server, (container) => ({ ...container, name: 'other' }));
    expect([status, body.message]).toEqual([
      422,
      expect.stringContaining(
        'spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize',
      ),
    ]);
  });
});

it('the approval of a certificate request changes its conditions and not its certificate', async () => {
  await using server = await InProcessServer.start();
  // A request for example.com, made once.
  const request = Buffer.from(CERTIFICATE_REQUEST).toString('base64');
  const spec = { request, signerName: 'example.com/signer', usages: ['client auth'] };
  await server.ok('POST', REQUESTS, { metadata: { name: 'r' }, spec });
  const status = { certificate: 'YQ==', conditions: [{ type: 'Approved', status: 'True', reason: 'ok' }] };
  const changed = await server.ok(
    'PATCH',
    `${REQUESTS}/r/approval`,
    JSON.stringify({ spec: { signerName: 'x/y' }, status }),
    MERGE,
  );
  expect(changed.status).toEqual({
    conditions: [
      {
        type: 'Approved',
        status: 'True',
        reason: 'ok',
        lastUpdateTime: expect.stringMatching(/^\d{4}-.*Z$/u),
        lastTransitionTime: expect.stringMatching(/^\d{4}-.*Z$/u),
      },
    ],
  });
  expect(changed.spec.signerName).toBe('example.com/signer');
});
