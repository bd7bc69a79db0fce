import { EVERY_FIELD, EVERY_LABEL, parseLabelSelector } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually } from '@listwatch/conformance/storage';
import { createMemoryEngine, requireCommitted, type StorageEngine } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchForm } from '../answer/watch-form.ts';
import type { CacheLimits } from '../cache/cache-budgets.ts';
import type { WatchScope } from '../cache/watch-scope.ts';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { type StorageCaches, storageCaches } from './cache-set.ts';
import type { CachedKind } from './cached-kind.ts';
import { TestSink } from './test-sink.fixture.ts';
import type { WatchRequest } from './watch-cursor.ts';

const FORM = { mediaType: 'application/json', as: 'object', metaVersion: 'v1', pretty: false } as const;

let engine: StorageEngine;
let clock: FakeClock;
let caches: StorageCaches;
let kind: CachedKind;

beforeEach(() => {
  engine = createMemoryEngine();
  clock = new FakeClock();
});

afterEach(async () => {
  await caches.feed.stop();
  await engine.close();
});

async function start(limits: CacheLimits): Promise<void> {
  caches = storageCaches({ engine, definitions: [configMap], clock, limits });
  kind = caches.kind(configMap);
  await caches.feed.start();
}

function scope(labels = ''): WatchScope {
  const selector = labels === '' ? EVERY_LABEL : parseLabelSelector(labels);
  return { namespace: '', name: '', labels: selector, fields: EVERY_FIELD };
}

function requireRoomForUrl(): void {
  kind.hub.requireRoom(scope(), watchForm(kind.cache, FORM), 40_000);
}

function watch(labels = '', keptBytes = 0): TestSink {
  const sink = new TestSink();
  const request: WatchRequest = {
    scope: scope(labels),
    form: watchForm(kind.cache, FORM),
    initial: undefined,
    after: kind.hub.generation.revision,
    bookmarks: false,
    markInitialEnd: false,
    deadline: clock.now() + 3_600_000,
    keptBytes,
  };
  kind.hub.watch(request, sink);
  return sink;
}

async function put(name: string, size: number): Promise<void> {
  const { definition, root } = kind.cache;
  const layout = layoutOf(definition);
  const value = layout.encode({ ...layout.type, metadata: { name, namespace: 'x' }, data: { text: 'x'.repeat(size) } });
  const revision = requireCommitted(await engine.commit({ type: 'put', key: `${root}x/${name}`, value }), name);
  await caches.feed.reached(revision);
}

/** A selector of 500 terms. */
function terms(letter: string): string {
  return Array.from({ length: 500 }, (_, i) => `${letter}${i}!=v`).join(',');
}

