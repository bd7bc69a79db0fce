import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { FakeClock } from '@listwatch/api/fake-clock';
import { describe, expect, it } from 'vitest';
import { LOW_PRIORITY, type WorkItem, type WorkQueue, workQueue } from './work-queue.ts';

function take(queue: WorkQueue<string>): WorkItem<string> {
  const item = queue.takeNow();
  if (item === undefined) throw new Error('nothing is ready');
  return item;
}

function takeAll(queue: WorkQueue<string>): string[] {
  const keys: string[] = [];
  for (let item = queue.takeNow(); item !== undefined; item = queue.takeNow()) {
    keys.push(item.key);
    item.done();
  }
  return keys;
}

describe('a work queue', () => {
  it('gives out keys in the order of their first add, each once', () => {
    const queue = workQueue();
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    expect(queue.size).toBe(3);
    expect(takeAll(queue)).toEqual(['a', 'b', 'c']);
  });

  it('does not give out a key that is in work, and runs it once more however often it was added meanwhile', () => {
    const queue = workQueue();
    queue.add('a');
    const first = take(queue);
    for (let times = 0; times < 3; times++) queue.add('a');
    expect([queue.size, queue.takeNow()]).toEqual([0, undefined]);
    first.done();
    expect(takeAll(queue)).toEqual(['a']);
  });

  it('puts a key that was added while in work behind those that waited', () => {
    const queue = workQueue();
    for (const key of ['a', 'b']) queue.add(key);
    const first = take(queue);
    queue.add('a');
    first.done();
    expect(takeAll(queue)).toEqual(['b', 'a']);
  });

  it('counts adds before begin as seen by the run that begins', () => {
    const queue = workQueue();
    queue.add('a');
    const item = take(queue);
    queue.add('a');
    item.begin();
    item.done();
    expect(queue.size).toBe(0);
    queue.add('a');
    const next = take(queue);
    next.begin();
    queue.add('a');
    next.done();
    expect(takeAll(queue)).toEqual(['a']);
    expect(() => next.begin()).toThrow('begin() was called after done() for a');
  });

  it('refuses a second done, which would let a key run twice at once', () => {
    const queue = workQueue();
    queue.add('a');
    const item = take(queue);
    item.done();
    expect(() => item.done()).toThrow('done() was called twice for a');
  });

  it('wakes one waiting worker for each key', async () => {
    const queue = workQueue();
    const workers = [queue.take(), queue.take()];
    queue.add('a');
    queue.add('b');
    expect((await Promise.all(workers)).map((item) => item?.key)).toEqual(['a', 'b']);
  });

  it('a worker that stops waiting takes no key with it', async () => {
    const queue = workQueue();
    const stop = new AbortController();
    const waiting = queue.take(stop.signal);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    queue.add('a');
    expect(take(queue).key).toBe('a');
  });

  it('a worker that was stopped before it asked gets no key, which would be lost with it', async () => {
    const queue = workQueue();
    queue.add('a');
    await expect(queue.take(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
    expect(queue.size).toBe(1);
  });

  it('lets go of the signal of a worker with each key, and with the end', async () => {
    const queue = workQueue();
    const { signal } = new AbortController();
    const first = queue.take(signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    queue.add('a');
    await first;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    const last = queue.take(signal);
    queue.close();
    await last;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a queue of very many keys', () => {
  it('gives out each once, in order, also when it has forgotten those that were done', () => {
    const queue = workQueue();
    const keys = Array.from({ length: 40_000 }, (_, index) => `key-${index}`);
    for (let round = 0; round < 2; round++) {
      for (const key of keys) queue.add(key);
      expect(takeAll(queue)).toEqual(keys);
      expect([queue.size, queue.metrics.processing]).toEqual([0, 0]);
    }
  });
});

describe('priorities', () => {
  it('of a higher number go first, in the order of their adds', () => {
    const queue = workQueue();
    queue.add('low', { priority: LOW_PRIORITY });
    queue.add('a');
    queue.add('high', { priority: 5 });
    queue.add('b');
    expect(takeAll(queue)).toEqual(['high', 'a', 'b', 'low']);
  });

  it('of a key that is added while it is delayed are the higher of both', () => {
    const queue = workQueue({ clock: new FakeClock() });
    queue.addAfter('a', 1000, { priority: 5 });
    queue.addAfter('later', 1000);
    queue.add('b', { priority: 3 });
    queue.add('a', { priority: 1 });
    expect(takeAll(queue)).toEqual(['a', 'b']);
  });

  it('are raised by a second add and never lowered', () => {
    const queue = workQueue();
    queue.add('a', { priority: LOW_PRIORITY });
    queue.add('b', { priority: LOW_PRIORITY });
    queue.add('b');
    queue.add('b', { priority: LOW_PRIORITY });
    expect(takeAll(queue)).toEqual(['b', 'a']);
  });

  it('hold for the run that follows a key in work, and for a key that was delayed', async () => {
    const clock = new FakeClock();
    const queue = workQueue({ clock });
    queue.add('a');
    const item = take(queue);
    queue.add('a', { priority: 7 });
    item.done();
    expect(take(queue).priority).toBe(7);
    queue.addAfter('b', 10, { priority: 3 });
    await clock.advance(10);
    expect(take(queue).priority).toBe(3);
  });

  it('of several adds while a key is in work are the highest', () => {
    const queue = workQueue();
    queue.add('a');
    const item = take(queue);
    for (const priority of [3, 7, 5]) queue.add('a', { priority });
    item.done();
    expect(take(queue).priority).toBe(7);
  });

  it('of several delays are the highest, at the earliest of their times', async () => {
    const clock = new FakeClock();
    const queue = workQueue({ clock });
    queue.addAfter('a', 10, { priority: 1 });
    queue.addAfter('a', 20, { priority: 5 });
    queue.addAfter('a', 5, { priority: 3 });
    await clock.advance(5);
    expect(take(queue)).toMatchObject({ key: 'a', priority: 5 });
    expect(queue.metrics.delayed).toBe(0);
  });

  it('do not starve anybody: a low key is served while higher ones keep coming', () => {
    const queue = workQueue();
    queue.add('low', { priority: LOW_PRIORITY });
    const served: string[] = [];
    for (let index = 0; index < 100; index++) {
      queue.add(`high-${index}`);
      queue.add(`higher-${index}`, { priority: 9 });
      const item = take(queue);
      served.push(item.key);
      item.done();
    }
    expect(served).toContain('low');
  });
});

describe('priorities of every kind', () => {
  it('raised ones go to the end of their new line', () => {
    const queue = workQueue();
    queue.add('a', { priority: 1 });
    queue.add('b');
    queue.add('c', { priority: 1 });
    queue.add('b', { priority: 1 });
    expect(takeAll(queue)).toEqual(['a', 'c', 'b']);
  });

  it('as many as keys keep their order', () => {
    const queue = workQueue();
    const keys = Array.from({ length: 2000 }, (_, index) => index);
    for (const key of keys) queue.add(String(key), { priority: (key * 7919) % 2000 });
    const byPriority = takeAll(queue).filter((_, index) => index % 8 !== 7);
    const priorities = byPriority.map((key) => (Number(key) * 7919) % 2000);
    expect(priorities).toEqual(priorities.toSorted((a, b) => b - a));
  });
});

describe('delays', () => {
  it('hold a key back for their time, and the earlier of two wins', async () => {
    const clock = new FakeClock();
    const queue = workQueue({ clock });
    queue.addAfter('a', 50);
    queue.addAfter('a', 20);
    queue.addAfter('b', 20);
    queue.addAfter('b', 50);
    await clock.advance(19);
    expect(queue.size).toBe(0);
    await clock.advance(1);
    expect(takeAll(queue)).toEqual(['a', 'b']);
    await clock.advance(1000);
    expect(queue.size).toBe(0);
  });

  it('end when the key is added at once, which is earlier', async () => {
    const clock = new FakeClock();
    const queue = workQueue({ clock });
    queue.addAfter('a', 50);
    queue.add('a');
    expect(takeAll(queue)).toEqual(['a']);
    await clock.advance(1000);
    expect(queue.size).toBe(0);
  });

  it('of zero or less are none, and what is no time is refused', () => {
    const queue = workQueue();
    queue.addAfter('a', 0);
    queue.addAfter('b', -5);
    expect(takeAll(queue)).toEqual(['a', 'b']);
    expect(() => queue.addAfter('c', Number.NaN)).toThrow('delayMs is not a time: NaN');
  });

  it('leave one timer however many keys wait, and none when the queue is closed', () => {
    const clock = new FakeClock();
    const queue = workQueue({ clock });
    for (let index = 0; index < 1000; index++) queue.addAfter(`k${index}`, 1000 - index);
    expect([clock.pending, queue.metrics.delayed]).toEqual([1, 1000]);
    queue.close();
    expect(clock.pending).toBe(0);
  });

  it('that are replaced over and over keep no memory of the old ones', () => {
    const queue = workQueue({ clock: new FakeClock() });
    for (let index = 0; index < 100_000; index++) {
      queue.addAfter('a', 1_000_000 - index);
      queue.add('a');
      take(queue).done();
    }
    expect(queue.metrics.delayed).toBe(0);
  });
});

describe('a delay of a key that runs anyway', () => {
  it('is dropped when the key is ready, or was added while in work: the run decides about the next', async () => {
    const clock = new FakeClock();
    const queue = workQueue({ clock });
    queue.add('a');
    queue.addAfter('a', 1000);
    const item = take(queue);
    queue.add('a');
    queue.addAfter('a', 1000);
    queue.retry('a');
    item.done();
    expect(takeAll(queue)).toEqual(['a']);
    await clock.advance(10_000);
    expect([queue.size, queue.metrics.delayed]).toEqual([0, 0]);
  });

  it('is not made longer by a clock that is set back', async () => {
    const base = new FakeClock();
    let skewMs = 0;
    const clock = { now: () => base.now() + skewMs, after: base.after.bind(base) };
    const queue = workQueue({ clock });
    queue.addAfter('a', 1000);
    queue.addAfter('b', 5000);
    skewMs = -3_600_000;
    await base.advance(1000);
    expect(takeAll(queue)).toEqual(['a']);
    queue.addAfter('c', 2000);
    await base.advance(2000);
    expect(takeAll(queue)).toEqual(['c']);
    await base.advance(4000);
    expect(takeAll(queue)).toEqual(['b']);
  });
});

describe('retries', () => {
  it('wait 5 ms and double up to 1000 s, for each key on its own', async () => {
    const clock = new FakeClock();
    const queue = workQueue({ clock });
    const waits: number[] = [];
    for (let failures = 0; failures < 20; failures++) {
      queue.retry('a');
      waits.push((clock.nextDue ?? 0) - clock.now());
      await clock.advance(1_000_000);
      const item = take(queue);
      expect(item.failures).toBe(failures + 1);
      item.done();
    }
    expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(waits.at(-1)).toBe(1_000_000);
  });

  it('stay at the limit however often a key fails', () => {
    const clock = new FakeClock();
    const queue = workQueue({ clock, backoff: { initialMs: 1, maxMs: 1000 } });
    for (let failures = 0; failures < 2000; failures++) queue.retry('a');
    queue.add('a');
    expect(take(queue).failures).toBe(2000);
    queue.retry('b');
    queue.retry('c');
    expect((clock.nextDue ?? 0) - clock.now()).toBe(1);
  });

  it('start over once a key was forgotten', async () => {
    const clock = new FakeClock();
    const queue = workQueue({ clock });
    queue.retry('a');
    queue.retry('a');
    queue.forget('a');
    queue.add('a');
    const item = take(queue);
    expect(item.failures).toBe(0);
    item.done();
    queue.retry('a');
    await clock.advance(5);
    expect(takeAll(queue)).toEqual(['a']);
  });

  it('of one key say nothing of another, which is forgotten alone', async () => {
    const clock = new FakeClock();
    const queue = workQueue({ clock });
    for (const key of ['a', 'a', 'b', 'b']) queue.retry(key);
    queue.forget('a');
    await clock.advance(10);
    const items = [take(queue), take(queue)];
    expect(new Map(items.map(({ key, failures }) => [key, failures]))).toEqual(
      new Map([
        ['a', 0],
        ['b', 2],
      ]),
    );
  });

  it('wait as long each time when the limit is where they begin', async () => {
    const clock = new FakeClock();
    const queue = workQueue({ clock, backoff: { initialMs: 20, maxMs: 20 } });
    for (let failures = 0; failures < 3; failures++) {
      queue.retry('a');
      await clock.advance(19);
      expect(queue.size).toBe(0);
      await clock.advance(1);
      expect(takeAll(queue)).toEqual(['a']);
    }
  });

  it('of all keys together keep to a rate when there is one', () => {
    const clock = new FakeClock();
    const queue = workQueue({ clock, backoff: { rate: { qps: 10, burst: 2 } } });
    for (const key of ['a', 'b', 'c', 'd']) queue.retry(key);
    expect((clock.nextDue ?? 0) - clock.now()).toBe(5);
    expect(queue.metrics).toMatchObject({ retries: 4, delayed: 4 });
  });

  it('beyond the burst wait for the rate, which time refills', async () => {
    const clock = new FakeClock();
    const queue = workQueue({ clock, backoff: { initialMs: 1, rate: { qps: 10, burst: 2 } } });
    const due: [string, number][] = [];
    const began = clock.now();
    for (const key of ['a', 'b', 'c', 'd']) queue.retry(key);
    for (let ms = 1; ms <= 300; ms++) {
      await clock.advance(1);
      for (const key of takeAll(queue)) due.push([key, clock.now() - began]);
    }
    expect(due).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 100],
      ['d', 200],
    ]);
    await clock.advance(1000);
    for (const key of ['e', 'f']) queue.retry(key);
    await clock.advance(1);
    expect(takeAll(queue)).toEqual(['e', 'f']);
  });

  it.each([
    [{ initialMs: 0 }, 'backoff.initialMs must be above 0: 0'],
    [{ initialMs: 10, maxMs: 5 }, 'backoff.maxMs must not be below initialMs: 5'],
    [{ rate: { qps: 0, burst: 1 } }, 'backoff.rate.qps must be above 0: 0'],
    [{ initialMs: Number.NaN }, 'backoff.initialMs must be above 0: NaN'],
    [{ rate: { qps: 1, burst: 0 } }, 'backoff.rate.burst must be a whole number above 0: 0'],
    [{ rate: { qps: 1, burst: 0.5 } }, 'backoff.rate.burst must be a whole number above 0: 0.5'],
  ])('refuse options that make no sense: %j', (backoff, message) => {
    expect(() => workQueue({ backoff })).toThrow(message);
  });
});

describe('a closed queue', () => {
  it('gives out what was ready, takes nothing new, and then ends every worker', async () => {
    const queue = workQueue({ clock: new FakeClock() });
    queue.add('a');
    queue.addAfter('later', 10);
    queue.close();
    queue.add('b');
    queue.retry('b');
    expect((await queue.take())?.key).toBe('a');
    expect(await queue.take()).toBeUndefined();
  });

  it('is drained at once when it is empty, and also while workers wait', async () => {
    const queue = workQueue();
    const waiting = queue.take();
    await queue.drain();
    await queue.drain();
    expect(await waiting).toBeUndefined();
  });

  it('drops what is delayed, and keeps a key in work from running again for adds after the close', async () => {
    const clock = new FakeClock();
    const queue = workQueue({ clock });
    queue.add('a');
    queue.addAfter('b', 10);
    const item = take(queue);
    queue.close();
    queue.add('a');
    queue.addAfter('a', 0);
    item.done();
    await clock.advance(1000);
    expect([queue.size, queue.metrics.delayed, await queue.take()]).toEqual([0, 0, undefined]);
  });

  it('ends workers that wait', async () => {
    const queue = workQueue();
    const waiting = queue.take();
    queue.close();
    expect(await waiting).toBeUndefined();
  });

  it('is drained when everything in work is done, with what was added before the close', async () => {
    const queue = workQueue();
    queue.add('a');
    const item = take(queue);
    queue.add('a');
    let drained = false;
    const drain = async (): Promise<void> => {
      await queue.drain();
      drained = true;
    };
    const draining = drain();
    item.done();
    await Promise.resolve();
    expect(drained).toBe(false);
    take(queue).done();
    await draining;
    expect(queue.size).toBe(0);
  });
});

it('metrics tell depth, adds, times in line and in work, and how long a stuck worker has been at it', async () => {
  const clock = new FakeClock();
  const queue = workQueue({ clock });
  queue.add('a');
  queue.add('a');
  queue.add('b');
  await clock.advance(10);
  const item = take(queue);
  await clock.advance(30);
  expect(queue.metrics).toMatchObject({
    depth: 1,
    adds: 2,
    processing: 1,
    queueDuration: { count: 1, totalMs: 10 },
    workDuration: { count: 0, totalMs: 0 },
    unfinishedWorkMs: 30,
    longestRunningMs: 30,
  });
  item.done();
  expect(queue.metrics).toMatchObject({ processing: 0, workDuration: { count: 1, totalMs: 30 }, longestRunningMs: 0 });
});

it('delays that are added in any order end in the order of their times', async () => {
  const clock = new FakeClock();
  const queue = workQueue({ clock });
  const delays = Array.from({ length: 500 }, (_, index) => 1 + ((index * 7919) % 500));
  for (const ms of delays) queue.addAfter(String(ms), ms);
  await clock.advance(500);
  expect(takeAll(queue)).toEqual(delays.toSorted((a, b) => a - b).map(String));
});

it('many producers and consumers: everything is done after its last add, and nothing after the end', async () => {
  const queue = workQueue();
  const done = new Map<string, number>();
  const active = new Set<string>();
  const consumer = async (): Promise<void> => {
    for (let item = await queue.take(); item !== undefined; item = await queue.take()) {
      expect(active.has(item.key)).toBe(false);
      active.add(item.key);
      await Promise.resolve();
      active.delete(item.key);
      done.set(item.key, (done.get(item.key) ?? 0) + 1);
      item.done();
    }
  };
  const producer = async (name: number): Promise<void> => {
    for (let index = 0; index < 50; index++) {
      queue.add(`${(name + index) % 20}`);
      await Promise.resolve();
    }
  };
  const consumers = Array.from({ length: 10 }, consumer);
  await Promise.all(Array.from({ length: 50 }, (_, name) => producer(name)));
  await queue.drain();
  await Promise.all(consumers);
  queue.add('late');
  expect([done.size, queue.size, active.size, done.has('late')]).toEqual([20, 0, 0, false]);
});

it.each([
  ['that is done', [0]],
  ['that is done and was moved to another priority', [-1, 0]],
])('a key %s is not kept alive', async (_, priorities) => {
  const queue = workQueue<object>();
  const reference = (() => {
    const key = { name: 'a' };
    for (const priority of priorities) queue.add(key, { priority });
    queue.takeNow()?.done();
    queue.forget(key);
    return new WeakRef(key);
  })();
  // Passes the places that were left.
  queue.add({ name: 'b' }, { priority: -2 });
  queue.takeNow();
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  for (let attempt = 0; attempt < 10 && reference.deref() !== undefined; attempt++) {
    await new Promise(setImmediate);
    collect();
  }
  expect(reference.deref()).toBeUndefined();
});
