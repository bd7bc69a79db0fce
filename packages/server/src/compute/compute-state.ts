/** The state machine of the compute pool: the worker and the queue as data, and one pure transition function. */

import type { WorkFlow } from '../contract/work-flow.ts';
import type { ComputeErrorCode } from './compute-error.ts';
import { afterWork, displaced, type JobShares, jobsWithin, NO_SHARES, nextJob } from './job-shares.ts';

/** A job that waits for the worker. */
export interface WaitingJob {
  readonly id: number;
  readonly bytes: number;
  /** The flow that pays for the job. All jobs that flow control does not know (undefined) are one flow. */
  readonly flow?: WorkFlow | undefined;
  /** The job has begun: the worker resumes it with the answer to its question. */
  readonly isAnswered?: true;
  /** It may wait long for answers, with its objects in the worker's memory: see `maxAskingBytes`. */
  readonly asksOthers?: true | undefined;
  /** A worker was lost while it ran this job: another loss fails it. */
  readonly isSuspect?: true;
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
  /** In the order in which they came: `shares` say whose turn it is. */
  readonly queue: readonly WaitingJob[];
  /** Jobs that wait for the answer to a question. */
  readonly asking: readonly WaitingJob[];
  /** What flows have had of the worker. */
  readonly shares: JobShares;
}

/** The limits of the queue. */
export interface QueueLimits {
  readonly maxJobs: number;
  readonly maxBytes: number;
  /** Jobs of more bytes do not begin while others wait for answers; those of one flow may be half of it. */
  readonly maxAskingBytes: number;
}

/** An event of the pool. Events of a stopped worker are not reported. */
export type ComputeEvent =
  | { readonly type: 'submitted'; readonly job: WaitingJob }
  /** The caller no longer waits for the result. */
  | { readonly type: 'cancelled'; readonly id: number }
  | { readonly type: 'ready' }
  /** The running job asks a question. `ms`: how long it has run since it was posted or resumed. */
  | { readonly type: 'asked'; readonly ms: number }
  | { readonly type: 'answered'; readonly id: number }
  | { readonly type: 'ended'; readonly ms: number }
  /** `isWanted`: somebody waits for the job that ran. */
  | { readonly type: 'crashed'; readonly ms: number; readonly isWanted: boolean }
  /** The start or the job took too long. */
  | { readonly type: 'overdue'; readonly ms: number }
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

export const EMPTY: ComputeState = { worker: { type: 'none' }, queue: [], asking: [], shares: NO_SHARES };

