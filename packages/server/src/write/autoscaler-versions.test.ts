import { beforeEach, describe, expect, it } from 'vitest';
import { type Body, VerbFixture } from './verb.fixture.ts';

const V1 = '/apis/autoscaling/v1/namespaces/x/horizontalpodautoscalers';
const V2 = '/apis/autoscaling/v2/namespaces/x/horizontalpodautoscalers';
const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const pods = { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '5' } } };

let server: VerbFixture;

beforeEach(async () => {
  server = await new VerbFixture().namespace();
});

function create(url: string, spec: object = {}): Promise<Body> {
  return server.ok('POST', url, {
    body: { metadata: { name: 'a' }, spec: { scaleTargetRef, maxReplicas: 3, ...spec } },
  });
}

describe('an autoscaler', () => {
  it('made in v2 is read in v1, with annotations for what v1 does not know', async () => {
    await create(V2, { metrics: [pods] });
    const old = await server.ok('GET', `${V1}/a`);
    expect([old.apiVersion, old.spec]).toEqual(['autoscaling/v1', { scaleTargetRef, minReplicas: 1, maxReplicas: 3 }]);
    expect(old.metadata.annotations).toEqual({
      [METRICS]: '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"5"}}]',
    });
  });

  it('made in v1 is read in v2', async () => {
    await create(V1, { targetCPUUtilizationPercentage: 60 });
    const { apiVersion, spec, metadata } = await server.ok('GET', `${V2}/a`);
    expect([apiVersion, metadata.annotations]).toEqual(['autoscaling/v2', undefined]);
    expect(spec.metrics).toEqual([
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
    ]);
  });

  it('is one object: a name is taken in both versions', async () => {
    await create(V1);
    const body = { metadata: { name: 'a' }, spec: { scaleTargetRef, maxReplicas: 3 } };
    expect((await server.call('POST', V2, { body })).status).toBe(409);
    expect((await server.call('DELETE', `${V2}/a`)).status).toBe(200);
    expect((await server.call('GET', `${V1}/a`)).status).toBe(404);
  });

  it('loses nothing when a client of v1 writes back what it has read', async () => {
    await create(V2, { metrics: [pods], behavior: { scaleDown: { selectPolicy: 'Disabled' } } });
    const before = await server.ok('GET', `${V2}/a`);
    const old = await server.ok('GET', `${V1}/a`);
    await server.ok('PUT', `${V1}/a`, { body: { ...old, spec: { ...old.spec, maxReplicas: 4 } } });
    expect((await server.ok('GET', `${V2}/a`)).spec).toEqual({ ...before.spec, maxReplicas: 4 });
  });

  it('keeps the state that v2 knows when v1 writes its status', async () => {
    await create(V2);
    const conditions = [{ type: 'AbleToScale', status: 'True', lastTransitionTime: null }];
    const body = { status: { currentReplicas: 1, desiredReplicas: 2, currentMetrics: null, conditions } };
    await server.ok('PATCH', `${V2}/a/status`, { body, type: 'application/merge-patch+json' });
    const change = { status: { currentReplicas: 2 } };
    await server.ok('PATCH', `${V1}/a/status`, { body: change, type: 'application/merge-patch+json' });
    expect((await server.ok('GET', `${V2}/a`)).status).toMatchObject({
      currentReplicas: 2,
      desiredReplicas: 2,
      conditions,
    });
  });
});
