/** Durable commits per second: the lmdb engine against a bare lmdb loop that writes the same two keys. */

import { join } from 'node:path';
import { openLmdbEngine } from '@listwatch/storage-lmdb';
import { open } from 'lmdb';
import { compare, loops, type Measured } from './measure.ts';
import { inScratch, keyOf, VALUE_BYTES, valueOf } from './scratch.ts';

const CONCURRENCIES = [1, 64, 256];
const ROUNDS = 5;
const ROUND_MS = 1500;
/** Updates go round these, creates never repeat a key. */
const UPDATED_KEYS = 10_000;

/** Runs creates and updates at each concurrency. */
export async function benchLmdbCommit(): Promise<void> {
  for (const kind of ['create', 'update'] as const) {
    for (const concurrency of CONCURRENCIES) {
      await inScratch(async (folder) => {
        const ours = await openOurs(join(folder, 'ours'), kind, concurrency);
        const bare = openBare(join(folder, 'bare.mdb'), kind, concurrency);
        await compare('lmdb-commit', { kind, concurrency, valueBytes: VALUE_BYTES }, ROUNDS, ours.run, bare.run);
        await ours.close();
        await bare.close();
      });
    }
  }
}

interface Loop {
  readonly run: () => Promise<Measured>;
  readonly close: () => Promise<void>;
}

function indexOf(kind: 'create' | 'update', i: number): number {
  return kind === 'create' ? i : i % UPDATED_KEYS;
}

async function openOurs(path: string, kind: 'create' | 'update', concurrency: number): Promise<Loop> {
  const engine = await openLmdbEngine({ path });
  let n = 0;
  return {
    run: () =>
      loops(concurrency, ROUND_MS, async () => {
        n += 1;
        const result = await engine.commit({ type: 'put', key: keyOf(indexOf(kind, n)), value: valueOf(n) });
        if (!result.committed) throw new Error('a commit was refused');
      }),
    close: () => engine.close(),
  };
}

/** The same file options, the same two keys a commit: the version with its value, and a log record. */
function openBare(path: string, kind: 'create' | 'update', concurrency: number): Loop {
  const root = open({ path, noSubdir: true, overlappingSync: false, mapSize: 2 ** 40 });
  const versions = root.openDB<Buffer, Buffer>({ name: 'versions', encoding: 'binary', keyEncoding: 'binary' });
  const log = root.openDB<Buffer, Buffer>({ name: 'log', encoding: 'binary', keyEncoding: 'binary' });
  let revision = 1;
  return {
    run: () =>
      loops(concurrency, ROUND_MS, async () => {
        revision += 1;
        const key = keyOf(indexOf(kind, revision));
        const id = Buffer.alloc(8);
        id.writeBigUInt64BE(BigInt(revision));
        void versions.put(Buffer.concat([Buffer.from(`${key}\0`), id]), valueOf(revision));
        await log.put(id, Buffer.from(`${' '.repeat(25)}${key}`));
      }),
    close: () => root.close(),
  };
}
