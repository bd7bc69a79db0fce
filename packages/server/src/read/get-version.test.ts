import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine, requireCommitted, type StorageEngine } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VerbContext } from '../contract/verb.ts';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { type StorageCaches, storageCaches } from '../watch/cache-set.ts';
import { callOf, verbContext } from '../write/verb.fixture.ts';
import { getVerb } from './get.ts';
import { originOf } from './read-origin.fixture.ts';

const PATH = '/api/v1/namespaces/x/configmaps/a';

let engine: StorageEngine;
let clock: FakeClock;
let caches: StorageCaches;
let written: bigint;

beforeEach(async () => {
  engine = createMemoryEngine();
  clock = new FakeClock();
  caches = storageCaches({ engine, definitions: [configMap], clock });
  await caches.feed.start();
  const { cache } = caches.kind(configMap);
  const value = layoutOf(cache.definition).encode({ ...cache.layout.type, metadata: { name: 'a', namespace: 'x' } });
  written = requireCommitted(await engine.commit({ type: 'put', key: `${cache.root}x/a`, value }), 'a');
  await caches.feed.reached(written);
});

afterEach(async () => {
  await caches.feed.stop();
  await engine.close();
});

/** The status of a GET with this query, of its failure if it fails. */
async function status(query: string): Promise<unknown> {
  const context: VerbContext = verbContext(engine, clock);
  return getVerb(caches, originOf(context))(context, callOf(configMap, PATH, query)).then(
    (response) => (response.type === 'bytes' ? response.status : response.type),
    (error: unknown) => (error instanceof Error && 'httpCode' in error ? error.httpCode : error),
  );
}

describe('a GET with a version', () => {
  it('is answered by the cache, which waits three seconds for a version that is still to come', async () => {
    const reads = engine.get.bind(engine);
    engine.get = () => Promise.reject(new Error('the storage was read'));
    expect([await status('resourceVersion=0'), await status(`resourceVersion=${written}`)]).toEqual([200, 200]);
    engine.get = reads;
    const future = status(`resourceVersion=${written + 1n}`);
    await clock.advance(3000);
    expect(await future).toBe(504);
  });

  it('is answered by the storage while the cache is being filled', async () => {
    caches.kind(configMap).cache.lose('no connection');
    expect([await status('resourceVersion=0'), await status(`resourceVersion=${written}`)]).toEqual([200, 200]);
    expect(await status(`resourceVersion=${written + 1n}`)).toBe(504);
  });

  it('is 429 once the cache has stopped', async () => {
    caches.kind(configMap).cache.stop();
    expect(await status('resourceVersion=0')).toBe(429);
  });
});
