import type { ApiObject } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { PlainKeeper } from '../store/object-keeper.ts';
import { StoreWriter } from '../store/store-writer.ts';
import { WriteTracker } from './write-tracker.ts';

const { signal } = new AbortController();
let clock: FakeClock;
let tracker: WriteTracker;
let writer: StoreWriter<ApiObject>;

beforeEach(() => {
  clock = new FakeClock();
  tracker = new WriteTracker(clock, 1000);
  writer = new StoreWriter(new PlainKeeper<ApiObject>('none'), ['a', 'b']);
});

const object = (name: string, version: number, uid = 'u'): ApiObject => ({
  metadata: { name, namespace: 'a', uid, resourceVersion: String(version) },
});

function put(one: ApiObject): void {
  writer.put(`a/${one.metadata.name}`, writer.pack(one));
  tracker.saw(writer.store);
}

/** The outcome so far. */
async function outcomeOf(settled: Promise<boolean>): Promise<boolean | 'waits'> {
  await clock.advance(0);
  await new Promise(setImmediate);
  return Promise.race([settled, Promise.resolve<'waits'>('waits')]);
}

describe('a key is settled', () => {
  it('when the caches show each object, though the version of a cache of several namespaces lags', async () => {
    tracker.wrote('k', writer.store, object('x', 7));
    tracker.wrote('k', writer.store, object('y', 8));
    const settled = tracker.settled('k', signal);
    put(object('y', 8));
    put(object('x', 6));
    expect(await outcomeOf(settled)).toBe('waits');
    put(object('x', 9));
    expect(await outcomeOf(settled)).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('when the cache has reached the version, though it never showed the object', async () => {
    tracker.wrote('k', writer.store, object('x', 7));
    const settled = tracker.settled('k', signal);
    writer.version.advance('a', '7');
    writer.version.advance('b', '7');
    expect(await outcomeOf(settled)).toBe(true);
  });

  it('at once when the event came before the answer, or nothing was written', async () => {
    put(object('x', 7));
    tracker.wrote('k', writer.store, object('x', 7));
    tracker.deleted('k', writer.store, 'a/gone', 'u');
    expect([await tracker.settled('k', signal), tracker.size]).toEqual([true, 0]);
  });

  it('when a deleted object has left, also if another of the same name took its place', async () => {
    put(object('x', 7, 'old'));
    put(object('y', 7, 'old'));
    tracker.deleted('k', writer.store, 'a/x', 'old');
    tracker.deleted('k', writer.store, 'a/y', 'old');
    const settled = tracker.settled('k', signal);
    put(object('x', 9, 'new'));
    expect(await outcomeOf(settled)).toBe('waits');
    writer.remove('a/y');
    tracker.saw(writer.store);
    expect(await outcomeOf(settled)).toBe(true);
  });

  it('not, after its limit or when the signal is aborted', async () => {
    tracker.wrote('k', writer.store, object('x', 7));
    const late = tracker.settled('k', signal);
    await clock.advance(999);
    expect(await outcomeOf(late)).toBe('waits');
    await clock.advance(1);
    expect(await outcomeOf(late)).toBe(false);
    const stop = new AbortController();
    tracker.wrote('k', writer.store, object('x', 7));
    const stopped = tracker.settled('k', stop.signal);
    stop.abort();
    expect([await stopped, clock.pending]).toEqual([false, 0]);
    tracker.wrote('k', writer.store, object('x', 7));
    expect(await tracker.settled('k', stop.signal)).toBe(false);
  });
});

it('writes of keys that never run again are not remembered for ever', () => {
  for (let index = 1; index <= 10_000; index++) {
    tracker.wrote(`k${index}`, writer.store, object(`x${index}`, index));
    put(object(`x${index}`, index));
  }
  expect(tracker.size).toBeLessThan(1025);
});
