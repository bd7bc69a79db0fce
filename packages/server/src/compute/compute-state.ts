/** What the compute pool does next: its worker and its queue as data, and one pure function. */

import type { ComputeErrorCode } from './compute-error.ts';

/** A job that waits for the worker. */
export interface WaitingJob {
  readonly id: number;
  readonly bytes: number;
}

/** The worker: at most one. */
export type WorkerState =
  | { readonly type: 'none' }
  /** It loads its code. */
  | { readonly type: 'starting' }
  | { readonly type: 'idle' }
  | { readonly type: 'busy'; readonly id: number }
  | { readonly type: 'closed' };

/** The pool between two events. */
export interface ComputeState {
  readonly worker: WorkerState;
  /** The next job first. */
  readonly queue: readonly WaitingJob[];
}

/** What may wait. */
export interface QueueLimits {
  readonly maxJobs: number;
  readonly maxBytes: number;
}

/** What happens to the pool. Events of a worker that was stopped are not reported. */
export type ComputeEvent =
  | { readonly type: 'submitted'; readonly job: WaitingJob }
  /** Nobody waits for the result. */
  | { readonly type: 'cancelled'; readonly id: number }
  | { readonly type: 'ready' }
  | { readonly type: 'ended' }
  | { readonly type: 'crashed' }
  /** The start or the job took too long. */
  | { readonly type: 'overdue' }
  /** The worker had no job for some time. */
  | { readonly type: 'idled' }
  | { readonly type: 'closed' };

/** What the pool does, in this order. */
export type ComputeAction =
  | { readonly type: 'start' }
  | { readonly type: 'stop' }
  | { readonly type: 'post'; readonly id: number }
  | { readonly type: 'fail'; readonly id: number; readonly code: ComputeErrorCode };

/** The next state, and what to do on the way. */
export interface ComputeStep {
  readonly state: ComputeState;
  readonly actions: readonly ComputeAction[];
}

export const EMPTY: ComputeState = { worker: { type: 'none' }, queue: [] };

/** The bytes of all jobs that wait. */
export function queuedBytes({ queue }: ComputeState): number {
  return queue.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The step that follows from an event. */
export function afterEvent(state: ComputeState, event: ComputeEvent, limits: QueueLimits): ComputeStep {
  const { worker, queue } = state;
  switch (event.type) {
    case 'submitted':
      return submitted(state, event.job, limits);
    case 'cancelled':
      // A running job is not stopped: its end is near, and a new worker costs more.
      return { state: { worker, queue: queue.filter(({ id }) => id !== event.id) }, actions: [] };
    case 'ready':
    case 'ended':
      return nextJob(queue);
    case 'crashed':
      return afterLoss(state, 'COMPUTE_CRASHED', []);
    case 'overdue':
      return afterLoss(state, worker.type === 'busy' ? 'COMPUTE_DEADLINE' : 'COMPUTE_CRASHED', [{ type: 'stop' }]);
    case 'idled':
      return worker.type === 'idle' ? { state: EMPTY, actions: [{ type: 'stop' }] } : { state, actions: [] };
    case 'closed':
      return closed(state);
  }
}

function submitted(state: ComputeState, job: WaitingJob, { maxJobs, maxBytes }: QueueLimits): ComputeStep {
  const { worker, queue } = state;
  const refused = (code: ComputeErrorCode): ComputeStep => ({ state, actions: [{ type: 'fail', id: job.id, code }] });
  switch (worker.type) {
    case 'closed':
      return refused('COMPUTE_CLOSED');
    case 'idle':
      return nextJob([job]);
    case 'none':
      return { state: { worker: { type: 'starting' }, queue: [job] }, actions: [{ type: 'start' }] };
    case 'starting':
    case 'busy':
      if (queue.length >= maxJobs || queuedBytes(state) + job.bytes > maxBytes) return refused('COMPUTE_FULL');
      return { state: { worker, queue: [...queue, job] }, actions: [] };
  }
}

function nextJob([next, ...queue]: readonly WaitingJob[]): ComputeStep {
  if (next === undefined) return { state: { worker: { type: 'idle' }, queue: [] }, actions: [] };
  return { state: { worker: { type: 'busy', id: next.id }, queue }, actions: [{ type: 'post', id: next.id }] };
}

/** The running job fails and is not repeated: it may be the cause. The jobs behind it get a new worker. */
function afterLoss(
  { worker, queue }: ComputeState,
  code: ComputeErrorCode,
  stop: readonly ComputeAction[],
): ComputeStep {
  if (worker.type === 'closed') return { state: { worker, queue }, actions: stop };
  if (worker.type !== 'busy') {
    // A worker that cannot start would be started for ever: the jobs fail, and the next one tries again.
    return { state: EMPTY, actions: [...stop, ...queue.map(({ id }) => ({ type: 'fail', id, code }) as const)] };
  }
  const actions: readonly ComputeAction[] = [...stop, { type: 'fail', id: worker.id, code }];
  if (queue.length === 0) return { state: EMPTY, actions };
  return { state: { worker: { type: 'starting' }, queue }, actions: [...actions, { type: 'start' }] };
}

function closed({ worker, queue }: ComputeState): ComputeStep {
  const ids = [...(worker.type === 'busy' ? [worker.id] : []), ...queue.map(({ id }) => id)];
  const fails = ids.map((id) => ({ type: 'fail', id, code: 'COMPUTE_CLOSED' }) as const);
  const stop: readonly ComputeAction[] = worker.type === 'none' || worker.type === 'closed' ? [] : [{ type: 'stop' }];
  return { state: { worker: { type: 'closed' }, queue: [] }, actions: [...stop, ...fails] };
}
