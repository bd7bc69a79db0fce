/** The worker's side: runs one job at a time. While a job waits for an answer, other jobs run. */

import type { MessagePort } from 'node:worker_threads';
import type { ComputeJob, JobContext, JobTable } from './compute-job.ts';
import { answeredWith, errorOutcome } from './compute-outcome.ts';
import type { JobAnswer, JobOutcome, PoolMessage, RunMessage, WorkerMessage } from './compute-protocol.ts';
import { givenAway } from './transferred-bytes.ts';

interface Shared {
  readonly bytes: Uint8Array;
  /** The value that `read` has decoded. */
  made?: { readonly value: unknown };
}

/** Posts `ready`, then serves the jobs of the table until the port is closed. */
export function serveJobs(jobs: JobTable, port: MessagePort): void {
  const values = new Map<string, Shared>();
  const asking = new Map<number, (answer: JobAnswer) => void>();
  const post = (message: WorkerMessage, memory: readonly ArrayBuffer[] = []): void =>
    port.postMessage(message, [...memory]);
  const ask = (id: number, given: object): Promise<object> => {
    if (asking.has(id)) throw new TypeError('a job asks one question at a time');
    const { message: question, memory } = givenAway(given);
    const answered = new Promise<JobAnswer>((resolve) => asking.set(id, resolve));
    post({ type: 'asked', question }, memory);
    return answered.then(answeredWith);
  };
  const run = async (message: RunMessage): Promise<void> => {
    for (const key of message.forget) values.delete(key);
    for (const { key, bytes } of message.share) values.set(key, { bytes });
    const outcome = await outcomeOf(jobs, values, message, (question) => ask(message.id, question));
    if (outcome.type !== 'done') return post({ type: 'ended', outcome });
    try {
      const { message: output, memory } = givenAway(outcome.output);
      return post({ type: 'ended', outcome: { ...outcome, output } }, memory);
    } catch (error) {
      // An output that cannot be cloned must not end the worker.
      return post({ type: 'ended', outcome: { ...errorOutcome(error), warnings: outcome.warnings } });
    }
  };
  port.on('message', (message: PoolMessage) => {
    if (message.type === 'run') return void run(message);
    const resume = asking.get(message.id);
    asking.delete(message.id);
    // A dropped job never resumes: the garbage collector frees it together with its question.
    if (message.type === 'answer') resume?.(message.answer);
  });
  post({ type: 'ready' });
}

async function outcomeOf(
  jobs: JobTable,
  values: ReadonlyMap<string, Shared>,
  message: RunMessage,
  ask: JobContext['ask'],
): Promise<JobOutcome> {
  const warnings: string[] = [];
  const context: JobContext = {
    ask,
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
    return { type: 'done', output: await jobOf(jobs, message.job).run(message.input, context), warnings };
  } catch (error) {
    return { ...errorOutcome(error), warnings };
  }
}

function jobOf(jobs: JobTable, name: string): ComputeJob<object, object> {
  const job = Object.hasOwn(jobs, name) ? jobs[name] : undefined;
  if (job === undefined) throw new RangeError(`there is no job ${name}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pool takes only inputs of the job that it names
  return job as unknown as ComputeJob<object, object>;
}
