import { expect, it } from 'vitest';
import { clusterProblem } from './cluster-problem.ts';
import type { UpstreamAnswer } from './console-upstream.ts';

function answer(status: number): UpstreamAnswer {
  return { status, headers: {}, body: (async function* () {})() };
}

it.each([200, 201, 403, 404])('a cluster that answers %d is no problem', async (status) => {
  expect(await clusterProblem(async () => answer(status))).toBeUndefined();
});

it('says what to do when the cluster does not accept the credentials', async () => {
  expect(await clusterProblem(async () => answer(401))).toMatch(/does not accept your credentials.*--context/u);
});

it('says what to do when the cluster does not answer', async () => {
  const problem = await clusterProblem(() => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1:6443')));
  expect(problem).toMatch(/cannot be reached: connect ECONNREFUSED 10\.0\.0\.1:6443\. .*network/u);
});
