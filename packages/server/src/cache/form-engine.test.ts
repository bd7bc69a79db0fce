import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine, type Entry, type StorageEngine } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { configMap } from '../kinds/built-in-definitions.fixture.ts';
import type { ShownEntry } from '../stored/shown-entry.ts';
import type { StoredForm } from '../stored/stored-form.ts';
import { FormEngine } from './form-engine.ts';
import { ResourceCache } from './resource-cache.ts';

/** What stands in the store has the version v1 in its data; readers see v2. */
const v1 = (name: string): Buffer => textOf(name, 'v1');
const v2 = (name: string): Buffer => textOf(name, 'v2');

function textOf(name: string, form: string): Buffer {
  const metadata = { name, namespace: 'x' };
  return Buffer.from(JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { form } }));
}

const FOREIGN = '/registry/foreign/x/a';
let shows: number;
let engine: StorageEngine;
let cache: ResourceCache;
let form: StoredForm;
let own: FormEngine;
let key: (name: string) => string;

beforeEach(() => {
  shows = 0;
  form = {
    show: (value) => {
      shows += 1;
      const object = JSON.parse(Buffer.from(value).toString());
      if (object.metadata === undefined) throw new SyntaxError('no metadata');
      const isRewritten = object.data.form !== 'v2';
      const shown = isRewritten ? v2(object.metadata.name) : value;
      return { object: { ...object, data: { form: 'v2' } }, value: shown, isRewritten, isStale: isRewritten };
    },
    store: async (value) => Buffer.from(Buffer.from(value).toString().replace('"form":"v2"', '"form":"v1"')),
    isStorage: false,
  };
  make();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await engine.close();
});

function make(more: Partial<StoredForm> = {}): void {
  engine = createMemoryEngine({ firstRevision: 1n });
  form = { ...form, ...more };
  cache = new ResourceCache({ definition: { ...configMap, form }, clock: new FakeClock() });
  own = new FormEngine(engine, form, cache);
  key = (name) => `${cache.root}x/${name}`;
}

const put = (at: StorageEngine, to: string, value: Buffer) => at.commit({ type: 'put', key: to, value });
const text = (entry: Entry | undefined): string | undefined => entry && Buffer.from(entry.value).toString();

