import { describe, expect, it } from 'vitest';
import { afterEvent, type ComputeAction, type ComputeEvent, type ComputeState, EMPTY } from './compute-state.ts';

const limits = { maxJobs: 2, maxBytes: 10 };
const submit = (id: number, bytes = 1): ComputeEvent => ({ type: 'submitted', job: { id, bytes } });

/** The state and the actions after some events. */
function after(...events: readonly ComputeEvent[]): {
  readonly state: ComputeState;
  readonly actions: ComputeAction[];
} {
  let state = EMPTY;
  const actions: ComputeAction[] = [];
  for (const event of events) {
    const step = afterEvent(state, event, limits);
    state = step.state;
    actions.push(...step.actions);
  }
  return { state, actions };
}

const ready: ComputeEvent = { type: 'ready' };
const start = { type: 'start' };
const stop = { type: 'stop' };
const post = (id: number) => ({ type: 'post', id });
const asked: ComputeEvent = { type: 'asked' };
const answer = (id: number): ComputeEvent => ({ type: 'answered', id });
const resume = (id: number) => ({ type: 'resume', id });
const fail = (id: number, code: string) => ({ type: 'fail', id, code });

describe('the state of the compute pool', () => {
  it('the first job starts the worker; jobs are posted one after another in their order', () => {
    expect(after(submit(1), submit(2)).actions).toEqual([start]);
    expect(after(submit(1), submit(2), ready).actions).toEqual([start, post(1)]);
    const { state, actions } = after(submit(1), submit(2), ready, { type: 'ended' }, { type: 'ended' });
    expect(actions).toEqual([start, post(1), post(2)]);
    expect(state).toEqual({ worker: { type: 'idle' }, queue: [], asking: [] });
    expect(afterEvent(state, submit(3), limits).actions).toEqual([post(3)]);
  });

  it('more jobs or bytes than may wait are refused; the running job does not count', () => {
    expect(after(submit(1), submit(2), submit(3)).actions).toEqual([start, fail(3, 'COMPUTE_FULL')]);
    expect(after(submit(1, 10), submit(2, 1)).actions).toEqual([start, fail(2, 'COMPUTE_FULL')]);
    const { state } = after(submit(1, 10), ready, submit(2, 10));
    expect(state).toMatchObject({ worker: { type: 'busy', job: { id: 1 } }, queue: [{ id: 2, bytes: 10 }] });
  });

  it('a cancelled job that waits is dropped; one that runs goes on', () => {
    const { state, actions } = after(submit(1), ready, submit(2), submit(3), { type: 'cancelled', id: 2 });
    expect(afterEvent(state, { type: 'ended' }, limits).actions).toEqual([post(3)]);
    expect(actions).toEqual([start, post(1)]);
    expect(after(submit(1), ready, { type: 'cancelled', id: 1 }).state.worker).toMatchObject({ type: 'busy' });
  });

  it('a crash and a deadline fail the running job alone, and start a worker only for jobs that wait', () => {
    expect(after(submit(1), ready, submit(2), { type: 'crashed' }).actions).toEqual([
      start,
      post(1),
      fail(1, 'COMPUTE_CRASHED'),
      start,
    ]);
    expect(after(submit(1), ready, { type: 'crashed' })).toEqual({
      state: EMPTY,
      actions: [start, post(1), fail(1, 'COMPUTE_CRASHED')],
    });
    expect(after(submit(1), ready, submit(2), { type: 'overdue' }).actions).toEqual([
      start,
      post(1),
      stop,
      fail(1, 'COMPUTE_DEADLINE'),
      start,
    ]);
  });

  it('a worker that cannot start fails the jobs that wait and is not started again by itself', () => {
    const failures = [fail(1, 'COMPUTE_CRASHED'), fail(2, 'COMPUTE_CRASHED')];
    expect(after(submit(1), submit(2), { type: 'crashed' })).toEqual({ state: EMPTY, actions: [start, ...failures] });
    expect(after(submit(1), submit(2), { type: 'overdue' }).actions).toEqual([start, stop, ...failures]);
  });

  it('an idle worker ends; a worker that got a job in the meantime does not', () => {
    expect(after(submit(1), ready, { type: 'ended' }, { type: 'idled' })).toEqual({
      state: EMPTY,
      actions: [start, post(1), stop],
    });
    expect(after(submit(1), ready, { type: 'idled' }).actions).toEqual([start, post(1)]);
    expect(after(submit(1), ready, { type: 'ended' }, { type: 'crashed' }).state).toEqual(EMPTY);
  });

  it('closed: all jobs fail, later ones too, and nothing is started', () => {
    const { state, actions } = after(submit(1), ready, submit(2), { type: 'closed' });
    expect(actions).toEqual([start, post(1), stop, fail(1, 'COMPUTE_CLOSED'), fail(2, 'COMPUTE_CLOSED')]);
    expect(afterEvent(state, submit(3), limits).actions).toEqual([fail(3, 'COMPUTE_CLOSED')]);
    expect(afterEvent(state, { type: 'closed' }, limits).actions).toEqual([]);
    expect(after({ type: 'closed' }).actions).toEqual([]);
  });

  it('while a job waits for an answer others run; with its answer it goes on before those that have not begun', () => {
    const waiting = after(submit(1), submit(2), ready, asked);
    expect(waiting.actions).toEqual([start, post(1), post(2)]);
    const { actions } = after(submit(1), submit(2), ready, asked, submit(3), answer(1), { type: 'ended' });
    expect(actions).toEqual([start, post(1), post(2), resume(1)]);
    expect(after(submit(1), ready, asked, answer(1)).actions).toEqual([start, post(1), resume(1)]);
    expect(after(submit(1), ready, asked, { type: 'idled' }).actions).toEqual([start, post(1)]);
  });

  it('jobs that wait for answers count as waiting', () => {
    const { actions } = after(submit(1), submit(2), ready, asked, asked, submit(3));
    expect(actions).toEqual([start, post(1), post(2), fail(3, 'COMPUTE_FULL')]);
  });

  it('a job that is cancelled while it waits for an answer is dropped, and its answer too', () => {
    const { state, actions } = after(submit(1), ready, asked, { type: 'cancelled', id: 1 }, answer(1));
    expect(actions).toEqual([start, post(1), { type: 'drop', id: 1 }]);
    expect(state).toEqual({ worker: { type: 'idle' }, queue: [], asking: [] });
  });

  it('jobs that waited for answers when the worker was lost begin anew in the next one', () => {
    const { actions } = after(submit(1), submit(2), ready, asked, { type: 'overdue' }, ready);
    expect(actions).toEqual([start, post(1), post(2), stop, fail(2, 'COMPUTE_DEADLINE'), start, post(1)]);
    const idle = after(submit(1), ready, asked, { type: 'crashed' }, ready);
    expect(idle.actions).toEqual([start, post(1), start, post(1)]);
  });

  it('closed: jobs that wait for answers fail, too', () => {
    expect(after(submit(1), ready, asked, { type: 'closed' }).actions).toEqual([
      start,
      post(1),
      stop,
      fail(1, 'COMPUTE_CLOSED'),
    ]);
  });
});
