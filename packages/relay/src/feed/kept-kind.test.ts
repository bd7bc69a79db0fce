import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { oldAge } from './feed-state.ts';
import type { KeptKind, KindKeeper } from './kept-kind.ts';
import { PlayedUpstream, pod } from './played-upstream.fixture.ts';

const bytes = (name: string, version: number): Buffer => Buffer.from(pod(name, version));

const KEPT: KeptKind = {
  revision: 10n,
  objects: [{ key: 'a/one', revision: 3n, value: bytes('one', 3) }],
  batches: [
    { revision: 12n, changes: [{ key: 'a/two', revision: 12n, value: bytes('two', 12) }] },
    { revision: 14n, changes: [{ key: 'a/one', revision: 14n, value: undefined }] },
    { revision: 20n, changes: [] },
  ],
  ageMs: 5000,
};

class TestKeeper implements KindKeeper {
  readonly servesUnasked: boolean;
  readonly kept: KeptKind | undefined;
  readonly followed: bigint[] = [];
  readonly refused: string[] = [];
  loads = 0;

  constructor(kept: KeptKind | undefined, servesUnasked = false) {
    this.kept = kept;
    this.servesUnasked = servesUnasked;
  }

  async load(): Promise<KeptKind | undefined> {
    this.loads += 1;
    return this.kept;
  }

  refuse(error: unknown): void {
    this.refused.push(String(error));
  }

  follow({ revision }: { readonly revision: bigint }): void {
    this.followed.push(revision);
  }
}

/** Objects are loaded in turns of the event loop. */
async function until(played: PlayedUpstream, isTrue: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !isTrue(); i += 1) {
    await played.clock.advance(0);
    await setImmediate();
  }
  expect(isTrue()).toBe(true);
}

async function restored(keeper: TestKeeper, listed = '12'): Promise<PlayedUpstream> {
  const played = await PlayedUpstream.start('pods', () => keeper, { version: '30', listed });
  await until(played, () => played.cache.generation !== undefined);
  return played;
}

it('a feed goes on from what was kept, with its window and its age, and lists nothing', async () => {
  const keeper = new TestKeeper(KEPT);
  const played = await restored(keeper);
  const { generation } = played.cache;
  expect([played.names, generation?.revision]).toEqual([['two'], 20n]);
  expect([played.feed.state.type, oldAge(played.feed.state, played.clock.monotonic())]).toEqual(['away', 5000]);
  expect([generation?.window.oldestStart, generation?.window.size]).toEqual([10n, 2]);
  expect(keeper.followed).toEqual([20n]);
  await until(played, () => played.streams.length > 0);
  expect(played.stream.query.resourceVersion).toBe('20');
  played.stream.send('MODIFIED', pod('two', 31));
  await until(played, () => played.feed.state.type === 'live');
  expect([played.cache.generation, generation?.revision]).toEqual([generation, 31n]);
  expect([played.feed.counts.loads, keeper.loads, played.errors]).toEqual([0, 1, []]);
});

it('what was kept is not shown before the upstream has said which cluster it is', async () => {
  const keeper = new TestKeeper(KEPT);
  const played = await PlayedUpstream.start('pods', () => keeper, { uid: new Error('no answer') });
  for (let i = 0; i < 20; i += 1) await played.clock.advance(100);
  expect([keeper.loads, played.cache.generation, played.streams.length]).toEqual([0, undefined, 0]);
  played.uid = 'cluster-1';
  for (let i = 0; i < 200 && played.cache.generation === undefined; i += 1) {
    await played.clock.advance(100);
    await setImmediate();
  }
  expect([keeper.loads, played.names]).toEqual([1, ['two']]);
});

it('what was kept is shown to those who asked for that, when the upstream has had a moment to say which cluster it is', async () => {
  const keeper = new TestKeeper(KEPT, true);
  const played = await PlayedUpstream.start('pods', () => keeper, {
    uid: new Error('no answer'),
    version: '30',
    listed: '12',
  });
  await until(played, () => played.cache.generation !== undefined);
  expect([played.names, played.feed.state.type]).toEqual([['two'], 'away']);
  // Nothing that comes is applied before it has said so.
  for (let i = 0; i < 100 && played.streams.length === 0; i += 1) await played.clock.advance(100);
  played.stream.send('ADDED', pod('foreign', 40));
  await played.clock.advance(0);
  expect(played.names).toEqual(['two']);
});

it('what was kept of an upstream that was restored meanwhile is ended before anything else is shown', async () => {
  // The same versions, another history: the object that changed last is not what it was.
  const played = await restored(new TestKeeper(KEPT), '11');
  const before = played.cache.generation;
  for (let i = 0; i < 100 && played.streams.length === 0; i += 1) await played.clock.advance(100);
  expect([before?.isEnded, played.stream.query.resourceVersion]).toEqual([false, undefined]);
  played.stream.send('ADDED', pod('old', 2));
  await played.clock.advance(0);
  expect([before?.isEnded, played.cache.generation]).toEqual([true, undefined]);
});

it('what was kept and cannot be read costs one list, and is refused', async () => {
  const keeper = new TestKeeper({ ...KEPT, objects: [{ key: 'a/three', revision: 3n, value: Buffer.from('{') }] });
  const played = await PlayedUpstream.start('pods', () => keeper);
  await until(played, () => played.streams.length > 0);
  played.stream.send('ADDED', pod('three', 25));
  played.stream.bookmark('30', true);
  await until(played, () => played.names.length > 0);
  expect([played.names, played.feed.counts.loads, keeper.refused]).toEqual([
    ['three'],
    1,
    [expect.stringContaining('cannot be read')],
  ]);
});
