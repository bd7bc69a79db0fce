import { Quantity } from '@listwatch/api/values';
import { podAmounts } from '@listwatch/rules/usage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AdmissionServer, podOf } from './admission-server.fixture.ts';

const PATH = '/api/v1/namespaces/default';
const limits = [
  {
    type: 'Container',
    default: { cpu: '500m' },
    defaultRequest: { cpu: '100m' },
    max: { cpu: '1' },
    min: { cpu: '50m' },
    maxLimitRequestRatio: { cpu: '6' },
  },
  { type: 'Pod', max: { memory: '1Gi' } },
  { type: 'PersistentVolumeClaim', max: { storage: '5Gi' }, min: { storage: '1Gi' } },
];

function podWith(resources: object): object {
  return podOf('p', { containers: [{ name: 'a', image: 'a', resources }] });
}

function claimOf(storage: string): object {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } };
  return { metadata: { name: 'c' }, spec };
}

describe('a LimitRange', () => {
  let server: AdmissionServer;

  beforeEach(async () => {
    server = await AdmissionServer.start();
    await server.create(`${PATH}/limitranges`, { metadata: { name: 'l' }, spec: { limits } });
  });

  afterEach(async () => {
    await server[Symbol.asyncDispose]();
  });

  it('gives containers its defaults, says so, and the class of service follows', async () => {
    const { metadata, spec, status } = await server.create(`${PATH}/pods`, podWith({ limits: { memory: '1Gi' } }));
    expect(spec.containers[0].resources).toStrictEqual({
      limits: { cpu: '500m', memory: '1Gi' },
      requests: { cpu: '100m', memory: '1Gi' },
    });
    expect(metadata.annotations).toStrictEqual({
      'kubernetes.io/limit-ranger': 'LimitRanger plugin set: cpu request for container a; cpu limit for container a',
    });
    expect(status.qosClass).toBe('Burstable');
  });

  it('refuses a pod without a limit that it bounds', async () => {
    expect(await server.refusal(`${PATH}/pods`, podWith({}))).toBe(
      'pods "p" is forbidden: maximum memory usage per Pod is 1Gi.  No limit is specified',
    );
  });

  it('refuses a pod with all that is wrong', async () => {
    const resources = { limits: { memory: '2Gi', cpu: '2' }, requests: { cpu: '10m' } };
    const complaints = [
      'minimum cpu usage per Container is 50m, but request is 10m',
      'maximum cpu usage per Container is 1, but limit is 2',
      'cpu max limit to request ratio per Container is 6, but provided ratio is 200.000000',
      'maximum memory usage per Pod is 1Gi, but limit is 2Gi',
    ];
    expect(await server.refusal(`${PATH}/pods`, podWith(resources))).toBe(
      `pods "p" is forbidden: [${complaints.join(', ')}]`,
    );
  });

  it('bounds a resize', async () => {
    await server.create(`${PATH}/pods`, podWith({ limits: { memory: '512Mi' }, requests: { memory: '256Mi' } }));
    const resources = { requests: { cpu: '10m' }, limits: { cpu: '2' } };
    const patch = { spec: { containers: [{ name: 'a', resources }] } };
    const complaint = 'minimum cpu usage per Container is 50m, but request is 10m';
    expect(await server.refusal(`${PATH}/pods/p/resize`, patch, 'PATCH')).toMatch(complaint);
  });

  it('bounds claims', async () => {
    const refused = async (storage: string): Promise<string> =>
      server.refusal(`${PATH}/persistentvolumeclaims`, claimOf(storage));
    const text = 'persistentvolumeclaims "c" is forbidden:';
    const kind = 'storage usage per PersistentVolumeClaim is';
    expect(await refused('10Gi')).toBe(`${text} maximum ${kind} 5Gi, but request is 10Gi`);
    expect(await refused('1Mi')).toBe(`${text} minimum ${kind} 1Gi, but request is 1Mi`);
    await server.create(`${PATH}/persistentvolumeclaims`, claimOf('5Gi'));
  });

  it('concerns its own namespace only', async () => {
    await server.create('/api/v1/namespaces', { metadata: { name: 'other' } });
    expect((await server.create('/api/v1/namespaces/other/pods', podWith({}))).metadata.annotations).toBeUndefined();
  });
});

function container(memory: string, more: object = {}): object {
  return { resources: { requests: { memory } }, ...more };
}

function memoryOf(spec: Readonly<Record<string, unknown>>): string {
  return String(podAmounts(spec, 'requests').get('memory') ?? Quantity.ZERO);
}

describe('the amounts of a pod', () => {
  it('are the sum of its containers and sidecars, or more if an init container needs more', () => {
    const containers = [container('1Gi'), container('512Mi')];
    const sidecar = container('256Mi', { restartPolicy: 'Always' });
    expect(memoryOf({ containers })).toBe('1536Mi');
    expect(memoryOf({ containers, initContainers: [sidecar] })).toBe('1792Mi');
    expect(memoryOf({ containers, initContainers: [sidecar, container('2Gi')] })).toBe('2304Mi');
    expect(memoryOf({ containers, overhead: { memory: '512Mi' } })).toBe('2Gi');
  });
});
