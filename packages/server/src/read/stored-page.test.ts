import { EVERY_FIELD, EVERY_LABEL, parseLabelSelector } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine, type StorageEngine, StorageError } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ResourceCache } from '../cache/resource-cache.ts';
import { justPause } from '../contract/pause.ts';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { storedPage } from './stored-page.ts';

const cache = new ResourceCache({ definition: configMap, clock: new FakeClock() });
const reading = { signal: new AbortController().signal, pause: justPause };

let engine: StorageEngine;

beforeEach(() => {
  engine = createMemoryEngine();
});

afterEach(() => engine.close());

async function put(name: string, text?: string): Promise<void> {
  const object = { ...cache.layout.type, metadata: { name, namespace: 'x', labels: { odd: 'no' } } };
  const value = text === undefined ? layoutOf(cache.definition).encode(object) : Buffer.from(text);
  await engine.commit({ type: 'put', key: `${cache.root}x/${name}`, value });
}

describe('a page from the store', () => {
  it('begins again when the store is compacted between two reads of the newest revision, but not at a revision', async () => {
    for (let i = 0; i < 1100; i += 1) await put(`n${i}`);
    const range = engine.range.bind(engine);
    let reads = 0;
    engine.range = async (prefix, options) => {
      reads += 1;
      if (reads === 2) throw new StorageError('COMPACTED', 'revision 1 has been compacted', { revision: 2n });
      return range(prefix, options);
    };
    const labels = parseLabelSelector('odd=yes');
    const request = { scope: { namespace: 'x', name: '', labels, fields: EVERY_FIELD }, start: '', limit: 5 };
    expect(await storedPage(engine, cache, request, undefined, reading)).toMatchObject({
      objects: [],
      next: undefined,
    });
    expect(reads).toBe(4);
    reads = 0;
    const revision = await engine.revision();
    await expect(storedPage(engine, cache, request, revision, reading)).rejects.toMatchObject({ code: 'COMPACTED' });
  });

  it('of one name reads one key, now and at a revision, and looks at the other selectors too', async () => {
    for (const name of ['a', 'b', 'c']) await put(name);
    const revision = await engine.revision();
    await engine.commit({ type: 'delete', key: `${cache.root}x/b` });
    engine.range = () => Promise.reject(new Error('the whole namespace was read'));
    const page = async (name: string, at: bigint | undefined, labels = EVERY_LABEL): Promise<readonly string[]> => {
      const request = { scope: { namespace: 'x', name, labels, fields: EVERY_FIELD }, start: '', limit: 0 };
      return (await storedPage(engine, cache, request, at, reading)).objects.map((object) => object.name);
    };
    expect(await page('b', revision)).toEqual(['b']);
    expect(await page('b', undefined)).toEqual([]);
    expect(await page('a', undefined)).toEqual(['a']);
    expect(await page('a', undefined, parseLabelSelector('odd=yes'))).toEqual([]);
    const everywhere = {
      scope: { namespace: '', name: 'a', labels: EVERY_LABEL, fields: EVERY_FIELD },
      start: '',
      limit: 0,
    };
    await expect(storedPage(engine, cache, everywhere, undefined, reading)).rejects.toThrow('the whole namespace');
  });

  it('fills a page although values in between cannot be decoded, and counts what remains', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await put(name, name === 'b' || name === 'c' ? '{' : undefined);
    const request = {
      scope: { namespace: 'x', name: '', labels: EVERY_LABEL, fields: EVERY_FIELD },
      start: '',
      limit: 2,
    };
    const page = await storedPage(engine, cache, request, undefined, reading);
    expect(page.objects.map(({ name }) => name)).toEqual(['a', 'd']);
    expect(page).toMatchObject({ remaining: 1, next: '/d\0', undecodable: 2 });
  });

  it('asks for another turn again and again while it parses what a list without a limit has', async () => {
    for (let i = 0; i < 200; i += 1) await put(`n${i}`);
    // Each look at the time finds that a millisecond has passed.
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 1));
    let pauses = 0;
    const pause = async (): Promise<void> => {
      pauses += 1;
    };
    const request = {
      scope: { namespace: 'x', name: '', labels: EVERY_LABEL, fields: EVERY_FIELD },
      start: '',
      limit: 0,
    };
    const page = await storedPage(engine, cache, request, await engine.revision(), { ...reading, pause });
    vi.restoreAllMocks();
    expect(page.objects).toHaveLength(200);
    expect(pauses).toBeGreaterThanOrEqual(8);
  });
});
