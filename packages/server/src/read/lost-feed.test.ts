import { FakeClock } from '@listwatch/api/fake-clock';
import { requireCommitted, type StorageEngine } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VerbContext } from '../contract/verb.ts';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { type StorageCaches, storageCaches } from '../watch/cache-set.ts';
import { TestSink } from '../watch/test-sink.fixture.ts';
import { callOf, verbContext } from '../write/verb.fixture.ts';
import { type BreakableFeed, breakableFeed } from './breakable-feed.fixture.ts';
import { watchVerb } from './open-watch.ts';
import { originOf } from './read-origin.fixture.ts';

const PATH = '/api/v1/namespaces/x/configmaps';

let feed: BreakableFeed;
let engine: StorageEngine;
let clock: FakeClock;
let caches: StorageCaches;
let context: VerbContext;

beforeEach(() => {
  feed = breakableFeed();
  engine = feed.engine;
  clock = new FakeClock();
  caches = storageCaches({ engine, definitions: [configMap], clock });
  context = verbContext(engine, clock);
});

afterEach(async () => {
  await caches.feed.stop();
  await engine.close();
});

async function put(name: string): Promise<string> {
  const { cache } = caches.kind(configMap);
  const value = layoutOf(cache.definition).encode({ ...cache.layout.type, metadata: { name, namespace: 'x' } });
  return `ADDED ${name}@${requireCommitted(await engine.commit({ type: 'put', key: `${cache.root}x/${name}`, value }), name)}`;
}

async function open(query: string): Promise<(sink: TestSink) => void> {
  const response = await watchVerb(caches, originOf(context), { clock })(context, callOf(configMap, PATH, query));
  if (response.type !== 'watch') throw new Error('a watch does not answer with bytes');
  return response.start;
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}

/** Every await of a replay lies within this many microtasks of its start. */
const TURNS = Array.from({ length: 60 }, (_, turn) => turn);

describe('a feed that is lost while a watch is read from history', () => {
  it.each([...TURNS.map((turn) => [turn, 0]), ...TURNS.map((turn) => [0, turn])])(
    'broken, started %i microtasks later, or started and broken %i later: the stream ends, or has every change',
    async (first, second) => {
      const before = await engine.revision();
      const expected = [await put('a')];
      await caches.feed.start();
      const start = await open(`watch=true&resourceVersion=${before}`);
      const sink = new TestSink();
      if (second > 0) start(sink);
      await turns(second);
      feed.breakFeed();
      await turns(first);
      if (second === 0) start(sink);
      // The replay goes on while the caches are empty, then a change comes that no feed brings.
      await clock.advance(0);
      expected.push(await put('b'));
      await clock.advance(1000);
      expected.push(await put('c'));
      await clock.advance(1000);
      expect(sink.events).toEqual(sink.ended ? expected.slice(0, sink.frames.length) : expected);
    },
  );

  it('while its socket is full: the stream ends', async () => {
    const before = await engine.revision();
    const expected = [await put('a'), await put('b')];
    await caches.feed.start();
    const sink = new TestSink();
    sink.full = true;
    (await open(`watch=true&resourceVersion=${before}`))(sink);
    await clock.advance(0);
    feed.breakFeed();
    await clock.advance(0);
    sink.drain();
    await clock.advance(0);
    expected.push(await put('c'));
    await clock.advance(1000);
    expect(sink.events).toEqual(expected.slice(0, sink.frames.length));
    expect(sink.ended).toBe(true);
  });
});
