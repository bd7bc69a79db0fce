/** An embedded store in a folder that goes away with it. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LmdbEngine, openLmdbEngine } from '@listwatch/storage-lmdb';

/** Disposing of it closes the engine, if it is still open, and removes the folder. */
export interface TemporaryStore extends AsyncDisposable {
  readonly engine: LmdbEngine;
}

/** Opens one. */
export async function openTemporaryStore(): Promise<TemporaryStore> {
  const path = mkdtempSync(join(tmpdir(), 'listwatch-server-'));
  const engine = await openLmdbEngine({ path });
  return {
    engine,
    [Symbol.asyncDispose]: async () => {
      await engine.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}
