import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { resourceVersion } from '@listwatch/api';
import { eventually } from '@listwatch/conformance/storage';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Thing, thing } from '../../test/model-object.ts';
import { ByteShelf, type ShelfSlot } from './byte-shelf.ts';
import { CompactKeeper } from './compact-keeper.ts';
import type { CompactObject } from './compact-object.ts';
import { deepFreeze } from './deep-freeze.ts';
import { type ObjectKeeper, PlainKeeper } from './object-keeper.ts';
import { objectKey } from './object-key.ts';
import { StoreWriter } from './store-writer.ts';

const keepers = {
  plain: () => new PlainKeeper<Thing>('all'),
  compact: () => new CompactKeeper<Thing>('all'),
};

/** What is still there after this is held by somebody. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

function storeOf(keeper: ObjectKeeper<Thing>, ...objects: readonly Thing[]): StoreWriter<Thing> {
  const writer = new StoreWriter(keeper);
  for (const object of objects) put(writer, objectKey(object), object);
  return writer;
}

/** Puts an object, and returns the one that was there. */
function put(writer: StoreWriter<Thing>, key: string, object: Thing): Thing | undefined {
  const old = writer.put(key, writer.pack(object));
  return old === undefined ? undefined : writer.peek(old);
}

function remove(writer: StoreWriter<Thing>, key: string): Thing | undefined {
  const old = writer.remove(key);
  return old === undefined ? undefined : writer.peek(old);
}

function placed(shelf: ByteShelf, bytes: Uint8Array): ShelfSlot {
  const slot = { board: new Uint8Array(0), offset: 0, length: bytes.length };
  shelf.place(slot);
  slot.board.set(bytes, slot.offset);
  shelf.adopt(slot);
  return slot;
}

function marked(sources?: readonly string[]): StoreWriter<Thing> {
  return new StoreWriter(new PlainKeeper<Thing>('none'), sources);
}

function largeThing(n: number): Thing & { readonly data: string } {
  return { ...thing(`a/${n}`, n + 1), data: 'x'.repeat(1_400) };
}

function piece(n: number): Uint8Array {
  return Buffer.from(`${n}:`.padEnd(10_000, String(n % 10)));
}

function byNode({ spec }: Thing): readonly string[] {
  return spec?.node === undefined ? [] : spec.node.split(',');
}

function on(key: string, version: number, node: string): Thing {
  return { ...thing(key, version), spec: { size: 0, node } };
}

