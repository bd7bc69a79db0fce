import { EVERY_FIELD, EVERY_LABEL, parseFieldSelector, parseLabelSelector } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually } from '@listwatch/conformance/storage';
import { type Clock, createMemoryEngine, requireCommitted, type StorageEngine, StorageError } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchForm } from '../answer/watch-form.ts';
import { parseObject } from '../cache/cached-object.ts';
import { ObjectTree } from '../cache/object-tree.ts';
import { justPause } from '../contract/pause.ts';
import { configMap, deployment, pod } from '../kinds/built-in-definitions.fixture.ts';
import { replayHistory } from '../read/history-replay.ts';
import { engineOrigin } from '../read/read-origin.fixture.ts';
import type { StoredForm } from '../stored/stored-form.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { type StorageCaches, storageCaches } from './cache-set.ts';
import type { CachedKind } from './cached-kind.ts';
import { FlushPacer } from './flush-pacer.ts';
import { parseFrame, TestSink } from './test-sink.fixture.ts';
import type { WatchRequest } from './watch-cursor.ts';
import { WatchHub } from './watch-hub.ts';
import { WatchStats } from './watch-traffic.ts';

const never = (): void => undefined;

let engine: StorageEngine;
let clock: FakeClock;
let caches: StorageCaches;
let configMaps: CachedKind;
let pods: CachedKind;

beforeEach(async () => {
  clock = new FakeClock();
  engine = createMemoryEngine({ firstRevision: 1n });
  caches = storageCaches({
    engine,
    definitions: [configMap, pod],
    clock,
    window: () => ({ minCapacity: 10, maxCapacity: 10 }),
  });
  configMaps = caches.kind(configMap);
  pods = caches.kind(pod);
  await caches.feed.start();
});

afterEach(async () => {
  await caches.feed.stop();
  await engine.close();
});

async function put(
  kind: CachedKind,
  key: string,
  extra: object = {},
  labels: Record<string, string> = {},
): Promise<bigint> {
  const [namespace = '', name = ''] = key.split('/');
  const type = kind.cache.layout.type;
  const value = layoutOf(kind.cache.definition).encode({ ...type, metadata: { name, namespace, labels }, ...extra });
  const storageKey = kind.cache.root + key;
  const revision = requireCommitted(await engine.commit({ type: 'put', key: storageKey, value }), key);
  await caches.feed.reached(revision);
  return revision;
}

async function remove(kind: CachedKind, key: string): Promise<bigint> {
  const revision = requireCommitted(await engine.commit({ type: 'delete', key: kind.cache.root + key }), key);
  await caches.feed.reached(revision);
  return revision;
}

const JSON_FORM = { mediaType: 'application/json', as: 'object', metaVersion: 'v1', pretty: false } as const;

function request(
  kind: CachedKind,
  options: Partial<WatchRequest> & { labels?: string; fields?: string } = {},
): WatchRequest {
  const { labels = '', fields = '', ...rest } = options;
  const scope = {
    namespace: '',
    name: '',
    labels: labels === '' ? EVERY_LABEL : parseLabelSelector(labels),
    fields: fields === '' ? EVERY_FIELD : parseFieldSelector(fields),
  };
  return {
    scope,
    form: watchForm(kind.cache, JSON_FORM),
    initial: undefined,
    after: kind.cache.requireReady().revision,
    bookmarks: false,
    markInitialEnd: false,
    deadline: clock.now() + 3_600_000,
    ...rest,
  };
}

function watch(kind: CachedKind, options: Partial<WatchRequest> & { labels?: string; fields?: string } = {}): TestSink {
  const sink = new TestSink();
  kind.hub.watch(request(kind, options), sink);
  return sink;
}

it('a watch whose client has gone before it begins is over at once', () => {
  const sink = new TestSink();
  sink.leave();
  configMaps.hub.watch(request(configMaps), sink);
  expect(configMaps.counts).toMatchObject({ watchers: 0, channels: 0 });
});

