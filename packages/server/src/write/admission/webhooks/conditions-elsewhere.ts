/** Sends conditions that take long to the worker. */

import type { DecideAccess, MatchVerdict } from '@listwatch/rules/internal';
import { ComputeError, computeFailure } from '../../../compute/compute-error.ts';
import type { RunOptions } from '../../../compute/compute-pool.ts';
import type { ConditionsInput, RightAnswer, RightQuestion } from './conditions-job.ts';
import type { WebhookWorld } from './webhook-world.ts';

/** The pool, as conditions use it. */
export interface ConditionsPool {
  run(job: 'conditions', input: ConditionsInput, options: RunOptions): Promise<MatchVerdict>;
}

/** Rejects with the failure of the worker: 429, 504 or 500. */
export function conditionsElsewhere(pool: ConditionsPool): NonNullable<WebhookWorld['elsewhere']> {
  return async (input, decide, { flow, signal }) => {
    try {
      return await pool.run('conditions', input, {
        flow,
        signal: signal(),
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the job asks nothing else
        answer: (question) => answered(decide, question as RightQuestion),
      });
    } catch (error) {
      throw error instanceof ComputeError ? computeFailure(error) : error;
    }
  };
}

async function answered(decide: DecideAccess, { check }: RightQuestion): Promise<RightAnswer> {
  return { verdict: await decide(check) };
}
