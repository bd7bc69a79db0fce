/** The worker's side: answers one job after another. */

import type { MessagePort } from 'node:worker_threads';
import { isStatusError } from '@listwatch/api';
import type { ComputeJob, JobContext, JobTable } from './compute-job.ts';
import type { JobOutcome, RunMessage, WorkerMessage } from './compute-protocol.ts';
import { givenAway } from './transferred-bytes.ts';

interface Shared {
  readonly bytes: Uint8Array;
  /** What `read` made of it. */
  made?: { readonly value: unknown };
}

/** Says `ready`, then serves the jobs of the table until the port is closed. */
export function serveJobs(jobs: JobTable, port: MessagePort): void {
  const values = new Map<string, Shared>();
  const post = (message: WorkerMessage, memory: readonly ArrayBuffer[] = []): void =>
    port.postMessage(message, [...memory]);
  port.on('message', (message: RunMessage) => {
    for (const key of message.forget) values.delete(key);
    for (const { key, bytes } of message.share) values.set(key, { bytes });
    void outcomeOf(jobs, values, message).then((outcome) => {
      if (outcome.type !== 'done') return post({ type: 'ended', outcome });
      try {
        const { message: output, memory } = givenAway(outcome.output);
        return post({ type: 'ended', outcome: { ...outcome, output } }, memory);
      } catch (error) {
        // An output that cannot be cloned must not end the worker.
        return post({ type: 'ended', outcome: failed(error, outcome.warnings) });
      }
    });
  });
  post({ type: 'ready' });
}

async function outcomeOf(jobs: JobTable, values: Map<string, Shared>, message: RunMessage): Promise<JobOutcome> {
  const warnings: string[] = [];
  const context: JobContext = {
    warn: (text) => warnings.push(text),
    shared: (key, read) => {
      const found = values.get(key);
      if (found === undefined) throw new RangeError(`the job did not name the shared value ${key}`);
      found.made ??= { value: read(found.bytes) };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one key is read in one way
      return found.made.value as ReturnType<typeof read>;
    },
  };
  try {
    const job = jobOf(jobs, message.job);
    await job.load?.(message.input);
    return { type: 'done', output: job.run(message.input, context), warnings };
  } catch (error) {
    if (isStatusError(error)) {
      return { type: 'refused', status: error.status, retryAfterMs: error.retryAfterMs, warnings };
    }
    return failed(error, warnings);
  }
}

function failed(error: unknown, warnings: readonly string[]): JobOutcome {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { type: 'failed', message, stack, warnings };
}

function jobOf(jobs: JobTable, name: string): ComputeJob<object, object> {
  const job = Object.hasOwn(jobs, name) ? jobs[name] : undefined;
  if (job === undefined) throw new RangeError(`there is no job ${name}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pool takes only inputs of the job that it names
  return job as unknown as ComputeJob<object, object>;
}
