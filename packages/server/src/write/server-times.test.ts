import { wholeSeconds } from '@listwatch/rules/internal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InProcessServer } from '../start/in-process-server.fixture.ts';

const MERGE = { type: 'application/merge-patch+json' };

describe('times that the server writes into an object', () => {
  let server: InProcessServer;

  beforeAll(async () => {
    server = await InProcessServer.start();
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  it('are those of its clock, and not of the machine', async () => {
    const now = wholeSeconds(server.clock.now());
    const volumes = '/api/v1/persistentvolumes';
    const capacity = { storage: '1Gi' };
    const spec = { capacity, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } };
    await server.ok('POST', volumes, { metadata: { name: 'v' }, spec });
    const bound = await server.ok('PATCH', `${volumes}/v/status`, { status: { phase: 'Bound' } }, MERGE);
    expect(bound.status.lastPhaseTransitionTime).toBe(now);

    const slice = await server.ok('POST', '/apis/resource.k8s.io/v1/resourceslices', {
      metadata: { name: 's' },
      spec: {
        driver: 'd.example.com',
        nodeName: 'n',
        pool: { name: 'p', resourceSliceCount: 1, generation: 1 },
        devices: [{ name: 'a', taints: [{ key: 'k', effect: 'NoSchedule' }] }],
      },
    });
    expect(slice.spec.devices[0].taints[0].timeAdded).toBe(now);

    const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const pem = '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n';
    const request = Buffer.from(pem).toString('base64');
    await server.ok('POST', requests, {
      metadata: { name: 'r' },
      spec: { request, signerName: 'a.b/c', usages: ['client auth'] },
    });
    const approval = { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'R' }] } };
    const approved = await server.ok('PATCH', `${requests}/r/approval`, approval, MERGE);
    expect(approved.status.conditions[0]).toMatchObject({ lastUpdateTime: now, lastTransitionTime: now });
    const [first] = approved.status.conditions;
    const failed = { status: { conditions: [first, { type: 'Failed', status: 'True', reason: 'R' }] } };
    const { status } = await server.ok('PATCH', `${requests}/r/status`, failed, MERGE);
    expect(status.conditions[1]).toMatchObject({ lastUpdateTime: now, lastTransitionTime: now });
  });
});
