import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually } from '@listwatch/conformance/storage';
import { createMemoryEngine, requireCommitted, type StorageEngine } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { type StorageCaches, storageCaches } from '../watch/cache-set.ts';
import { parseFrame, TestSink } from '../watch/test-sink.fixture.ts';
import { callOf, JSON_FORM, verbContext } from '../write/verb.fixture.ts';
import { listVerb } from './list.ts';
import { watchVerb } from './open-watch.ts';
import { engineOrigin } from './read-origin.fixture.ts';
import type { ReadOrigin } from './read-origin.ts';

const PATH = '/api/v1/namespaces/x/configmaps';
const STREAMED = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
let engine: StorageEngine;
let caches: StorageCaches;
let clock: FakeClock;

beforeEach(async () => {
  engine = createMemoryEngine();
  clock = new FakeClock();
  caches = storageCaches({ engine, definitions: [configMap], clock });
  await caches.feed.start();
});

afterEach(async () => {
  await caches.feed.stop();
  await engine.close();
});

async function put(name: string): Promise<bigint> {
  const { cache } = caches.kind(configMap);
  const value = layoutOf(configMap).encode({ ...cache.layout.type, metadata: { name, namespace: 'x' } });
  const revision = requireCommitted(await engine.commit({ type: 'put', key: `${cache.root}x/${name}`, value }), name);
  await caches.feed.reached(revision);
  return revision;
}

async function watch(query: string, origin: ReadOrigin = engineOrigin(engine, clock)): Promise<TestSink> {
  const call = callOf(configMap, PATH, query, JSON_FORM);
  const response = await watchVerb(caches, origin, { clock, jitter: () => 0 })(verbContext(engine, clock), call);
  if (response.type !== 'watch') throw new Error('a watch does not answer with bytes');
  const sink = new TestSink();
  response.start(sink);
  return sink;
}

/** `ADDED a`, `end@7`, `BOOKMARK@7`. */
function seen(sink: TestSink): readonly string[] {
  return sink.frames.map((frame) => {
    const { type, object } = parseFrame(frame);
    const { name, resourceVersion, annotations } = object.metadata;
    if (type !== 'BOOKMARK') return `${type} ${name}`;
    return `${annotations?.['k8s.io/initial-events-end'] === 'true' ? 'end' : 'BOOKMARK'}@${resourceVersion}`;
  });
}

/** An origin that says later how far the caches are. */
class LateOrigin {
  readonly origin: ReadOrigin;
  prove: (revision: bigint) => void = () => {};
  fail: () => void = () => {};

  constructor() {
    const real = engineOrigin(engine, clock);
    this.origin = {
      newest: () => Promise.reject(new Error('it takes too long')),
      proven: () =>
        new Promise((resolve, reject) => {
          this.prove = resolve;
          this.fail = () => reject(new Error('nobody knows'));
        }),
      object: (...args) => real.object(...args),
      page: (...args) => real.page(...args),
      history: (...args) => real.history(...args),
    };
  }
}

describe('a streamed list whose origin needs time to say what is true now', () => {
  it('sends its objects and changes at once, and its end marker when everything up to then has been sent', async () => {
    await put('a');
    const late = new LateOrigin();
    const sink = await watch(STREAMED, late.origin);
    expect(seen(sink)).toEqual(['ADDED a']);
    const b = await put('b');
    await sink.first(2);
    late.prove(b);
    await eventually('the end', () => sink.frames.length === 3);
    expect(seen(sink)).toEqual(['ADDED a', 'ADDED b', `end@${b}`]);
  });

  it('waits with the marker until the caches have that version, and sends no other bookmark before it', async () => {
    const a = await put('a');
    const late = new LateOrigin();
    const sink = await watch(`${STREAMED}&listwatchProgress=true`, late.origin);
    late.prove(a + 1n);
    caches.kind(configMap).tellProgress();
    expect(seen(sink)).toEqual(['ADDED a']);
    const b = await put('b');
    await eventually('the end', () => seen(sink).includes(`end@${b}`));
    expect(seen(sink).slice(0, 3)).toEqual(['ADDED a', 'ADDED b', `end@${b}`]);
  });

  it('keeps the marker of a full socket until that takes it', async () => {
    const a = await put('a');
    const late = new LateOrigin();
    const sink = await watch(STREAMED, late.origin);
    sink.full = true;
    await put('b');
    await sink.first(2);
    late.prove(a);
    await clock.advance(0);
    expect(seen(sink)).toEqual(['ADDED a', 'ADDED b']);
    sink.drain();
    expect(seen(sink)).toEqual(['ADDED a', 'ADDED b', `end@${caches.kind(configMap).cache.generation?.revision}`]);
  });

  it('ends when nobody can say it', async () => {
    await put('a');
    const late = new LateOrigin();
    const sink = await watch(STREAMED, late.origin);
    late.fail();
    await eventually('the end', () => sink.ended);
    expect(seen(sink)).toEqual(['ADDED a']);
  });
});

const asking = (from: bigint): string =>
  `watch=true&resourceVersion=${from}&allowWatchBookmarks=true&listwatchProgress=true`;

/** A list without a version. */
const list = (): Promise<unknown> =>
  listVerb(caches, engineOrigin(engine, clock))(verbContext(engine, clock), callOf(configMap, PATH, '', JSON_FORM));

describe('a watch with listwatchProgress', () => {
  it('is told at once how far it is, and again when a list without a version has shown it; once of each revision', async () => {
    const a = await put('a');
    const other = requireCommitted(
      await engine.commit({ type: 'put', key: '/registry/other/x', value: Buffer.from('{}') }),
      'other',
    );
    await caches.feed.reached(other);
    const sink = await watch(asking(a));
    await sink.first(1);
    expect(seen(sink)).toEqual([`BOOKMARK@${other}`]);
    await list();
    expect(seen(sink)).toEqual([`BOOKMARK@${other}`]);
    const next = requireCommitted(
      await engine.commit({ type: 'put', key: '/registry/other/y', value: Buffer.from('{}') }),
      'other',
    );
    await list();
    expect(seen(sink)).toEqual([`BOOKMARK@${other}`, `BOOKMARK@${next}`]);
  });

  it('is told nothing when it allows no bookmarks, and neither is any other watch', async () => {
    const a = await put('a');
    const plain = await watch(`watch=true&resourceVersion=${a}&allowWatchBookmarks=true`);
    const without = await watch(`watch=true&resourceVersion=${a}&listwatchProgress=true`);
    requireCommitted(await engine.commit({ type: 'put', key: '/registry/other/x', value: Buffer.from('{}') }), 'other');
    await list();
    expect([...seen(plain), ...seen(without)]).toEqual([]);
  });

  it('never hears of a version whose changes it has not been sent', async () => {
    const a = await put('a');
    const sink = await watch(asking(a));
    sink.full = true;
    await put('b');
    await sink.first(1);
    await list();
    const c = await put('c');
    await list();
    const before = seen(sink)
      .filter((text) => text.startsWith('BOOKMARK'))
      .map((text) => BigInt(text.slice(9)));
    expect(before.every((revision) => revision < c)).toBe(true);
    sink.drain();
    expect(seen(sink)).toContain('ADDED c');
  });
});
