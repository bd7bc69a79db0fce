/** Range of 100 000 keys with their values: the embedded engines, and a bare walk of an lmdb table of the same size. */

import { join } from 'node:path';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { openLmdbEngine } from '@listwatch/storage-lmdb';
import { open } from 'lmdb';
import { compare, type Measured, once } from './measure.ts';
import { fill, inScratch, keyOf, VALUE_BYTES, valueOf } from './scratch.ts';

const KEYS = 100_000;
const ROUNDS = 7;

/** Runs the walk now, at a past revision, and page by page. */
export async function benchRange(): Promise<void> {
  await inScratch(async (folder) => {
    const lmdb = await openLmdbEngine({ path: join(folder, 'ours') });
    const memory = createMemoryEngine();
    const bare = await fillBare(join(folder, 'bare.mdb'));
    for (const [engine, name] of [
      [lmdb, 'lmdb'],
      [memory, 'memory'],
    ] as const) {
      await fill(engine, KEYS);
      const facts = { engine: name, keys: KEYS, valueBytes: VALUE_BYTES };
      await compare('range', { ...facts, read: 'newest' }, ROUNDS, () => whole(engine), bare.walk);
      const at = await engine.revision();
      for (let i = 0; i < KEYS; i += 5) await engine.commit({ type: 'put', key: keyOf(i), value: valueOf(i) });
      await compare(
        'range',
        { ...facts, read: 'past, a fifth changed since' },
        ROUNDS,
        () => whole(engine, at),
        bare.walk,
      );
      await compare(
        'range',
        { ...facts, read: 'first page of 500, with count' },
        ROUNDS,
        () => page(engine),
        bare.walk,
      );
      await engine.close();
    }
    await bare.close();
  });
}

function whole(engine: StorageEngine, at?: bigint): Promise<Measured> {
  return once(KEYS, async () => {
    const { entries } = await engine.range('/registry/', { at });
    if (entries.length !== KEYS) throw new Error(`the range gave ${entries.length} keys`);
  });
}

/** Keys counted a second: a page of 500 has to count the rest. */
function page(engine: StorageEngine): Promise<Measured> {
  return once(KEYS, async () => {
    const { count } = await engine.range('/registry/', { limit: 500 });
    if (count !== KEYS) throw new Error(`the count is ${count}`);
  });
}

async function fillBare(path: string): Promise<{ walk: () => Promise<Measured>; close: () => Promise<void> }> {
  const root = open({ path, noSubdir: true, overlappingSync: false, mapSize: 2 ** 40 });
  const table = root.openDB<Buffer, Buffer>({ name: 'versions', encoding: 'binary', keyEncoding: 'binary' });
  for (let i = 0; i < KEYS; i += 1000) {
    await table.batch(() => {
      for (let j = i; j < i + 1000; j += 1) void table.put(Buffer.from(`${keyOf(j)}\0${'r'.repeat(9)}`), valueOf(j));
    });
  }
  return {
    walk: () =>
      once(KEYS, async () => {
        const found: { key: string; value: Buffer }[] = [];
        for (const { key, value } of table.getRange({ start: Buffer.from([1]) }))
          found.push({ key: key.toString(), value });
        if (found.length !== KEYS) throw new Error(`the bare walk gave ${found.length} keys`);
      }),
    close: () => root.close(),
  };
}
