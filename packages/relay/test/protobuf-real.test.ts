import { needs } from '@listwatch/conformance/parts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RealWorld } from './real-world.fixture.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const METADATA = `${PROTOBUF};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`;
const METADATA_LIST = `${PROTOBUF};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`;
const DEFAULT = '/api/v1/namespaces/default';
const WAIT = { timeout: 60_000, interval: 200 };
const POD = {
  metadata: { name: 'p', labels: { app: 'a' }, finalizers: ['example.com/kept'] },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'i',
        ports: [{ containerPort: 80 }],
        resources: { requests: { cpu: '100m', memory: '1Gi' } },
        env: [{ name: 'A', value: '<&>' }],
        livenessProbe: { httpGet: { path: '/', port: 'http' } },
      },
    ],
    volumes: [{ name: 'v', emptyDir: {} }],
  },
};

describe('protobuf in front of a kube-apiserver', needs('kube-apiserver'), () => {
  let world: RealWorld;

  beforeAll(async () => {
    const kinds = ['pods', 'secrets', 'leases.coordination.k8s.io', 'services', 'nodes'];
    world = await RealWorld.start({ kinds });
    await world.write('POST', '/api/v1/nodes', { metadata: { name: 'n' }, spec: { podCIDR: '10.1.0.0/24' } });
    await world.write('POST', `${DEFAULT}/secrets`, {
      metadata: { name: 's' },
      data: { empty: '', bytes: 'AAEC/w==' },
    });
    await world.write('POST', `${DEFAULT}/services`, {
      metadata: { name: 'w' },
      spec: { ports: [{ port: 80, targetPort: 'http' }] },
    });
    await world.write('POST', '/apis/coordination.k8s.io/v1/namespaces/default/leases', {
      metadata: { name: 'l' },
      spec: { renewTime: '2026-01-02T03:04:05.678901Z', leaseDurationSeconds: 40 },
    });
    await world.write('POST', `${DEFAULT}/pods`, POD);
  }, 240_000);
  afterAll(() => world?.[Symbol.asyncDispose]());

  const cached = (): number => world.relay.state.reads.cached.reduce((sum, { count }) => sum + count, 0);

  it.each([
    ['pods', `${DEFAULT}/pods?resourceVersion=0`, PROTOBUF],
    ['a pod', `${DEFAULT}/pods/p?resourceVersion=0`, PROTOBUF],
    ['no pod', '/api/v1/namespaces/none/pods?resourceVersion=0', PROTOBUF],
    ['secrets', `${DEFAULT}/secrets?resourceVersion=0`, PROTOBUF],
    ['services', '/api/v1/services?resourceVersion=0', PROTOBUF],
    ['nodes', '/api/v1/nodes?resourceVersion=0', PROTOBUF],
    ['leases', '/apis/coordination.k8s.io/v1/namespaces/default/leases?resourceVersion=0', PROTOBUF],
    ['metadata of pods', `${DEFAULT}/pods?resourceVersion=0`, METADATA_LIST],
    ['the metadata of a pod', `${DEFAULT}/pods/p?resourceVersion=0`, METADATA],
    ['a watch', `${DEFAULT}/pods?watch=true&resourceVersion=0&timeoutSeconds=1`, PROTOBUF],
    ['a watch of metadata', `${DEFAULT}/pods?watch=true&resourceVersion=0&timeoutSeconds=1`, METADATA],
  ])('%s: its bytes are those of kube-apiserver, where the relay knows its release', async (_, path, accept) => {
    await vi.waitFor(async () => {
      const before = cached();
      const through = await world.ask(path, { accept });
      const isCached = cached() > before;
      const direct = await world.direct(path, { accept });
      expect([through.status, through.headers['content-type']]).toEqual([200, direct.headers['content-type']]);
      expect(through.bytes?.toString('hex')).toBe(direct.bytes?.toString('hex'));
      expect(isCached).toBe(world.relay.state.upstream.isSameRelease);
    }, WAIT);
  });
});
