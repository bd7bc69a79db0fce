/** Errors that cross between the threads: as data, and as errors again. */

import { isStatusError, StatusError } from '@listwatch/api';
import { ComputeError } from './compute-error.ts';
import type { FailedOutcome, JobAnswer, RefusedOutcome } from './compute-protocol.ts';

/** An error as data. */
export function errorOutcome(error: unknown): RefusedOutcome | FailedOutcome {
  if (isStatusError(error)) return { type: 'refused', status: error.status, retryAfterMs: error.retryAfterMs };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { type: 'failed', message, stack };
}

/** The error that the data stand for. */
export function errorOf(outcome: RefusedOutcome | FailedOutcome): Error {
  if (outcome.type === 'refused') return new StatusError(outcome.status, { retryAfterMs: outcome.retryAfterMs });
  const cause = new Error(outcome.message);
  if (outcome.stack !== undefined) cause.stack = outcome.stack;
  return new ComputeError('COMPUTE_FAILED', outcome.message, { cause });
}

/** Returns the answer to a question, or throws the error in it. */
export function answeredWith(answer: JobAnswer): object {
  if (answer.type === 'done') return answer.answer;
  throw errorOf(answer);
}
