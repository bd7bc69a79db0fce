import type { MatchVerdict } from '@listwatch/rules/internal';
import { expect, it } from 'vitest';
import { ComputeError } from '../../../compute/compute-error.ts';
import type { RunOptions } from '../../../compute/compute-pool.ts';
import { conditionsElsewhere } from './conditions-elsewhere.ts';

type Elsewhere = ReturnType<typeof conditionsElsewhere>;
type Input = Parameters<Elsewhere>[0];
type Check = Parameters<Parameters<Elsewhere>[1]>[0];

const { signal } = new AbortController();
const passedOn = (name: string) => JSON.parse(JSON.stringify(name));
const CHECK: Check = passedOn('a check');
const INPUT: Input = passedOn('an input');
const VERDICT: MatchVerdict = passedOn('matches');
const DECISION: Awaited<ReturnType<Parameters<Elsewhere>[1]>> = passedOn('decided');
const limits = { flow: undefined, signal: () => signal };

it('conditions are judged in the worker, which asks here what a user may do', async () => {
  const runs: (readonly unknown[])[] = [];
  const elsewhere = conditionsElsewhere({
    run: async (job, input, options: RunOptions) => {
      runs.push([job, input, options.signal]);
      runs.push([await options.answer?.({ check: CHECK })]);
      return VERDICT;
    },
  });
  const checks: Check[] = [];
  const decide = async (check: Check): Promise<typeof DECISION> => {
    checks.push(check);
    return DECISION;
  };
  expect(await elsewhere(INPUT, decide, limits)).toBe(VERDICT);
  expect([runs, checks]).toEqual([[['conditions', INPUT, signal], [{ verdict: DECISION }]], [CHECK]]);
});

it.each([
  ['of the worker is an answer', new ComputeError('COMPUTE_DEADLINE', 'too long'), { httpCode: 504 }],
  ['of the request is left as it is', new RangeError('refused'), { message: 'refused' }],
])('a failure %s', async (_, failure, expected) => {
  const elsewhere = conditionsElsewhere({ run: () => Promise.reject(failure) });
  await expect(elsewhere(INPUT, () => Promise.reject(new Error('nobody asks')), limits)).rejects.toMatchObject(
    expected,
  );
});
