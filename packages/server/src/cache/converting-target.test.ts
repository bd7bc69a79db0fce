import { FakeClock } from '@listwatch/api/fake-clock';
import type { Entry } from '@listwatch/storage';
import { beforeEach, describe, expect, it } from 'vitest';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import type { CacheGeneration } from './cache-generation.ts';
import { ConvertingTarget, LateProgress } from './converting-target.ts';
import { FeedProgress } from './feed-progress.ts';
import { ResourceCache } from './resource-cache.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function objectOf(key: string, text: string): Buffer {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const metadata = { namespace: 'x', name, annotations: { text } };
  return Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata }));
}

let clock: FakeClock;
let feed: FeedProgress;
let progress: LateProgress;

beforeEach(() => {
  clock = new FakeClock();
  feed = new FeedProgress(clock, () => undefined);
  feed.advance(5n);
  progress = new LateProgress(feed, 5n);
});

describe('the progress of a generation that is late', () => {
  it('is that of the feed while nothing waits, and its own until it has caught up', () => {
    feed.advance(6n);
    expect(progress.revision).toBe(6n);
    progress.late(6n);
    feed.advance(9n);
    expect(progress.revision).toBe(6n);
    progress.late(8n);
    expect(progress.revision).toBe(8n);
    progress.caughtUp();
    expect(progress.revision).toBe(9n);
  });

  it('is reached when the feed and the conversions are there', async () => {
    progress.late(5n);
    const reached: bigint[] = [];
    const wait = async (revision: bigint): Promise<void> => {
      if (await progress.reached(revision)) reached.push(revision);
    };
    const waits = [wait(5n), wait(6n), wait(7n)];
    await turn();
    expect(reached).toEqual([5n]);
    feed.advance(9n);
    await turn();
    expect(reached).toEqual([5n]);
    progress.late(6n);
    await turn();
    expect(reached).toEqual([5n, 6n]);
    progress.caughtUp();
    await Promise.all(waits);
    expect(reached).toEqual([5n, 6n, 7n]);
    expect(await progress.reached(9n)).toBe(true);
  });

  it('is not reached when the feed does not come, and a request that has ended hears its reason', async () => {
    const late = progress.reached(10n);
    await clock.advance(3000);
    expect(await late).toBe(false);
    progress.late(5n);
    feed.advance(10n);
    const controller = new AbortController();
    const ended = progress.reached(10n, controller.signal);
    await turn();
    controller.abort(new Error('gone'));
    progress.late(6n);
    await expect(ended).rejects.toThrow('gone');
  });
});

describe('changes that a webhook converts', () => {
  let generation: CacheGeneration;
  let target: ConvertingTarget;
  let failures: unknown[];
  /** The calls of the webhook, which are answered by hand. */
  let calls: { readonly keys: readonly string[]; readonly answer: () => void; readonly fail: () => void }[];
  let root: string;

  beforeEach(() => {
    failures = [];
    calls = [];
    const cache = new ResourceCache({ definition: configMap, clock });
    root = cache.root;
    generation = cache.begin(5n, progress);
    cache.publish(generation);
    target = new ConvertingTarget({
      generation,
      progress,
      convert: (entries) =>
        new Promise((resolve, reject) => {
          const converted = entries.map((entry): Entry => ({ ...entry, value: objectOf(entry.key, 'converted') }));
          const keys = entries.map(({ key }) => key.slice(root.length));
          calls.push({ keys, answer: () => resolve(converted), fail: () => reject(new Error('no webhook')) });
        }),
      onFailure: (error) => failures.push(error),
    });
  });

  function put(name: string, revision: bigint): void {
    const key = `${root}x/${name}`;
    target.apply({ type: 'put', key, value: objectOf(key, 'stored'), revision, previous: undefined });
    target.settle();
    feed.advance(revision);
  }

  function remove(name: string, revision: bigint): void {
    const key = `${root}x/${name}`;
    target.apply({ type: 'delete', key, revision, previous: { key, value: objectOf(key, 'stored'), modRevision: 1n } });
    feed.advance(revision);
  }

  it('are applied in their order, converted, and those that come meanwhile go together in the next call', async () => {
    const seen: string[] = [];
    const settled: bigint[] = [];
    generation.listen({
      changed: ({ key, object }) => seen.push(`${object === undefined ? 'gone' : 'set'} ${key}`),
      settled: (revision) => settled.push(revision),
      ended: () => undefined,
    });
    put('a', 6n);
    expect([generation.revision, calls.map(({ keys }) => keys)]).toEqual([5n, [['x/a']]]);
    put('b', 7n);
    remove('a', 8n);
    put('c', 9n);
    expect([generation.revision, calls.length]).toEqual([5n, 1]);
    const first = generation.reached(6n);
    calls[0]?.answer();
    expect(await first).toBe(true);
    await turn();
    expect([generation.revision, seen]).toEqual([6n, ['set x/a']]);
    expect(generation.get('x/a')?.bytes.toString()).toContain('converted');
    expect(calls.map(({ keys }) => keys)).toEqual([['x/a'], ['x/b', 'x/c']]);
    calls[1]?.answer();
    await turn();
    expect(seen).toEqual(['set x/a', 'set x/b', 'gone x/a', 'set x/c']);
    expect(settled).toEqual([6n, 7n, 8n, 9n]);
    expect(generation.get('x/c')?.bytes.toString()).toContain('converted');
    feed.advance(20n);
    expect([generation.revision, failures]).toEqual([20n, []]);
    put('d', 21n);
    expect([generation.revision, calls.length]).toEqual([20n, 3]);
  });

  it('end the generation when the webhook fails, and what waits for them goes on', async () => {
    put('a', 6n);
    const waiting = progress.reached(6n);
    calls[0]?.fail();
    expect(await waiting).toBe(true);
    expect([failures, generation.size]).toEqual([[new Error('no webhook')], 0]);
    put('b', 7n);
    expect(calls).toHaveLength(2);
  });

  it('are converted no more when the generation has ended', async () => {
    put('a', 6n);
    put('b', 7n);
    generation.end();
    calls[0]?.answer();
    await turn();
    expect([generation.size, calls.length, failures]).toEqual([0, 1, []]);
  });

  it('end the generation when ten thousand wait for a webhook that is too slow', async () => {
    put('first', 6n);
    for (let i = 0; i < 10_000; i += 1) put(`n${i}`, BigInt(7 + i));
    expect(failures).toEqual([]);
    put('one-more', 20_000n);
    expect(failures).toEqual([new Error('the conversion webhook is too slow')]);
  });
});