/** The bytes of all jobs that wait. */
export function queuedBytes({ queue, asking }: Pick<ComputeState, 'asking' | 'queue'>): number {
  return [...queue, ...asking].reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The step that follows from an event. */
export function afterEvent(state: ComputeState, event: ComputeEvent, limits: QueueLimits): ComputeStep {
  const { worker, asking } = state;
  switch (event.type) {
    case 'submitted':
      return submitted(state, event.job, limits);
    case 'cancelled':
      return cancelled(state, event.id, limits);
    case 'ready':
      return next(state, limits);
    case 'ended':
      return next(charged(state, event.ms), limits);
    case 'asked':
      return worker.type === 'busy'
        ? next({ ...charged(state, event.ms), asking: [...asking, worker.job] }, limits)
        : { state, actions: [] };
    case 'answered':
      return answered(state, event.id, limits);
    case 'crashed':
      return afterLoss(charged(state, event.ms), 'COMPUTE_CRASHED', event.isWanted, []);
    case 'overdue':
      return afterLoss(charged(state, event.ms), 'COMPUTE_DEADLINE', false, [{ type: 'stop' }]);
    case 'idled':
      return worker.type === 'idle' && asking.length === 0
        ? { state: EMPTY, actions: [{ type: 'stop' }] }
        : { state, actions: [] };
    case 'closed':
      return closed(state);
  }
}

/** The running job has used the worker. */
function charged(state: ComputeState, ms: number): ComputeState {
  const { worker, queue, shares } = state;
  return worker.type === 'busy' ? { ...state, shares: afterWork(shares, worker.job.flow, ms, queue) } : state;
}

function submitted(state: ComputeState, job: WaitingJob, limits: QueueLimits): ComputeStep {
  const { worker, queue, asking } = state;
  const refused = (code: ComputeErrorCode): ComputeStep => ({ state, actions: [failed(job.id, code)] });
  if (worker.type === 'closed') return refused('COMPUTE_CLOSED');
  if (worker.type === 'none')
    return { state: { ...EMPTY, worker: { type: 'starting' }, queue: [job] }, actions: [{ type: 'start' }] };
  // The job runs at once. While others ask it counts: they come back.
  if (worker.type === 'idle' && asking.length === 0) return next({ ...state, queue: [job] }, limits);
  const made = madeRoom(state, job, limits);
  if (made === undefined) return refused('COMPUTE_FULL');
  const waiting = queue.filter((one) => !made.includes(one));
  const fails = made.map(({ id }) => failed(id, 'COMPUTE_FULL'));
  const joined = { ...state, queue: [...waiting, job] };
  if (worker.type !== 'idle') return { state: joined, actions: fails };
  const step = next(joined, limits);
  return { state: step.state, actions: [...fails, ...step.actions] };
}

/** The jobs that make room for this one, of flows that hold more; undefined: there are none. */
function madeRoom(
  { queue, asking }: ComputeState,
  job: WaitingJob,
  { maxJobs, maxBytes }: QueueLimits,
): readonly WaitingJob[] | undefined {
  let left = queue;
  const made: WaitingJob[] = [];
  for (;;) {
    const isFull =
      left.length + asking.length >= maxJobs || queuedBytes({ queue: left, asking }) + job.bytes > maxBytes;
    if (!isFull) return made;
    const victim = displaced(left, job);
    if (victim === undefined) return undefined;
    made.push(victim);
    left = left.filter((one) => one !== victim);
  }
}

function cancelled(state: ComputeState, id: number, limits: QueueLimits): ComputeStep {
  const { worker, queue, asking } = state;
  const hasBegun = [...asking, ...queue.filter(({ isAnswered }) => isAnswered)].some((job) => job.id === id);
  const others = (jobs: readonly WaitingJob[]): readonly WaitingJob[] => jobs.filter((job) => job.id !== id);
  // Let a running job finish: starting a new worker costs more.
  const left = { ...state, queue: others(queue), asking: others(asking) };
  const actions: readonly ComputeAction[] = hasBegun ? [{ type: 'drop', id }] : [];
  // Its memory may be what others have waited for.
  if (worker.type !== 'idle' || left.queue.length === 0) return { state: left, actions };
  const step = next(left, limits);
  return { state: step.state, actions: [...actions, ...step.actions] };
}

function answered(state: ComputeState, id: number, limits: QueueLimits): ComputeStep {
  const job = state.asking.find((one) => one.id === id);
  if (job === undefined) return { state, actions: [] };
  const asking = state.asking.filter((one) => one !== job);
  const joined: ComputeState = { ...state, queue: [...state.queue, { ...job, isAnswered: true }], asking };
  return state.worker.type === 'idle' ? next(joined, limits) : { state: joined, actions: [] };
}

function next(state: ComputeState, { maxAskingBytes }: QueueLimits): ComputeStep {
  const { queue, asking, shares } = state;
  const job = nextJob(shares, jobsWithin(queue, asking, maxAskingBytes));
  if (job === undefined) {
    // Being idle clears what was used before.
    const kept = asking.length === 0 ? NO_SHARES : shares;
    return { state: { worker: { type: 'idle' }, queue, asking, shares: kept }, actions: [] };
  }
  const { isAnswered, ...running } = job;
  return {
    state: { worker: { type: 'busy', job: running }, queue: queue.filter((one) => one !== job), asking, shares },
    actions: [{ type: isAnswered ? 'resume' : 'post', id: job.id }],
  };
}

function failed(id: number, code: ComputeErrorCode): ComputeAction {
  return { type: 'fail', id, code };
}

/**
 * All jobs start over in a new worker. The one that ran may be the cause of a crash, or the victim of others that have filled the
 * memory: it is repeated once. After a deadline it fails.
 */
function afterLoss(
  state: ComputeState,
  code: ComputeErrorCode,
  isWanted: boolean,
  stop: readonly ComputeAction[],
): ComputeStep {
  const { worker, queue, asking, shares } = state;
  if (worker.type === 'closed') return { state, actions: stop };
  const waiting = [...asking, ...queue].map(({ isAnswered: _answered, ...job }) => job);
  // The worker cannot start: fail all jobs instead of restarting it forever. The next job tries again.
  if (worker.type === 'starting')
    return { state: EMPTY, actions: [...stop, ...waiting.map(({ id }) => failed(id, 'COMPUTE_NOT_STARTED'))] };
  const running = worker.type === 'busy' ? worker.job : undefined;
  const isRepeated = running !== undefined && isWanted && running.isSuspect !== true;
  if (isRepeated) waiting.push({ ...running, isSuspect: true });
  const actions = running === undefined || isRepeated ? stop : [...stop, failed(running.id, code)];
  if (waiting.length === 0) return { state: EMPTY, actions };
  return {
    state: { worker: { type: 'starting' }, queue: waiting, asking: [], shares },
    actions: [...actions, { type: 'start' }],
  };
}

function closed({ worker, queue, asking }: ComputeState): ComputeStep {
  const running = worker.type === 'busy' ? [worker.job] : [];
  const fails = [...running, ...asking, ...queue].map(({ id }) => failed(id, 'COMPUTE_CLOSED'));
  const stop: readonly ComputeAction[] = worker.type === 'none' || worker.type === 'closed' ? [] : [{ type: 'stop' }];
  return { state: { ...EMPTY, worker: { type: 'closed' } }, actions: [...stop, ...fails] };
}