for (const [kind, keeper] of Object.entries(keepers)) {
  describe(`a ${kind} store`, () => {
    it('finds an object by its key, by its name and namespace, and not by half of them', () => {
      const { store } = storeOf(keeper(), thing('a/x', 1), {
        ...thing('', 2),
        metadata: { name: 'alone', resourceVersion: '2' },
      });
      expect(store.get('a/x')?.metadata.resourceVersion).toBe('1');
      expect(store.get({ namespace: 'a', name: 'x' })?.metadata.name).toBe('x');
      expect(store.get({ name: 'alone' })?.metadata.name).toBe('alone');
      expect([store.get('x'), store.get({ name: 'x' }), store.get('a/alone'), store.has('b/x')]).toEqual([
        undefined,
        undefined,
        undefined,
        false,
      ]);
      expect([store.size, [...store.keys()], store.list().length]).toEqual([2, ['a/x', 'alone'], 2]);
    });

    it('replaces, removes, and says what was there', () => {
      const writer = storeOf(keeper(), thing('a/x', 1, 1));
      expect(put(writer, 'a/x', thing('a/x', 2, 2))?.spec?.size).toBe(1);
      expect(remove(writer, 'a/x')?.spec?.size).toBe(2);
      expect(writer.remove('a/x')).toBeUndefined();
      expect(writer.store.size).toBe(0);
    });

    it('has an index by namespace', () => {
      const { store } = storeOf(keeper(), thing('a/x', 1), thing('b/x', 2), thing('a/y', 3));
      expect(store.list({ namespace: 'a' }).map(objectKey)).toEqual(['a/x', 'a/y']);
      expect(store.byIndex('namespace', 'b').map(objectKey)).toEqual(['b/x']);
      expect(store.list({ namespace: 'c' })).toEqual([]);
    });

    it('keeps the index by namespace current once it has been asked for, and its name to itself before', () => {
      const writer = storeOf(keeper(), thing('a/x', 1));
      expect(() => writer.store.addIndex('namespace', () => [])).toThrow(TypeError);
      expect(writer.store.indexValues('namespace')).toEqual(['a']);
      put(writer, 'b/x', thing('b/x', 2));
      writer.remove('a/x');
      expect(writer.store.indexValues('namespace')).toEqual(['b']);
    });

    it('an index follows an object from value to value, holds several, and forgets values that nobody has', () => {
      const writer = storeOf(keeper());
      writer.store.addIndex('node', byNode);
      put(writer, 'a/x', on('a/x', 1, 'n1,n2'));
      put(writer, 'a/y', on('a/y', 2, 'n2'));
      expect(writer.store.keysByIndex('node', 'n2')).toEqual(['a/x', 'a/y']);
      put(writer, 'a/x', on('a/x', 3, 'n3'));
      expect(writer.store.keysByIndex('node', 'n2')).toEqual(['a/y']);
      expect(writer.store.indexValues('node')).toEqual(['n2', 'n3']);
      writer.remove('a/y');
      writer.remove('a/x');
      expect(writer.store.indexValues('node')).toEqual([]);
    });

    it('takes a new index while it is full, refuses another of the same name, and names those it has', () => {
      const { store } = storeOf(keeper(), on('a/x', 1, 'n1'));
      store.addIndex('node', byNode);
      store.addIndex('node', byNode);
      expect(store.byIndex('node', 'n1')).toHaveLength(1);
      expect(() => store.addIndex('node', () => [])).toThrow(TypeError);
      expect(() => store.byIndex('nodes', 'n1')).toThrow('namespace, node');
    });

    it('what it gives cannot be changed', () => {
      const { store } = storeOf(keeper(), thing('a/x', 1, 7));
      const found = store.get('a/x');
      expect(() => Object.assign(found?.spec ?? {}, { size: 8 })).toThrow(TypeError);
      expect(() => Object.assign(found?.metadata ?? {}, { name: 'y' })).toThrow(TypeError);
    });

    it('holds any text', () => {
      for (const text of ['', 'é', '日本語', '\u2028\n', '😀', '\ud800 alone', '"\\']) {
        const object = { ...thing('a/x', 1), text };
        expect(storeOf(keeper(), object).store.get('a/x')).toEqual(object);
      }
    });

    it('that is empty is loaded at once, indexes and all; one that is not refuses', () => {
      const writer = storeOf(keeper());
      writer.store.addIndex('node', byNode);
      const objects = [on('a/x', 1, 'n1'), on('b/y', 2, 'n2')];
      writer.load(new Map(objects.map((object) => [objectKey(object), writer.pack(object)])));
      expect([...writer.store.keys()]).toEqual(['a/x', 'b/y']);
      expect(writer.store.byIndex('node', 'n2').map(({ metadata }) => metadata.name)).toEqual(['y']);
      expect([writer.versionOf('a/x'), Object.isFrozen(writer.store.get('a/x')?.spec)]).toEqual(['1', true]);
      expect(() => writer.load(new Map())).toThrow(RangeError);
    });

    it('a snapshot stays as it is while the store goes on', () => {
      const writer = storeOf(keeper(), thing('a/x', 1, 1), thing('a/y', 2, 2));
      const snapshot = writer.snapshot();
      put(writer, 'a/x', thing('a/x', 3, 3));
      writer.remove('a/y');
      const kept = Array.from(snapshot.objects, (json): Thing => JSON.parse(Buffer.from(json).toString()));
      const sizes = kept.map(({ spec }) => spec?.size);
      expect(sizes).toEqual([1, 2]);
    });

    it('equals a plain map after any writes', () => {
      const write = fc.record({ key: fc.constantFrom('a/1', 'a/2', 'b/1'), size: fc.option(fc.nat(9)) });
      fc.assert(
        fc.property(fc.array(write, { maxLength: 80 }), (writes) => {
          const writer = storeOf(keeper());
          writer.store.addIndex('size', ({ spec }) => [String(spec?.size)]);
          const model = new Map<string, number>();
          for (const [index, { key, size }] of writes.entries()) {
            if (size === null) {
              writer.remove(key);
              model.delete(key);
            } else {
              put(writer, key, thing(key, index + 1, size));
              model.set(key, size);
            }
          }
          expect(new Map(writer.store.list().map((object) => [objectKey(object), object.spec?.size]))).toEqual(model);
          for (let size = 0; size < 10; size += 1) {
            const expected = [...model].filter(([, value]) => value === size).map(([key]) => key);
            expect(writer.store.keysByIndex('size', String(size))).toEqual(expected.toSorted());
          }
        }),
        { numRuns: 100 },
      );
    });
  });
}

