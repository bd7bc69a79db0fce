/** Rows of a Table are made from whole objects: a watcher makes some, and then others have their turn. */

import { EVERY_FIELD, EVERY_LABEL } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine, requireCommitted, type StorageEngine, type StorageEvent } from '@listwatch/storage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { watchForm } from '../answer/watch-form.ts';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import { replayHistory } from '../read/history-replay.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { type StorageCaches, storageCaches } from './cache-set.ts';
import type { CachedKind } from './cached-kind.ts';
import { TestSink } from './test-sink.fixture.ts';
import type { WatchRequest } from './watch-cursor.ts';

const OBJECTS = 100;
/** Seven of them are more than a part. */
const OBJECT_BYTES = 10_000;
const PART_MAX = 8;

let engine: StorageEngine;
let caches: StorageCaches;
let kind: CachedKind;
let names: readonly string[];

beforeEach(async () => {
  engine = createMemoryEngine({ firstRevision: 1n });
  caches = storageCaches({
    engine,
    definitions: [configMap],
    clock: new FakeClock(),
    window: () => ({ minCapacity: 1000, maxCapacity: 1000 }),
  });
  kind = caches.kind(configMap);
  await caches.feed.start();
  names = Array.from({ length: OBJECTS }, (_, index) => `a${index + 100}`);
  let last = 0n;
  for (const name of names) last = await put(name);
  await caches.feed.reached(last);
});

afterEach(async () => {
  await caches.feed.stop();
  await engine.close();
});

async function put(name: string): Promise<bigint> {
  return requireCommitted(
    await engine.commit({ type: 'put', key: `${kind.cache.root}x/${name}`, value: valueOf(name) }),
    name,
  );
}

function valueOf(name: string): Uint8Array {
  const { cache } = kind;
  const data = { text: 'x'.repeat(OBJECT_BYTES) };
  return layoutOf(cache.definition).encode({ ...cache.layout.type, metadata: { name, namespace: 'x' }, data });
}

/** A socket that takes everything, and keeps whoever rests. */
class RestingSink extends TestSink {
  resting: (() => void) | undefined;

  rest(listener: () => void): void {
    this.resting = listener;
  }
}

function request(options: Pick<WatchRequest, 'after' | 'initial'>, as: 'metadata' | 'table'): WatchRequest {
  const form = { mediaType: 'application/json', as, metaVersion: 'v1', pretty: false } as const;
  return {
    scope: { namespace: '', name: '', labels: EVERY_LABEL, fields: EVERY_FIELD },
    form: watchForm(kind.cache, form),
    bookmarks: false,
    markInitialEnd: false,
    deadline: 3_600_000,
    ...options,
  };
}

/** The names, whatever the form. */
function shown({ frames }: TestSink): readonly string[] {
  return frames.map((frame) => {
    const { object } = JSON.parse(frame.toString());
    return object.kind === 'Table' ? object.rows[0].cells[0] : object.metadata.name;
  });
}

it.each(['snapshot', 'window'])('the rows of a %s are made in parts, each in a turn of its own', (from) => {
  const ready = kind.cache.requireReady();
  const sink = new RestingSink();
  const options =
    from === 'snapshot' ? { initial: ready.snapshot(), after: ready.revision } : { initial: undefined, after: 1n };
  kind.hub.watch(request(options, 'table'), sink);
  const sizes: number[] = [];
  for (let seen = 0; sink.resting !== undefined; ) {
    sizes.push(sink.frames.length - seen);
    seen = sink.frames.length;
    const goOn = sink.resting;
    sink.resting = undefined;
    goOn();
  }
  expect(Math.max(...sizes)).toBeLessThanOrEqual(PART_MAX);
  expect(sizes.length).toBeGreaterThanOrEqual(OBJECTS / PART_MAX - 1);
  expect(shown(sink)).toEqual(names);
});

it('a form that copies bytes is sent as fast as its socket takes it', () => {
  const ready = kind.cache.requireReady();
  const sink = new RestingSink();
  kind.hub.watch(request({ initial: ready.snapshot(), after: ready.revision }, 'metadata'), sink);
  expect([sink.resting, shown(sink)]).toEqual([undefined, names]);
});

it('the rows of a batch of history are made in parts, and no turn of others is lost', async () => {
  const { cache, hub } = kind;
  const { revision } = cache.requireReady();
  const events = names.map(
    (name, index): StorageEvent => ({
      type: 'put',
      key: `${cache.root}x/${name}`,
      value: valueOf(name),
      revision: BigInt(index + 2),
      previous: undefined,
    }),
  );
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  async function* batches() {
    yield { events, revision };
  }
  const sink = new TestSink();
  const origin = { history: () => ({ batches: batches(), stopAsking: () => {} }) };
  await replayHistory(
    { origin, clock: new FakeClock() },
    { cache, hub },
    request({ initial: undefined, after: 1n }, 'table'),
    sink,
  );
  isOver = true;
  expect(shown(sink)).toEqual(names);
  expect(turns).toBeGreaterThanOrEqual(OBJECTS / PART_MAX - 1);
});
