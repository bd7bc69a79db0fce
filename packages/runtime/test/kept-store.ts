/** Stores that outlive the server on them. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEtcd } from '@listwatch/conformance/parts';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { answersProgressInOrder, createEtcdEngine } from '@listwatch/storage-etcd';
import { openLmdbEngine } from '@listwatch/storage-lmdb';

/** Opened for each life of a server; disposing of it removes what is kept. */
export interface KeptStore extends AsyncDisposable {
  open(): Promise<StorageEngine>;
  /** The server has ended. */
  release(engine: StorageEngine): Promise<void>;
}

/** What is in memory stays for as long as the process does. */
export function memoryStore(): KeptStore {
  const engine = createMemoryEngine();
  return {
    open: async () => engine,
    release: async () => {},
    [Symbol.asyncDispose]: () => engine.close(),
  };
}

export function lmdbStore(): KeptStore {
  const path = mkdtempSync(join(tmpdir(), 'listwatch-runtime-'));
  return {
    open: () => openLmdbEngine({ path }),
    release: (engine) => engine.close(),
    [Symbol.asyncDispose]: async () => rmSync(path, { recursive: true, force: true }),
  };
}

/** A real etcd, which runs on when the server ends. */
export async function etcdStore(): Promise<KeptStore> {
  const etcd = await startEtcd();
  const options = { endpoints: [etcd.endpoint], root: `/${randomUUID()}/`, compaction: 'off' } as const;
  const progressRequests = await answersProgressInOrder(options);
  return {
    open: async () => createEtcdEngine({ ...options, progressRequests }),
    release: (engine) => engine.close(),
    [Symbol.asyncDispose]: () => etcd.stop(),
  };
}