describe('the cache of a kind', () => {
  it('holds the objects of its kind with the revision of their commit, and no others', async () => {
    const a = await put(configMaps, 'x/a', { data: { k: 'v' } });
    await put(pods, 'x/p');
    expect(configMaps.cache.requireReady().size).toBe(1);
    const object = configMaps.cache.requireReady().get('x/a');
    expect(object).toMatchObject({ namespace: 'x', name: 'a', revision: a });
    expect(object?.bytes.toString()).toBe(
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"${a}","name":"a","namespace":"x","labels":{}},"data":{"k":"v"}}`,
    );
  });

  it('is as fresh as the store for every kind, also for one that nobody writes', async () => {
    const revision = await put(pods, 'x/p');
    expect(configMaps.cache.requireReady().revision).toBe(revision);
  });

  it('a snapshot stays as it was while the objects go on changing', async () => {
    await put(configMaps, 'x/a');
    await put(configMaps, 'x/b');
    const snapshot = configMaps.cache.requireReady().snapshot();
    await remove(configMaps, 'x/a');
    await put(configMaps, 'x/c');
    expect([...snapshot.walk()].map((object) => object.key)).toEqual(['x/a', 'x/b']);
    expect([...configMaps.cache.requireReady().snapshot().walk()].map((object) => object.key)).toEqual(['x/b', 'x/c']);
  });

  it('gives the state at any revision in the window by taking changes back, and none before it', async () => {
    const first = await put(configMaps, 'x/a');
    const states: [bigint, string[]][] = [[first, ['x/a']]];
    for (let i = 0; i < 5; i += 1) {
      states.push([await put(configMaps, `x/n${i}`), ['x/a', ...Array.from({ length: i + 1 }, (_, n) => `x/n${n}`)]]);
    }
    states.push([await remove(configMaps, 'x/a'), Array.from({ length: 5 }, (_, n) => `x/n${n}`)]);
    for (const [revision, keys] of states) {
      const snapshot = configMaps.cache.requireReady().snapshotAt(revision);
      expect([...(snapshot?.walk() ?? [])].map((object) => object.key)).toEqual(keys);
      expect(snapshot?.revision).toBe(revision);
    }
    for (let i = 0; i < 30; i += 1) await put(configMaps, 'x/busy');
    expect(configMaps.cache.requireReady().snapshotAt(first - 1n)).toBeUndefined();
  });

  it('answers 429 until it has been filled, and after the store was lost', () => {
    expect(() => configMaps.cache.requireReady()).not.toThrow();
    configMaps.cache.lose('no connection');
    expect(() => configMaps.cache.requireReady()).toThrow('storage is (re)initializing: no connection');
  });
});

describe('the entry of a key', () => {
  it('is that of the store, from the cache', async () => {
    await put(configMaps, 'x/a', { data: { k: 'v' } });
    const key = `${configMaps.cache.root}x/a`;
    const { entry } = await engine.get(key);
    expect(caches.entry(configMap, key)).toEqual(entry);
  });

  it('is undefined when the cache has none, or is away, or belongs to another kind', async () => {
    await put(configMaps, 'x/a');
    const key = `${configMaps.cache.root}x/a`;
    expect(caches.entry(configMap, `${configMaps.cache.root}x/b`)).toBeUndefined();
    expect([caches.entry(pod, key), caches.entry(deployment, key)]).toEqual([undefined, undefined]);
    configMaps.cache.lose();
    expect(caches.entry(configMap, key)).toBeUndefined();
  });

  it('is undefined for a custom kind: its versions are served in other bytes than they are stored', async () => {
    const form: StoredForm = {
      show: (value) => ({ object: parseObject(Buffer.from(value)), value, isRewritten: false, isStale: false }),
      store: (value) => value,
      isStorage: true,
    };
    const custom = { ...configMap, resource: { ...configMap.resource, group: 'example.com', plural: 'maps' }, form };
    caches.add([custom]);
    const kind = caches.kind(custom);
    await eventually('the cache', () => kind.cache.state.type === 'ready');
    await put(kind, 'x/a');
    expect(kind.cache.requireReady().get('x/a')).toBeDefined();
    expect(caches.entry(custom, `${kind.cache.root}x/a`)).toBeUndefined();
  });
});

describe('waiting for a revision', () => {
  it('resolves with true when the caches have come to it, with false after three seconds', async () => {
    const current = await engine.revision();
    const reached = caches.feed.reached(current + 1n);
    const late = caches.feed.reached(current + 5n);
    await put(pods, 'x/p');
    expect(await reached).toBe(true);
    await clock.advance(3000);
    expect(await late).toBe(false);
  });

  it('rejects with the reason of the signal', async () => {
    const controller = new AbortController();
    const waiting = caches.feed.reached(1000n, controller.signal);
    const reason = new Error('gone');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});

describe('a watch', () => {
  it('shows what happens to the objects of its scope, and nothing else', async () => {
    const all = watch(configMaps);
    const web = watch(configMaps, { labels: 'app=web' });
    const onNode = watch(pods, { fields: 'spec.nodeName=n1' });
    const created = await put(configMaps, 'x/a', {}, { app: 'web' });
    const left = await put(configMaps, 'x/a', {}, { app: 'db' });
    const gone = await remove(configMaps, 'x/a');
    const bound = await put(pods, 'x/p', { spec: { nodeName: 'n1' } });
    const moved = await put(pods, 'x/p', { spec: { nodeName: 'n2' } });
    expect(await all.first(3)).toEqual([`ADDED a@${created}`, `MODIFIED a@${left}`, `DELETED a@${gone}`]);
    expect(await web.first(2)).toEqual([`ADDED a@${created}`, `DELETED a@${left}`]);
    expect(JSON.parse(web.frames[1]?.toString() ?? '')).toMatchObject({
      object: { metadata: { labels: { app: 'web' } } },
    });
    expect(await onNode.first(2)).toEqual([`ADDED p@${bound}`, `DELETED p@${moved}`]);
  });

  it('from a revision in the window shows the changes since, then goes on live', async () => {
    const first = await put(configMaps, 'x/a');
    const second = await put(configMaps, 'x/b');
    const sink = watch(configMaps, { after: first });
    expect(sink.events).toEqual([`ADDED b@${second}`]);
    const third = await put(configMaps, 'x/c');
    expect(await sink.first(2)).toEqual([`ADDED b@${second}`, `ADDED c@${third}`]);
  });

  it('from a revision in the future shows only what comes after it', async () => {
    const now = configMaps.cache.requireReady().revision;
    const sink = watch(configMaps, { after: now + 2n });
    await put(configMaps, 'x/a');
    await put(configMaps, 'x/b');
    const third = await put(configMaps, 'x/c');
    expect(await sink.first(1)).toEqual([`ADDED c@${third}`]);
  });

  it('with initial objects shows them in key order, then the end bookmark, then what changes', async () => {
    const b = await put(configMaps, 'x/b');
    const a = await put(configMaps, 'x/a');
    const initial = configMaps.cache.requireReady().snapshot();
    const sink = watch(configMaps, { initial, after: initial.revision, markInitialEnd: true });
    const c = await put(configMaps, 'x/c');
    expect(await sink.first(4)).toEqual([
      `ADDED a@${a}`,
      `ADDED b@${b}`,
      `BOOKMARK end@${initial.revision}`,
      `ADDED c@${c}`,
    ]);
  });

  it('with a selector that takes few of many initial objects gives others their turn, and sends them all', async () => {
    const tree = new ObjectTree();
    for (let index = 0; index < 40_000; index += 1) {
      const name = `n${String(index).padStart(5, '0')}`;
      const labels = { odd: String(index % 9000 === 8999) };
      const bytes = Buffer.from(JSON.stringify({ metadata: { name, resourceVersion: '1' } }));
      tree.set({ key: `x/${name}`, name, namespace: 'x', revision: 1n, bytes, labels, fields: {}, owned: false });
    }
    const { revision } = configMaps.cache.requireReady();
    const initial = tree.snapshot(revision);
    const sink = watch(configMaps, { initial, after: revision, labels: 'odd=true', markInitialEnd: true });
    let turns = 0;
    while (!sink.frames.some((frame) => frame.includes('BOOKMARK'))) {
      turns += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(turns).toBeGreaterThanOrEqual(4);
    expect(sink.frames.map((frame) => parseFrame(frame).object.metadata.name ?? '')).toEqual([
      'n08999',
      'n17999',
      'n26999',
      'n35999',
      '',
    ]);
  });

  it.each(['object', 'metadata'] as const)(
    'many initial objects leave in several writes, each once and as the snapshot has it, in the form %s',
    async (as) => {
      const names = Array.from({ length: 150 }, (_, i) => `n${String(i).padStart(3, '0')}`);
      const data = { text: 'x'.repeat(2000) };
      for (const name of names) await put(configMaps, `x/${name}`, { data }, { odd: String(name.endsWith('1')) });
      await put(pods, 'x/p');
      const initial = configMaps.cache.requireReady().snapshot();
      const form = watchForm(configMaps.cache, { ...JSON_FORM, as });
      const sink = new TestSink();
      sink.full = true;
      const options = { initial, after: initial.revision, markInitialEnd: true, form, labels: 'odd!=true' };
      configMaps.hub.watch(request(configMaps, options), sink);
      await remove(configMaps, 'x/n149');
      for (; sink.frames.length < 136; sink.full = true) sink.drain();
      const shown = names.filter((name) => !name.endsWith('1'));
      const events = [...shown.map((name) => `ADDED ${name}`), `BOOKMARK end`, 'DELETED n149'];
      sink.drain();
      expect((await sink.first(137)).map((event) => event.split('@')[0])).toEqual(events);
      if (as === 'object') expect(sink.writes).toBeGreaterThan(3);
    },
  );

  it('watchers of one scope share one channel and one frame; the channel goes with the last of them', async () => {
    const [one, two] = [watch(configMaps), watch(configMaps)];
    watch(configMaps, { labels: 'app=web' });
    expect(configMaps.counts).toMatchObject({ watchers: 3, channels: 2 });
    await put(configMaps, 'x/a');
    await Promise.all([one.first(1), two.first(1)]);
    expect(one.frames[0]).toBe(two.frames[0]);
    one.leave();
    two.leave();
    expect(configMaps.counts).toMatchObject({ watchers: 1, channels: 1 });
  });

  it('a slow socket stays behind and catches up; nothing is lost or repeated', async () => {
    const sink = watch(configMaps);
    sink.full = true;
    const ready = watch(configMaps);
    const revisions = [await put(configMaps, 'x/n0')];
    await sink.first(1);
    for (let i = 1; i < 8; i += 1) revisions.push(await put(configMaps, `x/n${i}`));
    await ready.first(8);
    expect(sink.frames).toHaveLength(1);
    sink.drain();
    expect(sink.events).toEqual(revisions.map((revision, i) => `ADDED n${i}@${revision}`));
    expect(sink.ended).toBe(false);
  });

  it('a socket is slow from a write that fills it until it takes frames again, or is gone', async () => {
    const [drained, gone] = [watch(configMaps), watch(configMaps)];
    drained.full = true;
    gone.full = true;
    expect(configMaps.counts.slow).toBe(0);
    const [a, b] = [await put(configMaps, 'x/a'), await put(configMaps, 'x/b')];
    await Promise.all([drained.first(1), gone.first(1)]);
    expect(configMaps.counts.slow).toBe(2);
    await eventually('unsent events', () => configMaps.hub.bytes > 0);
    drained.drain();
    expect(configMaps.counts.slow).toBe(1);
    expect(drained.events).toEqual([`ADDED a@${a}`, `ADDED b@${b}`]);
    gone.leave();
    expect(configMaps.counts.slow).toBe(0);
    await put(configMaps, 'x/c');
    await drained.first(3);
    expect(configMaps.hub.bytes).toBe(0);
  });

  it('a socket that is still full when the window has moved past it ends plainly, and is counted', async () => {
    const sink = watch(configMaps);
    sink.full = true;
    await put(configMaps, 'x/n0');
    await sink.first(1);
    for (let i = 1; i < 40; i += 1) await put(configMaps, `x/n${i}`);
    await eventually('the end of the watch', () => sink.ended);
    expect(sink.frames).toHaveLength(1);
    expect(configMaps.counts).toMatchObject({ watchers: 0, channels: 0, terminated: 1 });
  });

  it('sends a bookmark every minute and one two seconds before its end, with the newest revision', async () => {
    const sink = watch(configMaps, { bookmarks: true, deadline: clock.now() + 100_000 });
    const quiet = watch(configMaps, { deadline: clock.now() + 100_000 });
    const other = await put(pods, 'x/p');
    await clock.advance(61_000);
    expect(sink.events).toEqual([`BOOKMARK -@${other}`]);
    await clock.advance(20_000);
    expect(sink.events).toHaveLength(1);
    const later = await put(pods, 'x/q');
    await clock.advance(18_000);
    expect(sink.events).toEqual([`BOOKMARK -@${other}`, `BOOKMARK -@${later}`]);
    expect(sink.ended).toBe(false);
    await clock.advance(2000);
    expect([sink.ended, quiet.ended]).toEqual([true, true]);
    expect(quiet.events).toEqual([]);
  });

  it('repeats its bookmark while nothing happens, as a sign of life, but has none for what the client has asked from', async () => {
    const before = watch(configMaps, { bookmarks: true, deadline: clock.now() + 1_000_000 });
    await clock.advance(61_000);
    expect(before.events).toEqual([]);
    const other = await put(pods, 'x/p');
    await clock.advance(120_000);
    expect(before.events).toEqual([`BOOKMARK -@${other}`, `BOOKMARK -@${other}`]);
  });

  it('has no bookmark while its socket is full, nor while the end of its initial objects is awaited', async () => {
    const full = watch(configMaps, { bookmarks: true });
    full.full = true;
    const initial = configMaps.cache.requireReady().snapshot();
    let prove: () => void = never;
    const initialEnd = new Promise<void>((resolve) => (prove = resolve));
    const held = watch(configMaps, {
      initial,
      after: initial.revision,
      bookmarks: true,
      markInitialEnd: true,
      initialEnd,
    });
    const a = await put(configMaps, 'x/a');
    await Promise.all([full.first(1), held.first(1)]);
    await clock.advance(61_000);
    expect([full.events, held.events]).toEqual([[`ADDED a@${a}`], [`ADDED a@${a}`]]);
    full.drain();
    prove();
    const b = await put(configMaps, 'x/b');
    expect(await held.first(3)).toEqual([`ADDED a@${a}`, `BOOKMARK end@${a}`, `ADDED b@${b}`]);
    await clock.advance(61_000);
    expect(full.events).toEqual([`ADDED a@${a}`, `ADDED b@${b}`, `BOOKMARK -@${b}`]);
  });

  it('that asks for progress is told of each revision once, also when its socket was full at first', async () => {
    const asking = watch(configMaps, { bookmarks: true, tellsProgress: true });
    const others = [watch(configMaps, { bookmarks: true }), watch(configMaps, { tellsProgress: true })];
    configMaps.tellProgress();
    expect(asking.events).toEqual([]);
    const a = await put(configMaps, 'x/a');
    await asking.first(1);
    for (let times = 0; times < 2; times += 1) configMaps.tellProgress();
    expect(asking.events).toEqual([`ADDED a@${a}`, `BOOKMARK -@${a}`]);
    asking.full = true;
    const b = await put(configMaps, 'x/b');
    await asking.first(3);
    configMaps.tellProgress();
    expect(asking.frames).toHaveLength(3);
    asking.drain();
    configMaps.tellProgress();
    expect(asking.events.slice(2)).toEqual([`ADDED b@${b}`, `BOOKMARK -@${b}`]);
    for (const { events } of others) expect(events).toEqual([`ADDED a@${a}`, `ADDED b@${b}`]);
    configMaps.cache.lose();
    configMaps.tellProgress();
    expect(asking.frames).toHaveLength(4);
  });

  it('what is committed in one turn of the loop leaves in one write', async () => {
    const sink = watch(configMaps);
    const commits = ['x/a', 'x/b', 'x/c'].map((key) => put(configMaps, key));
    const [a, b, c] = await Promise.all(commits);
    expect(await sink.first(3)).toEqual([`ADDED a@${a}`, `ADDED b@${b}`, `ADDED c@${c}`]);
    expect(sink.writes).toBe(1);
  });

  it('ends when the cache loses the store, and shows before that what had arrived', async () => {
    const sink = watch(configMaps);
    const revision = await put(configMaps, 'x/a');
    configMaps.cache.lose();
    expect(sink.events).toEqual([`ADDED a@${revision}`]);
    expect(sink.ended).toBe(true);
  });

  it('a bookmark that falls due before a change has left comes behind that change', async () => {
    let now = 0;
    const ticks: (() => void)[] = [];
    const byHand: Clock = {
      now: () => now,
      after: (_, task) => {
        ticks.push(task);
        return () => undefined;
      },
    };
    const sink = new TestSink();
    const pacer = new FlushPacer({ now: () => now, atOnce: never, nextTurn: never, after: never });
    const counts = { channelCount: { channels: 0 }, stats: new WatchStats() };
    const hub = new WatchHub(configMaps.cache.requireReady(), {
      clock: byHand,
      budgets: caches.budgets,
      pacer,
      ...counts,
    });
    hub.watch(request(configMaps, { bookmarks: true }), sink);
    const revision = await put(configMaps, 'x/a');
    expect(sink.events).toEqual([]);
    now += 60_000;
    ticks.at(-1)?.();
    expect(sink.events).toEqual([`ADDED a@${revision}`, `BOOKMARK -@${revision}`]);
  });

  it('in Table form sends the columns with the first event only', async () => {
    const form = watchForm(configMaps.cache, { ...JSON_FORM, as: 'table' });
    const sink = watch(configMaps, { form });
    const late = watch(configMaps, { form });
    await put(configMaps, 'x/a');
    await put(configMaps, 'x/b');
    await Promise.all([sink.first(2), late.first(2)]);
    for (const { frames } of [sink, late]) {
      const tables = frames.map((one) => parseFrame(one).object);
      expect(tables.map((table) => table.columnDefinitions === null)).toEqual([false, true]);
    }
  });
});

describe('a watch from before the window', () => {
  it('ends when it is opened on the window alone: it would leave changes out', async () => {
    const start = configMaps.cache.requireReady().revision;
    for (let i = 0; i < 40; i += 1) await put(configMaps, `x/n${i}`);
    const sink = watch(configMaps, { after: start });
    expect([sink.ended, sink.frames.length]).toEqual([true, 0]);
  });

  it('is served from the store and goes on live', async () => {
    const start = configMaps.cache.requireReady().revision;
    const revisions: bigint[] = [];
    for (let i = 0; i < 40; i += 1) revisions.push(await put(configMaps, `x/n${i}`));
    expect(configMaps.cache.requireReady().window.oldestStart).toBeGreaterThan(start);
    const sink = new TestSink();
    await replayHistory(
      { origin: engineOrigin(engine, clock), clock, pause: justPause },
      configMaps,
      request(configMaps, { after: start }),
      sink,
    );
    revisions.push(await put(configMaps, 'x/n40'));
    expect(await sink.first(41)).toEqual(revisions.map((revision, i) => `ADDED n${i}@${revision}`));
  });

  it('leaves nothing behind when its client goes while it is read from the store', async () => {
    const start = configMaps.cache.requireReady().revision;
    for (let i = 0; i < 40; i += 1) await put(configMaps, `x/n${i}`);
    const sink = new TestSink();
    sink.full = true;
    const replay = replayHistory(
      { origin: engineOrigin(engine, clock), clock, pause: justPause },
      configMaps,
      request(configMaps, { after: start }),
      sink,
    );
    await eventually('the first events', () => sink.frames.length > 0);
    sink.leave();
    await replay;
    expect(configMaps.counts).toMatchObject({ watchers: 0, channels: 0 });
  });

  it('gets an ERROR event when the store cannot be read', async () => {
    const broken = Object.create(engine, {
      watch: {
        value: () => {
          throw new StorageError('UNAVAILABLE', 'no leader');
        },
      },
    });
    const sink = new TestSink();
    await replayHistory(
      { origin: engineOrigin(broken, clock), clock, pause: justPause },
      configMaps,
      request(configMaps),
      sink,
    );
    expect(sink.ended).toBe(true);
    expect(JSON.parse(sink.frames[0]?.toString() ?? '')).toMatchObject({
      type: 'ERROR',
      object: { kind: 'Status', code: 504, reason: 'Timeout' },
    });
  });

  it('gets an ERROR event with 410 when the store has forgotten too', async () => {
    const start = configMaps.cache.requireReady().revision;
    for (let i = 0; i < 40; i += 1) await put(configMaps, `x/n${i}`);
    const compacted = configMaps.cache.requireReady().revision;
    await engine.compact(compacted);
    const sink = new TestSink();
    await replayHistory(
      { origin: engineOrigin(engine, clock), clock, pause: justPause },
      configMaps,
      request(configMaps, { after: start }),
      sink,
    );
    expect(sink.ended).toBe(true);
    expect(JSON.parse(sink.frames[0]?.toString() ?? '')).toMatchObject({
      type: 'ERROR',
      object: {
        kind: 'Status',
        code: 410,
        reason: 'Expired',
        message: `too old resource version: ${start} (${compacted})`,
      },
    });
  });
});

describe('the feed', () => {
  it('fills the caches anew when the store has compacted past it, and ends the watchers', async () => {
    const errors: unknown[] = [];
    const own = createMemoryEngine({ firstRevision: 1n });
    const set = storageCaches({
      engine: own,
      definitions: [configMap],
      clock,
      onError: (error) => errors.push(error),
    });
    await set.feed.start();
    const kind = set.kind(configMap);
    const sink = new TestSink();
    kind.hub.watch(request(kind), sink);
    await own.close();
    await eventually('the feed to notice', () => errors.length > 0);
    expect(sink.ended).toBe(true);
    expect(kind.cache.state).toMatchObject({ type: 'pending' });
    await set.feed.stop();
    expect(kind.cache.state.type).toBe('stopped');
  });
});
