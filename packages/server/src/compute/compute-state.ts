/** The state machine of the compute pool: the worker and the queue as data, and one pure transition function. */

import type { ComputeErrorCode } from './compute-error.ts';

/** A job that waits for the worker. */
export interface WaitingJob {
  readonly id: number;
  readonly bytes: number;
  /** The job has begun: the worker resumes it with the answer to its question. */
  readonly isAnswered?: true;
}

/** The worker: at most one. */
export type WorkerState =
  | { readonly type: 'none' }
  /** The worker loads its code. */
  | { readonly type: 'starting' }
  /** The worker runs no job; jobs may wait for answers. */
  | { readonly type: 'idle' }
  | { readonly type: 'busy'; readonly job: WaitingJob }
  | { readonly type: 'closed' };

/** The pool between two events. */
export interface ComputeState {
  readonly worker: WorkerState;
  /** The next job first. Jobs that have begun come before new jobs. */
  readonly queue: readonly WaitingJob[];
  /** Jobs that wait for the answer to a question. */
  readonly asking: readonly WaitingJob[];
}

/** The limits of the queue. */
export interface QueueLimits {
  readonly maxJobs: number;
  readonly maxBytes: number;
}

/** An event of the pool. Events of a stopped worker are not reported. */
export type ComputeEvent =
  | { readonly type: 'submitted'; readonly job: WaitingJob }
  /** The caller no longer waits for the result. */
  | { readonly type: 'cancelled'; readonly id: number }
  | { readonly type: 'ready' }
  /** The running job asks a question. */
  | { readonly type: 'asked' }
  | { readonly type: 'answered'; readonly id: number }
  | { readonly type: 'ended' }
  | { readonly type: 'crashed' }
  /** The start or the job took too long. */
  | { readonly type: 'overdue' }
  /** The worker had no job for some time. */
  | { readonly type: 'idled' }
  | { readonly type: 'closed' };

/** An action of the pool. The actions of a step run in order. */
export type ComputeAction =
  | { readonly type: 'start' }
  | { readonly type: 'stop' }
  | { readonly type: 'post'; readonly id: number }
  /** Post the answer that the job waits for. */
  | { readonly type: 'resume'; readonly id: number }
  /** Tell the worker to drop a job that waits for an answer. */
  | { readonly type: 'drop'; readonly id: number }
  | { readonly type: 'fail'; readonly id: number; readonly code: ComputeErrorCode };

/** The next state, and the actions that lead to it. */
export interface ComputeStep {
  readonly state: ComputeState;
  readonly actions: readonly ComputeAction[];
}

export const EMPTY: ComputeState = { worker: { type: 'none' }, queue: [], asking: [] };