describe('waiting for a version', () => {
  it('resolves at once for what has been seen, and else when it has; by number, not by text', async () => {
    const { version, store } = marked();
    version.set('', resourceVersion('99'));
    await store.waitFor('9');
    let seen = false;
    const waiting = store.waitFor('100').then(() => (seen = true));
    await Promise.resolve();
    expect(seen).toBe(false);
    version.advance('', '101');
    await waiting;
    expect(store.resourceVersion).toBe('101');
  });

  it('a change or bookmark never takes it back; a list may, for a cluster can be restored', () => {
    const { version, store } = marked();
    version.set('', resourceVersion('50'));
    version.advance('', '7');
    version.advance('', 'none');
    expect(store.resourceVersion).toBe('50');
    version.set('', resourceVersion('8'));
    expect(store.resourceVersion).toBe('8');
  });

  it('of several sources the one that is least far counts', () => {
    const { version, store } = marked(['a', 'b']);
    version.set('a', resourceVersion('50'));
    expect(store.resourceVersion).toBeUndefined();
    version.set('b', resourceVersion('9'));
    expect(store.resourceVersion).toBe('9');
    version.advance('b', '60');
    expect(store.resourceVersion).toBe('50');
  });

  it('ends by its signal with its reason, or with the store, and leaves no listener', async () => {
    const { version, store } = marked();
    const stop = new AbortController();
    const stopped = store.waitFor('5', stop);
    const left = store.waitFor('6', { signal: new AbortController().signal });
    stop.abort('enough');
    await expect(stopped).rejects.toBe('enough');
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    version.close(new Error('closed'));
    await expect(left).rejects.toThrow('closed');
    await expect(store.waitFor('7')).rejects.toThrow('closed');
  });

  it('refuses what is no version', async () => {
    await expect(marked().store.waitFor('0')).rejects.toThrow(TypeError);
  });
});

describe('compact memory', () => {
  it('holds 10 000 objects of 1.6 KB in at most 1.3 times their JSON, also after half were replaced', async () => {
    collectGarbage();
    const before = process.memoryUsage();
    const writer: StoreWriter<Thing> = new StoreWriter<Thing, CompactObject>(new CompactKeeper<Thing>('none'));
    let bytes = 0;
    for (let n = 0; n < 10_000; n += 1) {
      const next = largeThing(n);
      bytes += JSON.stringify(next).length;
      put(writer, `a/${n}`, next);
    }
    // Every second one: no board is wholly dead, so that only moving the living gives back what is.
    for (let n = 0; n < 10_000; n += 2) put(writer, `a/${n}`, largeThing(n));
    // V8 gives buffers back on a thread of its own: right after a collection the old ones may still be counted.
    await eventually('no more than 1.3 times the JSON is held', () => {
      collectGarbage();
      const after = process.memoryUsage();
      return after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers < 1.3 * bytes;
    });
    expect(writer.store.size).toBe(10_000);
  });

  it('moves the living together when a tenth is dead, and what a reader holds stays readable', () => {
    const shelf = new ByteShelf();
    const slots = Array.from({ length: 200 }, (_, n) => placed(shelf, piece(n)));
    for (const slot of slots.slice(0, 10)) shelf.drop(slot);
    expect(shelf.isWasteful).toBe(false);
    for (const slot of slots.slice(10, 30)) shelf.drop(slot);
    expect(shelf.isWasteful).toBe(true);
    shelf.compact(slots.slice(30));
    expect([shelf.isWasteful, shelf.bytes]).toEqual([false, { live: 1_700_000, dead: 0 }]);
    for (const [n, slot] of slots.entries()) expect(Buffer.from(shelf.read(slot)).equals(piece(n))).toBe(true);
  });
});

describe('freezing', () => {
  it('goes all the way down, through arrays too', () => {
    const frozen = deepFreeze({ list: [{ deep: { value: 1 } }], nothing: null });
    expect(() => Object.assign(frozen.list[0]?.deep ?? {}, { value: 2 })).toThrow(TypeError);
    expect(() => frozen.list.push({ deep: { value: 3 } })).toThrow(TypeError);
  });
});
