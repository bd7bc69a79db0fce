import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually } from '@listwatch/conformance/storage';
import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { createMemoryEngine, requireCommitted, type StorageEngine } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ObjectSnapshot } from '../cache/object-tree.ts';
import type { AnswerForm } from '../contract/answer-form.ts';
import type { ResourceCall, VerbContext } from '../contract/verb.ts';
import type { WatchSink } from '../contract/watch-sink.ts';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { type StorageCaches, storageCaches } from '../watch/cache-set.ts';
import { callOf, JSON_FORM, verbContext } from '../write/verb.fixture.ts';
import { watchVerb } from './open-watch.ts';
import { originOf } from './read-origin.fixture.ts';

let engine: StorageEngine;
let caches: StorageCaches;
let clock: FakeClock;
let context: VerbContext;

beforeEach(async () => {
  engine = createMemoryEngine();
  clock = new FakeClock();
  caches = storageCaches({
    engine,
    definitions: [configMap],
    clock,
    window: () => ({ minCapacity: 10, maxCapacity: 10 }),
  });
  context = verbContext(engine, clock);
  await caches.feed.start();
});

afterEach(async () => {
  await caches.feed.stop();
  await engine.close();
});

async function put(name: string, labels: Record<string, string> = {}): Promise<bigint> {
  const { cache } = caches.kind(configMap);
  const value = layoutOf(cache.definition).encode({ ...cache.layout.type, metadata: { name, namespace: 'x', labels } });
  const revision = requireCommitted(await engine.commit({ type: 'put', key: `${cache.root}x/${name}`, value }), name);
  await caches.feed.reached(revision);
  return revision;
}

function call(query: string, path: string, form = JSON_FORM): ResourceCall {
  return callOf(configMap, path, query, form);
}

/** What a client sees: `ADDED a@5`, and `end` when the stream is over. */
async function watch(query: string, path?: string, form = JSON_FORM): Promise<string[]> {
  const { seen, start } = await openWatch(query, path, form);
  start();
  return seen;
}

/** A watch whose headers have been decided and not been sent. */
async function openWatch(
  query: string,
  path = '/api/v1/namespaces/x/configmaps',
  form = JSON_FORM,
): Promise<{ readonly seen: string[]; readonly start: () => void }> {
  const seen: string[] = [];
  const sink: WatchSink = {
    write: (frames) => {
      for (const frame of frames) seen.push(describeFrame(frame.toString()));
      return true;
    },
    onReady: () => undefined,
    onClose: () => undefined,
    end: () => seen.push('end'),
  };
  const response = await watchVerb(caches, originOf(context), { clock, jitter: () => 0.5 })(
    context,
    call(query, path, form),
  );
  if (response.type !== 'watch') throw new Error('a watch does not answer with bytes');
  return { seen, start: () => response.start(sink) };
}

/** What has been seen once there is that much: events leave at the end of a turn of the loop. */
async function first(seen: readonly string[], count: number): Promise<readonly string[]> {
  await eventually(`${count} events`, () => seen.length >= count);
  return seen;
}

function describeFrame(frame: string): string {
  if (!frame.startsWith('{')) return `ERROR in protobuf ${/Timeout: [ -~]+/.exec(frame)?.[0] ?? frame}`;
  const [, type = ''] = /^\{"type":"([A-Z]+)"/.exec(frame) ?? [];
  const [, message = ''] = /"message":"([^"]+)"/.exec(frame) ?? [];
  if (type === 'ERROR') return `ERROR ${message}`;
  const [, name = frame.includes('initial-events-end') ? 'end of initial' : '-'] = /"name":"([^"]+)"/.exec(frame) ?? [];
  const [, version = ''] = /"resourceVersion":"(\d+)"/.exec(frame) ?? [];
  return `${type} ${name}@${version}`;
}

async function refused(query: string): Promise<unknown> {
  return watch(query).then(
    () => new Error(`${query} was not refused`),
    (error: unknown) => error,
  );
}

