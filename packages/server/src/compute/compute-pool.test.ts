import { getEventListeners } from 'node:events';
import { badRequest } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { afterEach, describe, expect, it } from 'vitest';
import type { FIXTURE_JOBS } from './compute-jobs.fixture.ts';
import { ComputePool, type ComputePoolParts } from './compute-pool.ts';

const entry = new URL('compute-worker.fixture.ts', import.meta.url);
const pools: ComputePool<typeof FIXTURE_JOBS>[] = [];

function newPool(parts: ComputePoolParts = {}): ComputePool<typeof FIXTURE_JOBS> {
  const pool = new ComputePool<typeof FIXTURE_JOBS>({ entry, clock: new FakeClock(), ...parts });
  pools.push(pool);
  return pool;
}

/** All of its memory: what is not copied is lost. */
const bytes = new TextEncoder().encode('text');

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

/** The threads that keep this process alive. */
function handles(): readonly string[] {
  return process.getActiveResourcesInfo().filter((name) => name === 'MessagePort' || name === 'Worker');
}

// A worker that loads sources takes a second to start: the tests share workers where they can. `compute-state.test.ts` has the rest.
describe('the compute pool', () => {
  it('runs jobs in one worker: bytes are copied, a StatusError comes back as one, a bug as COMPUTE_FAILED', async () => {
    const pool = newPool();
    const [first, second] = [pool.run('upper', { bytes }), pool.run('upper', { bytes })];
    const abort = new AbortController();
    const dropped = pool.run('upper', { bytes }, { signal: abort.signal });
    abort.abort(new Error('gone'));
    await expect(dropped).rejects.toThrow('gone');
    expect([pool.queuedJobs, pool.queuedBytes]).toEqual([2, 8]);
    const results = await Promise.all([first, second]);
    expect(results.map((result) => Buffer.from(result.bytes).toString())).toEqual(['TEXT', 'TEXT']);
    expect(Buffer.from(bytes).toString()).toBe('text');
    const warnings: string[] = [];
    await expect(pool.run('refuse', {}, { warn: (text) => warnings.push(text) })).rejects.toMatchObject({
      code: 'STATUS',
      httpCode: 400,
      message: 'not this one',
    });
    expect(warnings).toEqual(['odd']);
    await expect(pool.run('throw', {})).rejects.toMatchObject({
      code: 'COMPUTE_FAILED',
      message: 'a bug',
      cause: { stack: expect.stringContaining('compute-jobs.fixture') as unknown },
    });
    await expect(pool.run('function', {})).rejects.toMatchObject({ code: 'COMPUTE_FAILED' });
    const uncloneable = { bytes: new Uint8Array(1), extra: () => 1 };
    await expect(pool.run('upper', uncloneable)).rejects.toThrow('could not be cloned');
    await pool.run('upper', { bytes });
    expect(pool.counts).toMatchObject({
      workersStarted: 1,
      jobsEnded: { done: 3, refused: 1, COMPUTE_FAILED: 3, cancelled: 1 },
    });
  });

  it('a job that never ends fails at its deadline; one that ends its worker fails; the next has a new worker', async () => {
    const clock = new FakeClock();
    const pool = newPool({ clock, jobDeadlineMs: 1000, idleMs: 2000 });
    const shared = [{ key: 'schema/1', bytes }];
    await pool.run('shared', { key: 'schema/1' }, { shared });
    expect(await pool.run('shared', { key: 'schema/1' }, { shared })).toEqual({ text: 'text', reads: 1 });
    await expect(pool.run('shared', { key: 'schema/2' })).rejects.toThrow('schema/2');
    const endless = expect(pool.run('spin', {})).rejects.toMatchObject({ code: 'COMPUTE_DEADLINE' });
    const next = pool.run('shared', { key: 'schema/1' }, { shared });
    await clock.advance(1000);
    await endless;
    expect(await next).toEqual({ text: 'text', reads: 1 });
    await expect(pool.run('exit', {})).rejects.toMatchObject({ code: 'COMPUTE_CRASHED' });
    expect(clock.pending).toBe(0);
    // Once more for the repeated job.
    expect(pool.counts.workersStarted).toBe(3);
  });

  it('a job asks its caller: others run meanwhile, a refusal is thrown in it, a lost worker makes it begin anew', async () => {
    const clock = new FakeClock();
    const pool = newPool({ clock, jobDeadlineMs: 1000 });
    const asked: string[] = [];
    const gates: (() => void)[] = [];
    const answer = async (question: object): Promise<object> => {
      asked.push(JSON.stringify({ ...question, bytes: undefined }));
      if (asked.length < 3) await new Promise<void>((resolve) => gates.push(resolve));
      return { said: asked.length, bytes };
    };
    const slow = pool.run('ask', { text: 'first' }, { answer });
    await expect.poll(() => gates.length).toBe(1);
    expect(Buffer.from((await pool.run('upper', { bytes })).bytes).toString()).toBe('TEXT');
    const endless = expect(pool.run('spin', {})).rejects.toMatchObject({ code: 'COMPUTE_DEADLINE' });
    await clock.advance(1000);
    await endless;
    await expect.poll(() => gates.length).toBe(2);
    // The answer for the lost worker comes late and counts for nothing.
    for (const open of gates) open();
    expect(await slow).toEqual({ first: { said: 2, bytes }, second: { said: 3, bytes } });
    expect(asked).toEqual(['{"text":"first"}', '{"text":"first"}', '{"text":"second"}']);
    await expect(
      pool.run('ask', { text: 'x' }, { answer: () => Promise.reject(badRequest('no')) }),
    ).rejects.toMatchObject({
      httpCode: 400,
    });
    await expect(pool.run('ask', { text: 'x' })).rejects.toMatchObject({ code: 'COMPUTE_FAILED' });
    await expect(pool.run('askTwice', {}, { answer: async () => ({}) })).rejects.toThrow('one question at a time');
    const abort = new AbortController();
    const gone = pool.run('ask', { text: 'x' }, { answer: () => new Promise(() => undefined), signal: abort.signal });
    await expect.poll(() => pool.queuedJobs).toBe(1);
    abort.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    expect(pool.queuedJobs).toBe(0);
    await pool.run('upper', { bytes });
  });

  it('a job that takes all memory ends its worker and not the process', async () => {
    const pool = newPool({ maxHeapMb: 32 });
    await expect(pool.run('fill', {})).rejects.toMatchObject({
      code: 'COMPUTE_CRASHED',
      cause: { code: 'ERR_WORKER_OUT_OF_MEMORY' },
    });
  });

  it('a worker that cannot be loaded fails its job with the cause', async () => {
    const lost: unknown[] = [];
    const pool = newPool({ entry: new URL('missing.js', import.meta.url), onLost: (error) => lost.push(error) });
    const failure = { code: 'COMPUTE_NOT_STARTED', cause: { code: 'MODULE_NOT_FOUND' } };
    await expect(pool.run('upper', { bytes })).rejects.toMatchObject(failure);
    expect(lost).toMatchObject([failure]);
  });

  it('a worker that takes too long to load, or ends by itself, is told with the cause', async () => {
    const clock = new FakeClock();
    const lost: string[] = [];
    const onLost: ComputePoolParts['onLost'] = ({ message, cause }) => lost.push(`${message}: ${String(cause)}`);
    const silent = new URL('data:text/javascript,setInterval(() => {}, 1000)');
    const slow = newPool({ entry: silent, clock, startDeadlineMs: 5000, onLost });
    const jobs = [slow.run('upper', { bytes }), slow.run('upper', { bytes })];
    const ends = jobs.map((job) => expect(job).rejects.toMatchObject({ code: 'COMPUTE_NOT_STARTED' }));
    await clock.advance(5000);
    await Promise.all(ends);
    const ending = newPool({ entry: new URL('data:text/javascript,process.exit(3)'), onLost });
    await expect(ending.run('upper', { bytes })).rejects.toMatchObject({ code: 'COMPUTE_NOT_STARTED' });
    expect(lost).toEqual([
      'the worker for large requests could not start: Error: the worker was not ready after 5000 ms',
      'the worker for large requests could not start: Error: the thread ended with code 3',
    ]);
  });

  it('an idle worker does not keep the process alive and ends after a while', async () => {
    const clock = new FakeClock();
    const pool = newPool({ clock, idleMs: 1000 });
    await pool.run('upper', { bytes });
    await expect.poll(handles).toEqual([]);
    await clock.advance(1000);
    expect(clock.pending).toBe(0);
    const again = expect(pool.run('spin', {})).rejects.toMatchObject({ code: 'COMPUTE_CLOSED' });
    expect(pool.counts.workersStarted).toBe(2);
    await pool.close();
    await again;
  });

  it('close fails what runs and what waits, and leaves no thread, no timer and no listener', async () => {
    const clock = new FakeClock();
    const pool = newPool({ clock, maxQueuedJobs: 2 });
    const { signal } = new AbortController();
    const jobs = [pool.run('spin', {}, { signal }), pool.run('upper', { bytes }, { signal })];
    await expect(pool.run('upper', { bytes }, { signal })).rejects.toMatchObject({ code: 'COMPUTE_FULL' });
    const ends = jobs.map((job) => expect(job).rejects.toMatchObject({ code: 'COMPUTE_CLOSED' }));
    await expect.poll(() => pool.queuedJobs).toBe(1);
    await pool.close();
    expect(handles()).toEqual([]);
    await Promise.all(ends);
    await expect(pool.run('upper', { bytes })).rejects.toMatchObject({ code: 'COMPUTE_CLOSED' });
    expect(clock.pending).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