describe('the engine of a version', () => {
  it('shows what is stored in another, and stores what it is given as that', async () => {
    await put(own, key('a'), v2('a'));
    expect(text((await engine.get(key('a'))).entry)).toBe(v1('a').toString());
    const { entry }: { readonly entry?: ShownEntry | undefined } = await own.get(key('a'));
    expect(text(entry)).toBe(v2('a').toString());
    expect(entry).toMatchObject({ isStale: true, object: { data: { form: 'v2' } } });
    expect((await own.get(key('b'))).entry).toBeUndefined();
    const { entries } = await own.range(cache.root);
    expect(entries.map(text)).toEqual([v2('a').toString()]);
  });

  it('leaves other keys as they are', async () => {
    await put(own, FOREIGN, v1('a'));
    expect(text((await own.get(FOREIGN)).entry)).toBe(v1('a').toString());
    expect((await own.range('/registry/foreign/')).entries.map(text)).toEqual([v1('a').toString()]);
    await put(own, FOREIGN, v2('a'));
    expect(text((await engine.get(FOREIGN)).entry)).toBe(v2('a').toString());
    const refused = await own.commit({ type: 'put', key: FOREIGN, value: v1('b'), expected: 1n });
    expect(refused).toMatchObject({ committed: false, current: { value: v2('a') } });
    expect(shows).toBe(0);
  });

  it('shows a value that cannot be decoded as null: readers refuse it', async () => {
    await put(engine, key('a'), Buffer.from('{}'));
    expect(text((await own.get(key('a'))).entry)).toBe('null');
    expect((await own.range(cache.root)).entries.map(text)).toEqual(['null']);
  });

  it('gives a refused write what stands there now in its own version, and deletes', async () => {
    await put(own, key('a'), v2('a'));
    const refused = await own.commit({ type: 'put', key: key('a'), value: v2('a'), expected: 1n });
    if (refused.committed) return expect.unreachable();
    expect(text(refused.current)).toBe(v2('a').toString());
    const missing = await own.commit({ type: 'delete', key: key('b') });
    expect(missing).toMatchObject({ committed: false, current: undefined });
    expect((await own.commit({ type: 'delete', key: key('a') })).committed).toBe(true);
    expect((await engine.get(key('a'))).entry).toBeUndefined();
  });

  it('does not decode again what the cache has at the same revision, and only that', async () => {
    const { revision } = await put(engine, key('a'), v1('a'));
    await put(engine, key('b'), v2('b'));
    const { entries, revision: loaded } = await engine.range(cache.root);
    cache.load(entries, loaded);
    shows = 0;
    const cached: { readonly entry?: ShownEntry | undefined } = await own.get(key('a'));
    expect([text(cached.entry), cached.entry?.isStale, cached.entry?.modRevision]).toEqual([
      v2('a').toString(),
      true,
      revision,
    ]);
    const plain: { readonly entry?: ShownEntry | undefined } = await own.get(key('b'));
    expect([text(plain.entry), plain.entry?.isStale]).toEqual([v2('b').toString(), undefined]);
    expect(shows).toBe(0);
    await put(engine, key('a'), v1('a'));
    expect(text((await own.get(key('a'))).entry)).toBe(v2('a').toString());
    expect(shows).toBe(1);
  });

  it('gives others their turn in a long range, when it is told how', async () => {
    for (let i = 0; i < 20; i += 1) await put(engine, key(`n${10 + i}`), v1(`n${10 + i}`));
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 3));
    let pauses = 0;
    const pause = async (): Promise<void> => {
      pauses += 1;
    };
    expect((await own.range(cache.root, { pause })).entries).toHaveLength(20);
    expect(pauses).toBe(2);
    await expect(own.range(cache.root, { pause: () => Promise.reject(new Error('gone')) })).rejects.toThrow('gone');
  });

  it('reads back what a write stores, also when it does not remember the write', async () => {
    let stores = 0;
    const { store } = form;
    make({
      store: (value) => {
        stores += 1;
        return store(value);
      },
    });
    const value = v2('a');
    const { revision } = await put(own, key('a'), value);
    expect((await own.readBack(value, 7n)).toString()).toContain('"resourceVersion":"7"');
    const back = JSON.parse((await own.readBack(value, revision)).toString());
    expect(back).toMatchObject({ metadata: { name: 'a', resourceVersion: String(revision) }, data: { form: 'v2' } });
    expect(stores).toBe(1);
    expect((await own.readBack(v2('b'), 8n)).toString()).toContain('"name":"b"');
    expect(stores).toBe(2);
  });

  it('passes everything else on', async () => {
    const { revision } = await put(own, key('a'), v2('a'));
    expect(await own.revision()).toBe(revision);
    expect(own.capabilities).toBe(engine.capabilities);
    await put(own, key('a'), v2('a'));
    await own.compact(2n);
    await expect(engine.get(key('a'), { at: 1n })).rejects.toMatchObject({ code: 'COMPACTED' });
    await own[Symbol.asyncDispose]();
    await expect(engine.revision()).rejects.toThrow();
  });
});

describe('a watch of a version', () => {
  it('is that of the store unless a webhook converts: the caches decode what they read', async () => {
    const watch = vi.spyOn(engine, 'watch');
    const made = own.watch('/registry/', { after: 0n });
    expect(made).toBe(watch.mock.results[0]?.value);
  });

  it('has what a webhook makes of its own values, the new and the old, and no others', async () => {
    const asked: (readonly string[])[] = [];
    make({
      convert: async (entries) => {
        asked.push(entries.map((entry) => Buffer.from(entry.value).toString()));
        return entries.map((entry) => ({
          ...entry,
          value: Buffer.from(Buffer.from(entry.value).toString().replace('"form":"v1"', '"form":"v2"')),
        }));
      },
    });
    await put(engine, key('a'), v1('a'));
    await put(engine, key('a'), v1('a2'));
    await engine.commit({ type: 'delete', key: key('a') });
    await put(engine, FOREIGN, v1('f'));
    const seen: (readonly (string | undefined)[])[] = [];
    const watch = own.watch('/registry/', { after: 1n });
    watch.requestProgress();
    for await (const { events } of watch) {
      for (const event of events) {
        const now = event.type === 'put' ? Buffer.from(event.value).toString() : undefined;
        seen.push([event.type, now, text(event.previous)]);
      }
      if (seen.length === 4) break;
    }
    expect(seen).toEqual([
      ['put', v2('a').toString(), undefined],
      ['put', v2('a2').toString(), v2('a').toString()],
      ['delete', undefined, v2('a2').toString()],
      ['put', v1('f').toString(), undefined],
    ]);
    expect(asked).toEqual([[v1('a').toString()], [v1('a2').toString(), v1('a').toString()], [v1('a2').toString()]]);
    expect((await own.range(cache.root)).entries).toEqual([]);
    await put(own, key('b'), v2('b'));
    expect((await own.range(cache.root)).entries.map(text)).toEqual([v2('b').toString()]);
    expect(asked.at(-1)).toEqual([v1('b').toString()]);
  });
});