/** The bytes of all jobs that wait. */
export function queuedBytes({ queue, asking }: ComputeState): number {
  return [...queue, ...asking].reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The step that follows from an event. */
export function afterEvent(state: ComputeState, event: ComputeEvent, limits: QueueLimits): ComputeStep {
  const { worker, queue, asking } = state;
  switch (event.type) {
    case 'submitted':
      return submitted(state, event.job, limits);
    case 'cancelled':
      return cancelled(state, event.id);
    case 'ready':
    case 'ended':
      return nextJob(queue, asking);
    case 'asked':
      return worker.type === 'busy' ? nextJob(queue, [...asking, worker.job]) : { state, actions: [] };
    case 'answered':
      return answered(state, event.id);
    case 'crashed':
      return afterLoss(state, 'COMPUTE_CRASHED', []);
    case 'overdue':
      return afterLoss(state, worker.type === 'busy' ? 'COMPUTE_DEADLINE' : 'COMPUTE_CRASHED', [{ type: 'stop' }]);
    case 'idled':
      return worker.type === 'idle' && asking.length === 0
        ? { state: EMPTY, actions: [{ type: 'stop' }] }
        : { state, actions: [] };
    case 'closed':
      return closed(state);
  }
}

function submitted(state: ComputeState, job: WaitingJob, { maxJobs, maxBytes }: QueueLimits): ComputeStep {
  const { worker, queue, asking } = state;
  const refused = (code: ComputeErrorCode): ComputeStep => ({ state, actions: [{ type: 'fail', id: job.id, code }] });
  if (worker.type === 'closed') return refused('COMPUTE_CLOSED');
  if (worker.type === 'none')
    return { state: { ...EMPTY, worker: { type: 'starting' }, queue: [job] }, actions: [{ type: 'start' }] };
  const isFull = queue.length + asking.length >= maxJobs || queuedBytes(state) + job.bytes > maxBytes;
  if (worker.type === 'idle') return isFull && asking.length > 0 ? refused('COMPUTE_FULL') : nextJob([job], asking);
  return isFull ? refused('COMPUTE_FULL') : { state: { worker, queue: [...queue, job], asking }, actions: [] };
}

function cancelled({ worker, queue, asking }: ComputeState, id: number): ComputeStep {
  const hasBegun = [...asking, ...queue.filter(({ isAnswered }) => isAnswered)].some((job) => job.id === id);
  const others = (jobs: readonly WaitingJob[]): readonly WaitingJob[] => jobs.filter((job) => job.id !== id);
  // Let a running job finish: starting a new worker costs more.
  return {
    state: { worker, queue: others(queue), asking: others(asking) },
    actions: hasBegun ? [{ type: 'drop', id }] : [],
  };
}

function answered(state: ComputeState, id: number): ComputeStep {
  const job = state.asking.find((one) => one.id === id);
  if (job === undefined) return { state, actions: [] };
  const { worker, queue } = state;
  const asking = state.asking.filter((one) => one !== job);
  // Finish a write that has begun before starting another: the state that it has read grows stale.
  const begun = queue.filter(({ isAnswered }) => isAnswered);
  const next: readonly WaitingJob[] = [...begun, { ...job, isAnswered: true }, ...queue.slice(begun.length)];
  return worker.type === 'idle' ? nextJob(next, asking) : { state: { worker, queue: next, asking }, actions: [] };
}

function nextJob([next, ...queue]: readonly WaitingJob[], asking: readonly WaitingJob[]): ComputeStep {
  if (next === undefined) return { state: { worker: { type: 'idle' }, queue: [], asking }, actions: [] };
  const { id, bytes, isAnswered } = next;
  return {
    state: { worker: { type: 'busy', job: { id, bytes } }, queue, asking },
    actions: [{ type: isAnswered ? 'resume' : 'post', id }],
  };
}

/** The running job fails and is not retried: it may be the cause. All waiting jobs start over in a new worker. */
function afterLoss(state: ComputeState, code: ComputeErrorCode, stop: readonly ComputeAction[]): ComputeStep {
  const { worker } = state;
  if (worker.type === 'closed') return { state, actions: stop };
  const waiting = [...state.asking, ...state.queue].map(({ id, bytes }) => ({ id, bytes }));
  const fail = (id: number): ComputeAction => ({ type: 'fail', id, code });
  // The worker cannot start: fail all jobs instead of restarting it forever. The next job tries again.
  if (worker.type === 'starting') return { state: EMPTY, actions: [...stop, ...waiting.map(({ id }) => fail(id))] };
  const actions = worker.type === 'busy' ? [...stop, fail(worker.job.id)] : stop;
  if (waiting.length === 0) return { state: EMPTY, actions };
  return {
    state: { worker: { type: 'starting' }, queue: waiting, asking: [] },
    actions: [...actions, { type: 'start' }],
  };
}

function closed({ worker, queue, asking }: ComputeState): ComputeStep {
  const running = worker.type === 'busy' ? [worker.job] : [];
  const fails = [...running, ...asking, ...queue].map(
    ({ id }) => ({ type: 'fail', id, code: 'COMPUTE_CLOSED' }) as const,
  );
  const stop: readonly ComputeAction[] = worker.type === 'none' || worker.type === 'closed' ? [] : [{ type: 'stop' }];
  return { state: { worker: { type: 'closed' }, queue: [], asking: [] }, actions: [...stop, ...fails] };
}
