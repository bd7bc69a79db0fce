import { describe, expect, it } from 'vitest';
import { defaultPod, defaultPodSpec } from './pod-defaults.ts';

function podOf(spec: object): unknown {
  return defaultPod({ kind: 'Pod', apiVersion: 'v1', metadata: {}, spec })['spec'];
}

function container(fields: object): unknown {
  return defaultPodSpec({ containers: [fields] })['containers'];
}

describe('the defaults of a container', () => {
  it.each([
    ['i', 'Always'],
    ['i:latest', 'Always'],
    ['host:5000/i', 'Always'],
    ['i:1', 'IfNotPresent'],
    ['host:5000/i:1', 'IfNotPresent'],
    [`i@sha256:${'ab'.repeat(32)}`, 'IfNotPresent'],
    [`i:latest@sha256:${'ab'.repeat(32)}`, 'Always'],
    ['i:latest@sha256:abc', 'IfNotPresent'],
  ])('the image %s is pulled %s', (image, imagePullPolicy) => {
    expect(container({ image })).toMatchObject([{ imagePullPolicy }]);
  });

  it.each([
    ['a port', { ports: [{ containerPort: 1 }] }, { ports: [{ containerPort: 1, protocol: 'TCP' }] }],
    [
      'a probe',
      { livenessProbe: { httpGet: { port: 80 } } },
      {
        livenessProbe: {
          httpGet: { port: 80, path: '/', scheme: 'HTTP' },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
      },
    ],
    [
      'a hook',
      { lifecycle: { preStop: { httpGet: { port: 80 } } } },
      { lifecycle: { preStop: { httpGet: { path: '/', scheme: 'HTTP' } } } },
    ],
    [
      'a variable from a field',
      { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
      { env: [{ valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }] },
    ],
  ])('%s is completed', (_, fields, expected) => {
    expect(container(fields)).toMatchObject([expected]);
  });
});

describe('the defaults of a volume', () => {
  it.each([
    [{ name: 'v' }, { name: 'v', emptyDir: {} }],
    [
      { name: 'v', configMap: { name: 'm' } },
      { name: 'v', configMap: { name: 'm', defaultMode: 420 } },
    ],
    [
      { name: 'v', secret: { defaultMode: 256 } },
      { name: 'v', secret: { defaultMode: 256 } },
    ],
    [
      { name: 'v', hostPath: { path: '/' } },
      { name: 'v', hostPath: { path: '/', type: '' } },
    ],
    [
      { name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
      {
        name: 'v',
        projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }], defaultMode: 420 },
      },
    ],
  ])('of %j', (volume, expected) => {
    expect(defaultPodSpec({ volumes: [volume] })['volumes']).toEqual([expected]);
  });
});

describe('the defaults of a pod', () => {
  it('asks for what it is limited to, unless it asks for less', () => {
    const resources = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } };
    expect(podOf({ containers: [{ resources }] })).toMatchObject({
      containers: [{ resources: { requests: { cpu: '500m', memory: '1Gi' } } }],
    });
    expect(defaultPodSpec({ containers: [{ resources }] })).toMatchObject({
      containers: [{ resources: { requests: { cpu: '500m' } } }],
    });
  });

  it('has the ports of its host when it shares its network', () => {
    expect(podOf({ hostNetwork: true, containers: [{ ports: [{ containerPort: 80 }] }] })).toMatchObject({
      containers: [{ ports: [{ containerPort: 80, hostPort: 80 }] }],
    });
  });

  it('has its account under both names', () => {
    expect(podOf({ serviceAccount: 'x' })).toMatchObject({ serviceAccount: 'x', serviceAccountName: 'x' });
    expect(podOf({})).not.toHaveProperty('serviceAccountName');
  });

  it('keeps what its author says', () => {
    const own = { restartPolicy: 'Never', terminationGracePeriodSeconds: 0, enableServiceLinks: false };
    expect(podOf(own)).toMatchObject(own);
  });
});
