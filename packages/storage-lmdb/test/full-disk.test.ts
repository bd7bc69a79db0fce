import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '@listwatch/conformance/parts';
import { storageError } from '@listwatch/conformance/storage';
import type { StorageError } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LmdbEngine, openLmdbEngine } from '../src/index.ts';

let folder = '';
let store = '';
let ballast = '';

function mountSmall(size: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
  mkdirSync(store);
}

/** Takes all the room there is. */
function fillDisk(): void {
  for (let bytes = 2 ** 22; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    for (;;) {
      try {
        writeFileSync(ballast, Buffer.alloc(bytes), { flag: 'a' });
      } catch {
        break;
      }
    }
  }
}

async function fill(engine: LmdbEngine): Promise<readonly bigint[]> {
  const acknowledged: bigint[] = [];
  const failure = await storageError(
    (async () => {
      for (let i = 0; i < 1000; i += 1) {
        const { revision } = await engine.commit({ type: 'put', key: `k${i}`, value: Buffer.alloc(100_000, `${i}`) });
        acknowledged.push(revision);
      }
    })(),
  );
  expect(failure).toMatchObject({ code: 'DISK_FULL', uncertain: false });
  expect(failure.message).toContain(store);
  return acknowledged;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-full-'));
  store = join(folder, 'store');
  ballast = join(folder, 'ballast');
});
afterEach(() => {
  vi.restoreAllMocks();
  spawnSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

describe('a full disk', needs('tmpfs'), () => {
  it('commits fail with DISK_FULL, reads go on, and when there is room again commits do too', async () => {
    mountSmall('8m');
    writeFileSync(ballast, Buffer.alloc(4 * 2 ** 20));
    const printed = vi.spyOn(console, 'error');
    const engine = await openLmdbEngine({ path: store });
    const acknowledged = await fill(engine);
    expect(acknowledged.length).toBeGreaterThan(5);

    // Reads go on, and the store has exactly what was acknowledged.
    expect((await engine.range('k')).entries).toHaveLength(acknowledged.length);
    expect(await engine.revision()).toBe(acknowledged.at(-1));
    const more = (): Promise<unknown> => engine.commit({ type: 'put', key: 'more', value: Buffer.alloc(100_000) });
    expect(await storageError(more())).toMatchObject({ code: 'DISK_FULL' });
    // lmdb prints the stack of every failed transaction by itself.
    expect(printed).not.toHaveBeenCalled();

    rmSync(ballast);
    expect(await more()).toEqual({ committed: true, revision: (acknowledged.at(-1) ?? 0n) + 1n });
    expect(await engine.verify()).toEqual([]);
    await engine.close();
    const again = await openLmdbEngine({ path: store });
    expect((await again.range('k')).entries).toHaveLength(acknowledged.length);
    await again.close();
  });

  it('opening fails with DISK_FULL; an engine that closes then can be opened again when there is room', async () => {
    mountSmall('8m');
    const engine = await openLmdbEngine({ path: store });
    await engine.commit({ type: 'put', key: 'a', value: Buffer.from('1') });
    await fill(engine);
    fillDisk();
    await engine.close();
    const failure = await openLmdbEngine({ path: store }).then(
      async (opened) => opened.close().then(() => undefined),
      (error: StorageError) => error,
    );
    if (failure !== undefined) expect(failure).toMatchObject({ name: 'StorageError', code: 'DISK_FULL' });
    rmSync(ballast);
    const again = await openLmdbEngine({ path: store });
    expect((await again.get('a')).entry?.value).toEqual(Buffer.from('1'));
    await again.close();
  });

  it('making a new store fails with DISK_FULL, and works when there is room', async () => {
    mountSmall('64k');
    fillDisk();
    expect(await storageError(openLmdbEngine({ path: store }))).toMatchObject({ code: 'DISK_FULL' });
    rmSync(ballast);
    spawnSync('mount', ['-o', 'remount,size=4m', folder]);
    const engine = await openLmdbEngine({ path: store });
    await engine.commit({ type: 'put', key: 'a', value: Buffer.from('1') });
    await engine.close();
  });
});