describe('where a WATCH begins', () => {
  it('without a version: with the objects of the newest state, then live', async () => {
    const a = await put('a');
    const b = await put('b');
    const seen = await watch('watch=true');
    const c = await put('c');
    expect(await first(seen, 3)).toEqual([`ADDED a@${a}`, `ADDED b@${b}`, `ADDED c@${c}`]);
  });

  it('with bookmarks allowed, the initial objects end with the bookmark that says so; "0" is the same', async () => {
    const a = await put('a');
    for (const query of [
      'watch=true&allowWatchBookmarks=true',
      'watch=true&allowWatchBookmarks=true&resourceVersion=0',
    ]) {
      expect(await watch(query)).toEqual([`ADDED a@${a}`, `BOOKMARK end of initial@${a}`]);
    }
  });

  it('a watch-list sends the state and the bookmark, and waits for a version from the future', async () => {
    const a = await put('a');
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const waiting = watch(`${query}&resourceVersion=${a + 1n}`);
    const b = await put('b');
    expect(await waiting).toEqual([`ADDED a@${a}`, `ADDED b@${b}`, `BOOKMARK end of initial@${b}`]);
    const late = watch(`${query}&resourceVersion=${b + 100n}`);
    await clock.advance(3000);
    expect(await late).toEqual([`ERROR Timeout: Too large resource version: ${b + 100n}, current: ${b}`, 'end']);
  });

  it.each([
    ['a label', 'labelSelector=app%3Dweb'],
    ['a name', 'fieldSelector=metadata.name%3Da'],
  ])(
    'a selector by %s begins with the objects of the moment when it was opened, found without a scan',
    async (_, by) => {
      const query = `watch=true&allowWatchBookmarks=true&${by}`;
      const a = await put('a', { app: 'web' });
      await put('b', { app: 'db' });
      // An index of a label is made when it is asked for the second time.
      for (let i = 0; i < 2; i += 1) await watch(query);
      const scans = vi.spyOn(ObjectSnapshot.prototype, 'visit');
      const { seen, start } = await openWatch(query);
      const changed = await put('a', { app: 'web', version: '2' });
      start();
      expect(await first(seen, 3)).toEqual([
        `ADDED a@${a}`,
        `BOOKMARK end of initial@${changed - 1n}`,
        `MODIFIED a@${changed}`,
      ]);
      expect(scans).not.toHaveBeenCalled();
      scans.mockRestore();
    },
  );

  it('a selector with many objects begins with all of them', async () => {
    for (let i = 0; i < 1030; i += 1) await put(`a${i}`, { app: 'web' });
    for (let i = 0; i < 3; i += 1) {
      expect(await watch('watch=true&allowWatchBookmarks=true&labelSelector=app%3Dweb')).toHaveLength(1031);
    }
  });

  it('a watch in protobuf that cannot begin ends with an ERROR in protobuf', async () => {
    const a = await put('a');
    await BUILT_IN_SCHEMAS.load('core/v1.ConfigMap');
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const form: AnswerForm = { ...JSON_FORM, mediaType: 'application/vnd.kubernetes.protobuf' };
    const late = watch(`${query}&resourceVersion=${a + 100n}`, '/api/v1/namespaces/x/configmaps', form);
    await clock.advance(3000);
    const [error = '', end] = await late;
    expect([error.split('"')[0], end]).toEqual([
      `ERROR in protobuf Timeout: Too large resource version: ${a + 100n}, current: ${a}`,
      'end',
    ]);
  });

  it('sendInitialEvents=false: only what changes from now on', async () => {
    await put('a');
    const seen = await watch('watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan');
    const b = await put('b');
    expect(await first(seen, 1)).toEqual([`ADDED b@${b}`]);
  });

  it('a version: what changed after it; one in the future waits without a word', async () => {
    const a = await put('a');
    const b = await put('b');
    expect(await watch(`watch=true&resourceVersion=${a}`)).toEqual([`ADDED b@${b}`]);
    const future = await watch(`watch=true&resourceVersion=${b + 1n}`);
    await put('c');
    const d = await put('d');
    expect(await first(future, 1)).toEqual([`ADDED d@${d}`]);
  });

  it('a version that left the memory is served from the store; one that the store forgot is an ERROR event', async () => {
    const a = await put('a');
    const rest: string[] = [];
    for (let i = 0; i < 40; i += 1) rest.push(`ADDED n${i}@${await put(`n${i}`)}`);
    const seen = await watch(`watch=true&resourceVersion=${a}`);
    await caches.feed.reached(await engine.revision());
    await clock.advance(0);
    expect(seen).toEqual(rest);
    const compacted = await engine.revision();
    await engine.compact(compacted);
    const expired = await watch(`watch=true&resourceVersion=${a}`);
    await clock.advance(0);
    expect(expired).toEqual([`ERROR too old resource version: ${a} (${compacted})`, 'end']);
  });

  it('an old /watch/ path: the current objects, then live', async () => {
    const a = await put('a');
    expect(await watch('', '/api/v1/watch/namespaces/x/configmaps')).toEqual([`ADDED a@${a}`]);
  });

  it('a version that is none is refused with 500, as Kubernetes does', async () => {
    expect(await refused('watch=true&resourceVersion=abc')).toMatchObject({ httpCode: 500 });
  });
});

describe('what a WATCH shows', () => {
  it('one object, by its path or by its name', async () => {
    const a = await put('a');
    await put('b');
    expect(await watch('watch=true', '/api/v1/namespaces/x/configmaps/a')).toEqual([`ADDED a@${a}`]);
    expect(await watch('watch=true&fieldSelector=metadata.name%3Da')).toEqual([`ADDED a@${a}`]);
    await expect(
      watch('watch=true&fieldSelector=metadata.name%3Db', '/api/v1/namespaces/x/configmaps/a'),
    ).rejects.toMatchObject({ httpCode: 400 });
  });

  it('an object that leaves the selection as DELETED', async () => {
    const seen = await watch('watch=true&labelSelector=app%3Dweb');
    const a = await put('a', { app: 'web' });
    const left = await put('a', { app: 'db' });
    expect(await first(seen, 2)).toEqual([`ADDED a@${a}`, `DELETED a@${left}`]);
  });
});

describe('when a WATCH ends', () => {
  it('after timeoutSeconds, or after a time between once and twice the minimum', async () => {
    const short = await watch('watch=true&timeoutSeconds=5');
    const long = await watch('watch=true');
    await clock.advance(5000);
    expect(short).toEqual(['end']);
    await clock.advance(1_800_000);
    expect(long).toEqual([]);
    await clock.advance(900_000);
    expect(long).toEqual(['end']);
  });

  it.each([-3_600_000, 3_600_000])('in its time also when the clock is set by %i ms meanwhile', async (ms) => {
    const seen = await watch('watch=true&timeoutSeconds=60');
    await clock.advance(5000);
    clock.set(clock.now() + ms);
    await clock.advance(54_000);
    expect(seen).toEqual([]);
    await clock.advance(1000);
    expect(seen).toEqual(['end']);
  });

  it('is refused with 429 while the cache is being filled', async () => {
    caches.kind(configMap).cache.lose('no connection');
    expect(await refused('watch=true')).toMatchObject({ httpCode: 429, reason: 'TooManyRequests' });
  });
});
