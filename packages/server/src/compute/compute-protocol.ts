/** The messages between the main thread and the worker. At most one job runs at a time; others wait for answers. */

import type { Status } from '@listwatch/api';
import type { SharedValue } from '../contract/large-work.ts';

/** Messages to the worker. The first two are sent only while no job runs. */
export type PoolMessage =
  | RunMessage
  | { readonly type: 'answer'; readonly id: number; readonly answer: JobAnswer }
  /** The caller has cancelled a job that waits for an answer. */
  | { readonly type: 'drop'; readonly id: number };

/** One job. */
export interface RunMessage {
  readonly type: 'run';
  readonly id: number;
  readonly job: string;
  readonly input: object;
  /** Values that this worker does not have yet. */
  readonly share: readonly SharedValue[];
  /** Keys of values that the worker must drop: the main thread limits the worker's memory. */
  readonly forget: readonly string[];
}

/** A `StatusError` as data: the error does not survive a structured clone. */
export interface RefusedOutcome {
  readonly type: 'refused';
  readonly status: Status;
  readonly retryAfterMs: number | undefined;
}

/** Another error: a bug. */
export interface FailedOutcome {
  readonly type: 'failed';
  readonly message: string;
  readonly stack: string | undefined;
}

/** The answer to the question of a job. */
export type JobAnswer = { readonly type: 'done'; readonly answer: object } | RefusedOutcome | FailedOutcome;

/** How a job ended. */
export type JobOutcome = { readonly warnings: readonly string[] } & (
  | { readonly type: 'done'; readonly output: object }
  | RefusedOutcome
  | FailedOutcome
);

/** Messages from the worker. */
export type WorkerMessage =
  /** The worker has loaded its code. */
  | { readonly type: 'ready' }
  /** The running job asks its caller and waits. */
  | { readonly type: 'asked'; readonly question: object }
  | { readonly type: 'ended'; readonly outcome: JobOutcome };