describe('the limits of watches', () => {
  it('a watch of another scope is refused beyond the number of channels; one of a known scope is not', async () => {
    await start({ maxChannels: 2 });
    const first = watch('a=1');
    watch('a=2');
    expect(watch('a=1').ended).toBe(false);
    const form = watchForm(kind.cache, FORM);
    expect(() => kind.hub.requireRoom(scope('a=1'), form)).not.toThrow();
    expect(() => kind.hub.requireRoom(scope('a=3'), form)).toThrow(
      expect.objectContaining({ httpCode: 429, retryAfterMs: 10_000 }),
    );
    expect(watch('a=3').ended).toBe(true);
    expect(kind.counts).toMatchObject({ watchers: 3, channels: 2 });
    first.leave();
    expect(() => kind.hub.requireRoom(scope('a=3'), form)).toThrow('too many watches');
  });

  it('selectors are charged once for all watches of a scope, and given back with the last of them', async () => {
    await start({ selectorBytes: 200_000 });
    const sinks = Array.from({ length: 100 }, () => watch(terms('a')));
    const used = caches.budgets.selectors.used;
    expect(used).toBeGreaterThan(10_000);
    expect(kind.counts).toMatchObject({ watchers: 100, channels: 1 });
    watch(terms('b'));
    expect(() => kind.hub.requireRoom(scope(terms('c')), watchForm(kind.cache, FORM))).toThrow(
      'selectors of all watches',
    );
    expect(watch(terms('c')).ended).toBe(true);
    for (const sink of sinks) sink.leave();
    expect(caches.budgets.selectors.used).toBe(used);
    expect(watch(terms('c')).ended).toBe(false);
  });

  it('long URLs are charged for each watch, although all of them have the same selectors', async () => {
    await start({ selectorBytes: 100_000 });
    const [first, second] = [watch('', 40_000), watch('', 40_000)];
    expect(caches.budgets.selectors.used).toBe(80_000);
    expect(requireRoomForUrl).toThrow('selectors of all watches');
    expect(watch('', 40_000).ended).toBe(true);
    // A channel that was made for a watch without room goes with it.
    expect(watch('a!=1', 40_000).ended).toBe(true);
    expect(kind.counts).toMatchObject({ watchers: 2, channels: 1 });
    expect(watch().ended).toBe(false);
    first.leave();
    expect(requireRoomForUrl).not.toThrow();
    second.leave();
    expect(caches.budgets.selectors.used).toBe(0);
  });

  it('the slowest watcher ends when unsent events exceed their limit; the others get everything', async () => {
    await start({ pendingEventBytes: 50_000 });
    const [slow, fast] = [watch(), watch()];
    slow.full = true;
    for (let i = 0; i < 10; i += 1) {
      await put('a', 10_000);
      await fast.first(i + 1);
    }
    await eventually('the end of the slow watch', () => slow.ended);
    expect([fast.ended, fast.frames.length, kind.counts.terminated]).toEqual([false, 10, 1]);
    expect(caches.budgets.pendingEvents.used).toBe(0);
  });

  it('of two slow watchers the one ends that has more to take, whichever came first', async () => {
    await start({ pendingEventBytes: 50_000 });
    const [behind, fast] = [watch(), watch()];
    behind.full = true;
    for (let i = 0; i < 3; i += 1) {
      await put('a', 10_000);
      await fast.first(i + 1);
    }
    const late = watch('a!=1');
    late.full = true;
    for (let i = 3; i < 7 && !behind.ended && !late.ended; i += 1) {
      await put('a', 10_000);
      await fast.first(i + 1);
    }
    await eventually('the end of a slow watch', () => behind.ended || late.ended);
    expect([behind.ended, late.ended, fast.ended]).toEqual([true, false, false]);
  });

  it('the window gives up its oldest changes at its limit, and watches still resume from what it has', async () => {
    await start({ windowBytes: 50_000 });
    for (let i = 0; i < 50; i += 1) await put('a', 10_000);
    const { window } = kind.hub.generation;
    expect(caches.budgets.windows.used).toBeLessThanOrEqual(50_000);
    expect(window.size).toBeGreaterThan(2);
    expect(window.bytes).toBe(caches.budgets.windows.used);
    expect(window.oldestStart).toBe((window.at(window.start)?.revision ?? 0n) - 1n);
  });

  it('a watch that is still read from history holds its channel until it ends or goes on live, and ends with the generation', async () => {
    await start({ maxChannels: 2 });
    const ended: string[] = [];
    const host = (name: string, labels: string): (() => void) | undefined =>
      kind.hub.host(scope(labels), watchForm(kind.cache, FORM), { end: () => ended.push(name) });
    const [first, second] = [host('first', 'a=1'), host('second', 'a=2')];
    expect([kind.counts.channels, host('no room', 'a=3')]).toEqual([2, undefined]);
    first?.();
    expect(kind.counts.channels).toBe(1);
    const third = host('third', 'a=3');
    const { hub } = kind;
    kind.cache.lose();
    // The first has left already.
    expect(ended).toEqual(['second', 'third']);
    expect(hub.host(scope('a=4'), watchForm(kind.cache, FORM), { end: () => ended.push('late') })).toBeUndefined();
    for (const leave of [second, third]) leave?.();
    expect([hub.channels, caches.budgets.selectors.used]).toEqual([0, 0]);
  });

  it('a generation that ends gives everything back', async () => {
    await start({});
    const slow = watch('a!=1');
    slow.full = true;
    const { generation } = kind.hub;
    for (let i = 0; i < 5; i += 1) {
      await put('a', 100);
      generation.keepSnapshot(generation.snapshot());
      await slow.first(1);
    }
    await eventually('unsent events', () => kind.hub.bytes > 0);
    const { snapshots, windows, pendingEvents, selectors } = caches.budgets;
    for (const { used } of [snapshots, windows, pendingEvents, selectors]) expect(used).toBeGreaterThan(0);
    kind.cache.lose();
    for (const { used } of [snapshots, windows, pendingEvents, selectors]) expect(used).toBe(0);
    await caches.feed.stop();
    expect(clock.pending).toBe(0);
  });

  it('a change that concerns no watcher begins no round of sending', async () => {
    await start({});
    let rounds = 0;
    caches.pacer.onRound = () => {
      rounds += 1;
    };
    const other = watch('a=1');
    for (let i = 0; i < 3; i += 1) await put('a', 10);
    const all = watch();
    expect(rounds).toBe(0);
    await put('a', 10);
    await all.first(1);
    expect([rounds, other.frames.length]).toEqual([1, 0]);
  });
});
