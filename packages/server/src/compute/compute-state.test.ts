import { describe, expect, it } from 'vitest';
import type { WorkFlow } from '../contract/work-flow.ts';
import { afterEvent, type ComputeAction, type ComputeEvent, type ComputeState, EMPTY } from './compute-state.ts';
import { NO_SHARES } from './job-shares.ts';

const limits = { maxJobs: 2, maxBytes: 10, maxAskingBytes: 10 };
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
const asked: ComputeEvent = { type: 'asked', ms: 1 };
const ended: ComputeEvent = { type: 'ended', ms: 1 };
const crashed: ComputeEvent = { type: 'crashed', ms: 1, isWanted: true };
const overdue: ComputeEvent = { type: 'overdue', ms: 1 };
const answer = (id: number): ComputeEvent => ({ type: 'answered', id });
const resume = (id: number) => ({ type: 'resume', id });
const fail = (id: number, code: string) => ({ type: 'fail', id, code });

describe('the state of the compute pool', () => {
  it('the first job starts the worker; jobs are posted one after another in their order', () => {
    expect(after(submit(1), submit(2)).actions).toEqual([start]);
    expect(after(submit(1), submit(2), ready).actions).toEqual([start, post(1)]);
    const { state, actions } = after(submit(1), submit(2), ready, ended, ended);
    expect(actions).toEqual([start, post(1), post(2)]);
    expect(state).toEqual({ worker: { type: 'idle' }, queue: [], asking: [], shares: NO_SHARES });
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
    expect(afterEvent(state, ended, limits).actions).toEqual([post(3)]);
    expect(actions).toEqual([start, post(1)]);
    expect(after(submit(1), ready, { type: 'cancelled', id: 1 }).state.worker).toMatchObject({ type: 'busy' });
  });

  it('a deadline fails the running job alone, and starts a worker only for jobs that wait', () => {
    expect(after(submit(1), ready, submit(2), overdue).actions).toEqual([
      start,
      post(1),
      stop,
      fail(1, 'COMPUTE_DEADLINE'),
      start,
    ]);
    expect(after(submit(1), ready, overdue)).toEqual({
      state: EMPTY,
      actions: [start, post(1), stop, fail(1, 'COMPUTE_DEADLINE')],
    });
  });

  it('a crash repeats the running job once, after those that waited; at its second one the job fails alone', () => {
    const once = after(submit(1), ready, submit(2), crashed, ready, ended);
    expect(once.actions).toEqual([start, post(1), start, post(2), post(1)]);
    const twice = after(submit(1), ready, crashed, ready, submit(2), crashed, ready);
    expect(twice.actions).toEqual([start, post(1), start, post(1), fail(1, 'COMPUTE_CRASHED'), start, post(2)]);
    expect(after(submit(1), ready, crashed, ready, crashed).state).toEqual(EMPTY);
  });

  it('a crash of another job between two of its own does not clear a job that was repeated', () => {
    const { actions } = after(submit(1), ready, crashed, ready, asked, submit(2), crashed, ready, crashed);
    expect(actions.slice(-2)).toEqual([fail(1, 'COMPUTE_CRASHED'), start]);
  });

  it('a crash repeats no job that nobody waits for any more', () => {
    const nobody: ComputeEvent = { type: 'crashed', ms: 1, isWanted: false };
    expect(after(submit(1), ready, { type: 'cancelled', id: 1 }, nobody).state).toEqual(EMPTY);
  });

  it('a worker that cannot start fails the jobs that wait and is not started again by itself', () => {
    const failures = [fail(1, 'COMPUTE_NOT_STARTED'), fail(2, 'COMPUTE_NOT_STARTED')];
    expect(after(submit(1), submit(2), crashed)).toEqual({ state: EMPTY, actions: [start, ...failures] });
    expect(after(submit(1), submit(2), overdue).actions).toEqual([start, stop, ...failures]);
  });

  it('an idle worker ends; a worker that got a job in the meantime does not', () => {
    expect(after(submit(1), ready, ended, { type: 'idled' })).toEqual({
      state: EMPTY,
      actions: [start, post(1), stop],
    });
    expect(after(submit(1), ready, { type: 'idled' }).actions).toEqual([start, post(1)]);
    expect(after(submit(1), ready, ended, crashed).state).toEqual(EMPTY);
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
    const { actions } = after(submit(1), submit(2), ready, asked, submit(3), answer(1), ended);
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
    expect(state).toMatchObject({ worker: { type: 'idle' }, queue: [], asking: [] });
  });

  it('jobs that waited for answers when the worker was lost begin anew in the next one', () => {
    const { actions } = after(submit(1), submit(2), ready, asked, overdue, ready);
    expect(actions).toEqual([start, post(1), post(2), stop, fail(2, 'COMPUTE_DEADLINE'), start, post(1)]);
    const idle = after(submit(1), ready, asked, crashed, ready);
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

const write = (id: number, bytes: number, name = `user-${id}`): ComputeEvent => ({
  type: 'submitted',
  job: { id, bytes, flow: flow(name), asksOthers: true },
});

describe('the memory of jobs that wait for webhooks', () => {
  const large = { maxJobs: 100, maxBytes: 1000, maxAskingBytes: 100 };

  /** The ids of the jobs that have begun. */
  function begun(...events: readonly ComputeEvent[]): readonly number[] {
    let state = EMPTY;
    const ids: number[] = [];
    for (const event of events) {
      const step = afterEvent(state, event, large);
      ({ state } = step);
      for (const action of step.actions) if (action.type === 'post') ids.push(action.id);
    }
    return ids;
  }

  it('is bounded: others begin when their bytes fit, or when one of them has ended', () => {
    const full = [write(1, 50), ready, asked, write(2, 50), asked, write(3, 1)];
    expect(begun(...full)).toEqual([1, 2]);
    expect(begun(...full, answer(1), ended)).toEqual([1, 2, 3]);
    expect(begun(...full, { type: 'cancelled', id: 2 })).toEqual([1, 2, 3]);
    expect(begun(write(1, 500), ready, asked, write(2, 1), answer(1), ended)).toEqual([1, 2]);
  });

  it('is never full for the jobs that policies of such a write need, which it waits for', () => {
    const part: ComputeEvent = { type: 'submitted', job: { id: 9, bytes: 50 } };
    expect(begun(write(1, 100), ready, asked, write(2, 1), part)).toEqual([1, 9]);
  });

  it('is never full for others when one user has many slow writes', () => {
    const noisy = [write(1, 40, 'noisy'), ready, asked, write(2, 40, 'noisy'), write(3, 40, 'noisy')];
    expect(begun(...noisy)).toEqual([1]);
    expect(begun(...noisy, write(4, 40, 'quiet'))).toEqual([1, 4]);
  });
});

const flow = (name: string, level = 'level', weight = 20): WorkFlow => ({ level, weight, isExempt: false, name });

/** Runs jobs until none waits, each for so long; the names of their flows in the order of their turns. */
function turns(jobs: readonly { readonly flow: WorkFlow; readonly ms: number }[], count = jobs.length): string[] {
  const many = { maxJobs: 1000, maxBytes: 1000, maxAskingBytes: 1000 };
  let state = EMPTY;
  for (const [index, one] of jobs.entries()) {
    ({ state } = afterEvent(state, { type: 'submitted', job: { id: index, bytes: 0, flow: one.flow } }, many));
  }
  ({ state } = afterEvent(state, { type: 'ready' }, many));
  const order: string[] = [];
  while (order.length < count && state.worker.type === 'busy') {
    const job = jobs[state.worker.job.id];
    order.push(job?.flow.name ?? '');
    ({ state } = afterEvent(state, { type: 'ended', ms: job?.ms ?? 0 }, many));
  }
  return order;
}

describe('the worker is shared', () => {
  it('by flows alike: one large write comes after one of a user with eighty, not after all', () => {
    const noisy = Array.from({ length: 80 }, () => ({ flow: flow('noisy'), ms: 50 }));
    const order = turns([...noisy, { flow: flow('quiet'), ms: 5 }]);
    expect(order.indexOf('quiet')).toBeLessThanOrEqual(1);
  });

  it('by time: who has short jobs has more of them', () => {
    const long = Array.from({ length: 40 }, () => ({ flow: flow('long'), ms: 90 }));
    const short = Array.from({ length: 40 }, () => ({ flow: flow('short'), ms: 10 }));
    const order = turns([...long, ...short], 20);
    expect(order.filter((name) => name === 'short').length).toBeGreaterThanOrEqual(17);
  });

  it('by levels in parts of their weights, and exempt work goes first', () => {
    const jobs = [
      ...Array.from({ length: 60 }, () => ({ flow: flow('low', 'low', 10), ms: 10 })),
      ...Array.from({ length: 60 }, () => ({ flow: flow('high', 'high', 30), ms: 10 })),
      { flow: { ...flow('master', 'exempt', 0.1), isExempt: true }, ms: 10 },
    ];
    const order = turns(jobs, 41);
    expect(order[0]).toBe('master');
    expect(order.filter((name) => name === 'high').length).toBe(30);
  });

  it('by a flow that waits and others that come without end: it has its turn', () => {
    const many = { maxJobs: 1000, maxBytes: 1000, maxAskingBytes: 1000 };
    let { state } = afterEvent(EMPTY, submit(0), many);
    let id = 0;
    const arrive = (name: string): void => {
      id += 1;
      ({ state } = afterEvent(state, { type: 'submitted', job: { id, bytes: 0, flow: flow(name) } }, many));
    };
    for (let count = 0; count < 3; count += 1) arrive('waiting');
    arrive('new');
    ({ state } = afterEvent(state, { type: 'ready' }, many));
    const order: string[] = [];
    while (order.filter((name) => name === 'waiting').length < 3 && order.length < 500) {
      arrive(`new-${order.length}`);
      ({ state } = afterEvent(state, { type: 'ended', ms: 5 }, many));
      if (state.worker.type === 'busy') order.push(state.worker.job.flow?.name ?? '');
    }
    expect(order.length).toBeLessThan(50);
    expect(state.shares.levels.get('level')?.flows.size).toBeLessThan(100);
  });

  it('to its places as well: a full queue drops the last job of whoever holds most', () => {
    const few = { maxJobs: 4, maxBytes: 1000, maxAskingBytes: 1000 };
    let { state } = afterEvent(EMPTY, submit(0), few);
    const arrive = (id: number, name: string): readonly ComputeAction[] => {
      const step = afterEvent(state, { type: 'submitted', job: { id, bytes: 1, flow: flow(name) } }, few);
      state = step.state;
      return step.actions;
    };
    ({ state } = afterEvent(state, ready, few));
    for (let id = 1; id <= 4; id += 1) expect(arrive(id, 'noisy')).toEqual([]);
    expect(arrive(5, 'noisy')).toEqual([fail(5, 'COMPUTE_FULL')]);
    expect(arrive(6, 'quiet')).toEqual([fail(4, 'COMPUTE_FULL')]);
    expect(arrive(7, 'quiet')).toEqual([fail(3, 'COMPUTE_FULL')]);
    expect(arrive(8, 'quiet')).toEqual([fail(8, 'COMPUTE_FULL')]);
  });
});
