/** Stores that can be set back to an earlier state, or replaced by an empty one, while no server is on them. */

import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEtcd } from '@listwatch/conformance/parts';
import { createMemoryEngine } from '@listwatch/storage';
import { answersProgressInOrder, createEtcdEngine } from '@listwatch/storage-etcd';
import { openLmdbEngine } from '@listwatch/storage-lmdb';
import type { KeptStore } from './kept-store.ts';

export interface RestorableStore extends KeptStore {
  /** Keeps the present state. */
  backup(): Promise<void>;
  /** Goes back to it. */
  restore(): Promise<void>;
}

/** A new, empty memory for each life of a server. */
export function freshMemoryStore(): KeptStore {
  return {
    open: async () => createMemoryEngine(),
    release: (engine) => engine.close(),
    [Symbol.asyncDispose]: async () => {},
  };
}

export function restorableLmdb(): RestorableStore {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-restored-'));
  const [path, copy] = [join(folder, 'store'), join(folder, 'backup')];
  return {
    open: () => openLmdbEngine({ path }),
    release: (engine) => engine.close(),
    backup: async () => cpSync(path, copy, { recursive: true }),
    restore: async () => {
      rmSync(path, { recursive: true });
      cpSync(copy, path, { recursive: true });
    },
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A real etcd, whose data folder is copied while it does not run. */
export async function restorableEtcd(): Promise<RestorableStore> {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-restored-'));
  const copy = join(folder, 'backup');
  const etcd = await startEtcd();
  const { dataFolder: path } = etcd;
  const options = { endpoints: [etcd.endpoint], root: `/${randomUUID()}/`, compaction: 'off' } as const;
  const progressRequests = await answersProgressInOrder(options);
  const whileStopped = async (work: () => void): Promise<void> => {
    await etcd.kill();
    work();
    await etcd.restart();
  };
  return {
    open: async () => createEtcdEngine({ ...options, progressRequests }),
    release: (engine) => engine.close(),
    backup: () => whileStopped(() => cpSync(path, copy, { recursive: true })),
    restore: () =>
      whileStopped(() => {
        rmSync(path, { recursive: true });
        cpSync(copy, path, { recursive: true });
      }),
    [Symbol.asyncDispose]: async () => {
      await etcd.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
