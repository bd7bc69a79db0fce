/** Runs jobs on large bodies in a worker thread: plain synchronous code there, short turns of the event loop here. */

import type { Worker } from 'node:worker_threads';
import { backgroundClock, type CancelTimer, type Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { SharedValue } from '../contract/large-work.ts';
import type { WorkFlow } from '../contract/work-flow.ts';
import { ComputeError, type ComputeErrorCode } from './compute-error.ts';
import type { InputOf, JobTable, OutputOf } from './compute-job.ts';
import { type ComputeOptions, type ComputeSettings, resolveCompute } from './compute-options.ts';
import { errorOf, errorOutcome } from './compute-outcome.ts';
import type { JobAnswer, JobOutcome, PoolMessage, WorkerMessage } from './compute-protocol.ts';
import { afterEvent, type ComputeAction, type ComputeEvent, EMPTY, queuedBytes } from './compute-state.ts';
import { computeEntry, startThread } from './compute-thread.ts';
import { WorkerInputs } from './shared-inputs.ts';
import { transferredBytes, withCopies } from './transferred-bytes.ts';

/** How one job is called. */
export interface RunOptions {
  /** Aborting rejects `run` at once and drops the job unless it is running. Default: no cancellation. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each warning, also of a job that refuses. Default: warnings are dropped. */
  readonly warn?: ((message: string) => void) | undefined;
  /** The values that the job reads with `shared`. Default: none. */
  readonly shared?: readonly SharedValue[] | undefined;
  /** The job asks webhooks, policies and the storage, which may take long. Default: false. */
  readonly asksOthers?: true | undefined;
  /** Whose job it is: flows share the worker as they share the event loop. Default: one flow for all of those. */
  readonly flow?: WorkFlow | undefined;
  /** Answers the questions of the job; a job that begins anew asks again. Default: a job that asks fails. */
  readonly answer?: ((question: object) => Promise<object>) | undefined;
}

/** The options of a pool, and the parts that tests replace. */
export interface ComputePoolParts extends ComputeOptions {
  /** Default: `backgroundClock`. */
  readonly clock?: Clock | undefined;
  /** The file that calls `serveJobs` with the same table. Default: the server's own. */
  readonly entry?: URL | undefined;
  /** Hears that the worker has ended by itself or could not start, with the cause: clients do not learn it. Default: nobody hears. */
  readonly onLost?: ((error: ComputeError) => void) | undefined;
}

/** Numbers that only grow. */
export interface ComputeCounts {
  workersStarted: number;
  jobsEnded: Record<JobEnd, number>;
}

/** How a job ended, for metrics. */
export type JobEnd = 'done' | 'refused' | 'cancelled' | ComputeErrorCode;

interface Submitted {
  readonly name: string;
  readonly input: object;
  readonly options: RunOptions;
  readonly resolve: (output: object) => void;
  readonly reject: (error: unknown) => void;
  readonly removeListener: () => void;
  /** The answer to its question, until the worker takes it. */
  answer?: JobAnswer;
}

/**
 * One worker, started at the first job and ended when it had none for some time. One job runs at a time; while it waits for the answer
 * to a question, others run. A job that takes too long fails and its worker is replaced.
 *
 * @example
 * const { stored } = await pool.run('finish', { kind, draft }, { signal, warn, shared: [schema] });
 */
export class ComputePool<Jobs extends JobTable> {
  readonly counts: ComputeCounts = {
    workersStarted: 0,
    jobsEnded: {
      done: 0,
      refused: 0,
      cancelled: 0,
      COMPUTE_FULL: 0,
      COMPUTE_DEADLINE: 0,
      COMPUTE_CRASHED: 0,
      COMPUTE_NOT_STARTED: 0,
      COMPUTE_FAILED: 0,
      COMPUTE_CLOSED: 0,
    },
  };
  readonly #settings: ComputeSettings;
  readonly #clock: Clock;
  readonly #entry: URL | undefined;
  readonly #onLost: (error: ComputeError) => void;
  readonly #jobs = new Map<number, Submitted>();
  #state = EMPTY;
  #lastId = 0;
  #worker: Worker | undefined;
  /** Why the last worker ended by itself. */
  #lastCrash: unknown;
  #sharedValues: WorkerInputs;
  #cancelTimer: CancelTimer | undefined;
  /** When the worker got the work that it does. */
  #since = 0;
  /** Threads that are ending. */
  readonly #ending = new Set<Promise<unknown>>();

  constructor({ clock = backgroundClock, entry, onLost = () => {}, ...options }: ComputePoolParts = {}) {
    this.#settings = resolveCompute(options);
    this.#sharedValues = new WorkerInputs(this.#settings.shared);
    this.#clock = clock;
    this.#entry = entry;
    this.#onLost = onLost;
  }

  /** The jobs that wait, for the worker or for an answer. */
  get queuedJobs(): number {
    return this.#state.queue.length + this.#state.asking.length;
  }

  get queuedBytes(): number {
    return queuedBytes(this.#state);
  }

  /**
   * Runs a job in the worker. Bytes in the input are copied, not taken. Rejects with the `StatusError` that the job throws, with
   * a `ComputeError` when there is no result, or with the reason of the signal.
   */
  run<Name extends keyof Jobs & string>(
    name: Name,
    input: InputOf<Jobs, Name>,
    options: RunOptions = {},
  ): Promise<OutputOf<Jobs, Name>> {
    const { signal, shared = [], flow, asksOthers } = options;
    const given: object = input;
    const ended = new Promise<object>((resolve, reject) => {
      signal?.throwIfAborted();
      this.#lastId += 1;
      const id = this.#lastId;
      const onAbort = (): void => this.#cancel(id, signal?.reason);
      signal?.addEventListener('abort', onAbort);
      const removeListener = (): void => signal?.removeEventListener('abort', onAbort);
      this.#jobs.set(id, { name, input: given, options, resolve, reject, removeListener });
      const bytes = shared.reduce((sum, value) => sum + value.bytes.length, transferredBytes(given));
      this.#happen({ type: 'submitted', job: { id, bytes, flow, asksOthers } });
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the worker runs the job of this name
    return ended as Promise<OutputOf<Jobs, Name>>;
  }

  /** Fails all jobs with `COMPUTE_CLOSED`; resolves when no thread is left. */
  async close(): Promise<void> {
    this.#happen({ type: 'closed' });
    await Promise.all(this.#ending);
  }

  #cancel(id: number, reason: unknown): void {
    this.#settle(id, 'cancelled')?.reject(reason);
    this.#happen({ type: 'cancelled', id });
  }

  /** Removes and returns the caller of the job; undefined when the job was settled before. */
  #settle(id: number, end: JobEnd): Submitted | undefined {
    const job = this.#jobs.get(id);
    if (job === undefined) return undefined;
    this.#jobs.delete(id);
    this.counts.jobsEnded[end] += 1;
    job.removeListener();
    return job;
  }

  #happen(event: ComputeEvent): void {
    const { state, actions } = afterEvent(this.#state, event, this.#settings.queue);
    const isSameWork = state.worker === this.#state.worker;
    this.#state = state;
    for (const action of actions) this.#act(action);
    if (!isSameWork) this.#watchTime();
  }

  #act(action: ComputeAction): void {
    switch (action.type) {
      case 'start':
        return this.#start();
      case 'stop':
        return this.#stop();
      case 'post':
        return this.#run(action.id);
      case 'resume':
        return this.#resume(action.id);
      case 'drop':
        return this.#post(undefined, { type: 'drop', id: action.id });
      case 'fail':
        this.#settle(action.id, action.code)?.reject(this.#error(action.code));
    }
  }

  /** One timer at a time: for the start, for the job, or for the end of an idle worker. */
  #watchTime(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const { type } = this.#state.worker;
    const { startDeadlineMs, jobDeadlineMs, idleMs } = this.#settings;
    // An idle worker does not keep the process alive; a job does.
    if (type === 'idle') this.#worker?.unref();
    else this.#worker?.ref();
    this.#since = monotonicMs(this.#clock);
    const overdue = (): void => this.#happen({ type: 'overdue', ms: this.#workMs() });
    if (type === 'starting') {
      this.#cancelTimer = this.#clock.after(startDeadlineMs, () => {
        this.#lost(new Error(`the worker was not ready after ${startDeadlineMs} ms`));
        overdue();
      });
    }
    if (type === 'busy') this.#cancelTimer = this.#clock.after(jobDeadlineMs, overdue);
    if (type === 'idle') this.#cancelTimer = this.#clock.after(idleMs, () => this.#happen({ type: 'idled' }));
  }

  #workMs(): number {
    return monotonicMs(this.#clock) - this.#since;
  }

  /** Keeps the cause for the jobs that fail now, and tells it. */
  #lost(cause: unknown): void {
    this.#lastCrash = cause;
    this.#onLost(this.#error(this.#state.worker.type === 'starting' ? 'COMPUTE_NOT_STARTED' : 'COMPUTE_CRASHED'));
  }

  #start(): void {
    this.counts.workersStarted += 1;
    this.#sharedValues = new WorkerInputs(this.#settings.shared);
    this.#lastCrash = undefined;
    try {
      const worker = startThread(this.#entry ?? computeEntry(), this.#settings.maxHeapMb);
      this.#worker = worker;
      worker.on('message', (message: WorkerMessage) => {
        if (this.#worker === worker) this.#receive(message);
      });
      // Without a listener an error would end the process. `exit` follows it; a thread that is stopped has an `exit` alone.
      worker.on('error', (error) => this.#crash(worker, error));
      worker.on('exit', (code) => this.#crash(worker, new Error(`the thread ended with code ${code}`)));
    } catch (error) {
      this.#crash(undefined, error);
    }
  }

  #crash(worker: Worker | undefined, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#lost(error);
    const { worker: work } = this.#state;
    const isWanted = work.type === 'busy' && this.#jobs.has(work.job.id);
    this.#happen({ type: 'crashed', ms: this.#workMs(), isWanted });
  }

  #error(code: ComputeErrorCode): ComputeError {
    const isLoss = code === 'COMPUTE_CRASHED' || code === 'COMPUTE_NOT_STARTED';
    return new ComputeError(code, MESSAGES[code], isLoss ? { cause: this.#lastCrash } : undefined);
  }

  #stop(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined) return;
    const ended = worker.terminate().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  #run(id: number): void {
    const { name, input, options } = this.#submitted(id);
    const { share, forget } = this.#sharedValues.require(options.shared ?? []);
    const values = share.map(({ key, bytes }) => ({ key, bytes: new Uint8Array(bytes) }));
    const { message, memory } = withCopies(input);
    const shared = values.map(({ bytes }) => bytes.buffer);
    this.#post(id, { type: 'run', id, job: name, input: message, share: values, forget }, [...memory, ...shared]);
  }

  #resume(id: number): void {
    const job = this.#submitted(id);
    const { answer } = job;
    delete job.answer;
    if (answer === undefined) throw new Error('a job is resumed without an answer');
    if (answer.type !== 'done') return this.#post(id, { type: 'answer', id, answer });
    const { message, memory } = withCopies(answer.answer);
    this.#post(id, { type: 'answer', id, answer: { type: 'done', answer: message } }, memory);
  }

  #submitted(id: number): Submitted {
    const job = this.#jobs.get(id);
    if (job === undefined) throw new Error('a job runs that nobody submitted');
    return job;
  }

  #post(running: number | undefined, message: PoolMessage, memory: readonly ArrayBuffer[] = []): void {
    try {
      this.#worker?.postMessage(message, [...memory]);
    } catch (error) {
      if (running === undefined) throw error;
      // The input cannot be cloned: the worker never saw it.
      this.#settle(running, 'COMPUTE_FAILED')?.reject(error);
      this.#happen({ type: 'ended', ms: 0 });
    }
  }

  #receive(message: WorkerMessage): void {
    const { worker } = this.#state;
    const running = worker.type === 'busy' ? worker.job.id : undefined;
    if (message.type === 'ended' && running !== undefined) this.#finish(running, message.outcome);
    if (message.type === 'ready') return this.#happen({ type: 'ready' });
    this.#happen({ type: message.type, ms: this.#workMs() });
    if (message.type === 'ended') return undefined;
    if (running !== undefined) void this.#answer(running, message.question);
  }

  /** Answers the question of a job. Never rejects. A cancelled job gets no answer. */
  async #answer(id: number, question: object): Promise<void> {
    const job = this.#jobs.get(id);
    if (job === undefined) return this.#happen({ type: 'cancelled', id });
    const round = this.counts.workersStarted;
    let answer: JobAnswer;
    try {
      if (job.options.answer === undefined) throw new TypeError('nobody answers the questions of the job');
      answer = { type: 'done', answer: await job.options.answer(question) };
    } catch (error) {
      answer = errorOutcome(error);
    }
    // A new worker has restarted the job, and the job asks again: drop this answer.
    if (round !== this.counts.workersStarted) return undefined;
    job.answer = answer;
    return this.#happen({ type: 'answered', id });
  }

  #finish(id: number, outcome: JobOutcome): void {
    const job = this.#settle(id, outcome.type === 'failed' ? 'COMPUTE_FAILED' : outcome.type);
    if (job === undefined) return;
    for (const text of outcome.warnings) job.options.warn?.(text);
    if (outcome.type === 'done') job.resolve(outcome.output);
    else job.reject(errorOf(outcome));
  }
}

const MESSAGES: Readonly<Record<ComputeErrorCode, string>> = {
  COMPUTE_FULL: 'too many large requests wait',
  COMPUTE_DEADLINE: 'the work on a large request took too long',
  COMPUTE_CRASHED: 'the worker for large requests ended',
  COMPUTE_NOT_STARTED: 'the worker for large requests could not start',
  COMPUTE_FAILED: 'the work on a large request failed',
  COMPUTE_CLOSED: 'the server is closed',
};
