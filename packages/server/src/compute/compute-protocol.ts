/** The messages between the main thread and the worker. */

import type { Status } from '@listwatch/api';
import type { SharedValue } from './compute-job.ts';

/** To the worker: one job. The worker has none before the last one is answered. */
export interface RunMessage {
  readonly job: string;
  readonly input: object;
  /** Values that this worker does not have yet. */
  readonly share: readonly SharedValue[];
  /** Keys of values that it drops: the main thread bounds what the worker keeps. */
  readonly forget: readonly string[];
}

/** How a job ended. */
export type JobOutcome = { readonly warnings: readonly string[] } & (
  | { readonly type: 'done'; readonly output: object }
  /** It threw a `StatusError`, which does not survive a structured clone. */
  | { readonly type: 'refused'; readonly status: Status; readonly retryAfterMs: number | undefined }
  /** It threw something else: a bug. */
  | { readonly type: 'failed'; readonly message: string; readonly stack: string | undefined }
);

/** From the worker. */
export type WorkerMessage =
  /** Its code is loaded. */
  { readonly type: 'ready' } | { readonly type: 'ended'; readonly outcome: JobOutcome };
