import { describe, expect, it } from 'vitest';
import { type Asked, InProcessServer, type Json } from '../../start/in-process-server.fixture.ts';

const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const MERGE = { type: 'application/merge-patch+json' };
const EVICTION = { metadata: { name: 'p' } };

async function makePod(server: InProcessServer, name: string, ready: 'False' | 'True' = 'True'): Promise<Json> {
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  await server.ok('POST', PODS, { metadata: { name, labels: { app: 'web' } }, spec });
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] };
  return server.ok('PATCH', `${PODS}/${name}/status`, JSON.stringify({ status }), MERGE);
}

async function setBudget(server: InProcessServer, status: object, name = 'b', spec: object = {}): Promise<void> {
  const selector = { matchLabels: { app: 'web' } };
  await server.ask('POST', BUDGETS, { metadata: { name }, spec: { minAvailable: 1, selector, ...spec } });
  const whole = { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, ...status };
  await server.ok(
    'PATCH',
    `${BUDGETS}/${name}/status`,
    JSON.stringify({ status: { expectedPods: 1, ...whole } }),
    MERGE,
  );
}

const evict = (server: InProcessServer, body: object = EVICTION, query = ''): Promise<Asked> =>
  server.ask('POST', `${PODS}/p/eviction${query}`, body);

const exists = async (server: InProcessServer): Promise<boolean> =>
  (await server.ask('GET', `${PODS}/p`)).status === 200;

describe('an eviction', () => {
  it('may be written in the version that old clients send', async () => {
    await using server = await InProcessServer.start();
    await makePod(server, 'p');
    expect((await evict(server, { apiVersion: 'policy/v1beta1', kind: 'Eviction', ...EVICTION })).status).toBe(201);
    expect(await exists(server)).toBe(false);
  });

  it('without a budget deletes the Pod', async () => {
    await using server = await InProcessServer.start();
    await makePod(server, 'p');
    const { status, body } = await evict(server);
    expect([status, body]).toEqual([
      201,
      { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
    ]);
    expect(await exists(server)).toBe(false);
    expect((await evict(server)).body.message).toBe('pods "p" not found');
  });

  it('in a dry run, asked for either way, deletes nothing and costs the budget nothing', async () => {
    await using server = await InProcessServer.start();
    await makePod(server, 'p');
    await setBudget(server, { disruptionsAllowed: 1 });
    expect((await evict(server, EVICTION, '?dryRun=All')).status).toBe(201);
    expect((await evict(server, { ...EVICTION, deleteOptions: { dryRun: ['All'] } })).status).toBe(201);
    expect(await exists(server)).toBe(true);
    expect((await server.ok('GET', `${BUDGETS}/b`)).status.disruptionsAllowed).toBe(1);
  });

  it('takes one disruption from the budget', async () => {
    await using server = await InProcessServer.start();
    await makePod(server, 'p');
    await setBudget(server, { disruptionsAllowed: 1 });
    expect((await evict(server)).status).toBe(201);
    expect((await server.ok('GET', `${BUDGETS}/b`)).status).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { p: '2023-11-14T22:13:20Z' },
      conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods', observedGeneration: 1 }],
    });
  });

  it.each([
    [{}, 0, 'The disruption budget b needs 1 healthy pods and has 1 currently'],
    [{ observedGeneration: 0 }, 10, 'The disruption budget b is still being processed by the server.'],
    [
      {
        conditions: [
          {
            type: 'DisruptionAllowed',
            status: 'False',
            reason: 'SyncFailed',
            message: 'why',
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
      },
      0,
      'The disruption budget b does not allow evicting pods currently because it failed sync: why',
    ],
  ])('with the budget %j is refused for now', async (status, retryAfterSeconds, message) => {
    await using server = await InProcessServer.start();
    await makePod(server, 'p');
    await setBudget(server, status);
    const asked = await evict(server);
    expect(asked).toMatchObject({
      status: 429,
      body: {
        reason: 'TooManyRequests',
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
        details: { causes: [{ reason: 'DisruptionBudget', message }] },
      },
    });
    expect(asked.body.details.retryAfterSeconds ?? 0).toBe(retryAfterSeconds);
    expect(await exists(server)).toBe(true);
  });

  it('of a Pod that is not ready is free while the others are healthy enough, or when the budget says so', async () => {
    await using server = await InProcessServer.start();
    await makePod(server, 'p', 'False');
    await setBudget(server, { currentHealthy: 0 });
    expect((await evict(server)).status).toBe(429);
    await setBudget(server, { currentHealthy: 1 });
    expect((await evict(server)).status).toBe(201);
    await makePod(server, 'p', 'False');
    await server.ok('DELETE', `${BUDGETS}/b`);
    await setBudget(server, { currentHealthy: 0 }, 'b', { unhealthyPodEvictionPolicy: 'AlwaysAllow' });
    expect((await evict(server)).status).toBe(201);
  });

  it('of a Pod that does not run needs no budget', async () => {
    await using server = await InProcessServer.start();
    await makePod(server, 'p');
    await setBudget(server, {});
    await server.ok('PATCH', `${PODS}/p/status`, '{"status":{"phase":"Succeeded"}}', MERGE);
    expect((await evict(server)).status).toBe(201);
  });

  it('of a Pod with two budgets, or with too many unconfirmed evictions, is refused', async () => {
    await using server = await InProcessServer.start();
    await makePod(server, 'p');
    const disrupted = Array.from({ length: 2001 }, (_, index) => [`x${index}`, '2026-01-01T00:00:00Z']);
    await setBudget(server, { disruptionsAllowed: 1, disruptedPods: Object.fromEntries(disrupted) });
    expect((await evict(server)).body).toMatchObject({
      code: 403,
      message:
        'poddisruptionbudget.policy "b" is forbidden: DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    });
    await setBudget(server, { disruptionsAllowed: 1 }, 'second');
    expect((await evict(server)).body).toMatchObject({
      code: 500,
      message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    });
  });

  it('needs the name of the Pod, its uid if it names one, and right options', async () => {
    await using server = await InProcessServer.start();
    await makePod(server, 'p');
    expect((await evict(server, {})).body.message).toBe('name in URL does not match name in Eviction object');
    const other = await evict(server, { ...EVICTION, deleteOptions: { preconditions: { uid: 'abc' } } });
    expect(other.body).toMatchObject({
      code: 409,
      message: expect.stringContaining('the UID in the precondition (abc)'),
    });
    expect((await evict(server, { ...EVICTION, deleteOptions: { dryRun: ['x'] } })).status).toBe(422);
    expect(await exists(server)).toBe(true);
  });

  it('of twenty Pods at once takes no more than the budget allows', async () => {
    await using server = await InProcessServer.start();
    const names = Array.from({ length: 20 }, (_, index) => `p${index}`);
    for (const name of names) await makePod(server, name);
    await setBudget(server, { disruptionsAllowed: 3, currentHealthy: 20, desiredHealthy: 17 });
    const asked = await Promise.all(
      names.map((name) => server.ask('POST', `${PODS}/${name}/eviction`, { metadata: { name } })),
    );
    expect(asked.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array(3).fill(201),
      ...Array(17).fill(429),
    ]);
    expect((await server.ok('GET', PODS)).items).toHaveLength(17);
    const { disruptionsAllowed, disruptedPods } = (await server.ok('GET', `${BUDGETS}/b`)).status;
    expect([disruptionsAllowed, Object.keys(disruptedPods)]).toEqual([0, expect.objectContaining({ length: 3 })]);
  });
});
