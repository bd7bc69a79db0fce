/** Temporary folders and test data of the benches. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageEngine } from '@listwatch/storage';

/** The size the house measures with: a ConfigMap or a small Pod. */
export const VALUE_BYTES = 1200;

/** Runs `work` with an empty folder that is removed afterwards. */
export async function inScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Keys as the server makes them, in no particular order. */
export function keyOf(i: number): string {
  // A multiplicative walk over 2^20 scatters neighbours, as names do.
  const scattered = (i * 0x9e3b1) & 0xfffff;
  return `/registry/configmaps/namespace-${scattered % 50}/object-${i}-${scattered}`;
}

/** A value of {@link VALUE_BYTES}. */
export function valueOf(i: number): Buffer {
  return Buffer.alloc(VALUE_BYTES, `{"kind":"ConfigMap","i":${i}}`);
}

/** Writes keys 0 to `count`, many at a time. */
export async function fill(engine: StorageEngine, count: number): Promise<void> {
  for (let i = 0; i < count; i += 500) {
    const size = Math.min(500, count - i);
    const commits = Array.from({ length: size }, (_, j) => {
      return engine.commit({ type: 'put', key: keyOf(i + j), value: valueOf(i + j) });
    });
    await Promise.all(commits);
  }
}
