import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs, startEtcd } from '@listwatch/conformance/parts';
import { eventually, WatchRecorder } from '@listwatch/conformance/storage';
import { type Revision, requireCommitted, type StorageEngine } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import { createEtcdEngine } from './index.ts';

async function put(engine: StorageEngine, key: string): Promise<Revision> {
  return requireCommitted(await engine.commit({ type: 'put', key, value: Buffer.from(key) }), key);
}

describe('an etcd that is set back', needs('etcd'), () => {
  it('ends watches that have seen more with COMPACTED; others, and those of the future, go on', async () => {
    await using etcd = await startEtcd();
    const options = { endpoints: [etcd.endpoint], compaction: 'off', progressRequests: false } as const;
    await using engine = createEtcdEngine(options);
    const { dataFolder: folder } = etcd;
    const backup = mkdtempSync(join(tmpdir(), 'listwatch-etcd-backup-'));
    try {
      const start = await put(engine, 'kept');
      await etcd.kill();
      cpSync(folder, join(backup, 'data'), { recursive: true });
      await etcd.restart();

      const ahead = WatchRecorder.open(engine, { prefix: '', after: start });
      const other = WatchRecorder.open(engine, { prefix: 'kept', after: start });
      const future = WatchRecorder.open(engine, { prefix: '', after: start + 1000n });
      for (let i = 0; i < 10; i += 1) await put(engine, `lost${i}`);
      await ahead.reached(start + 10n);
      await etcd.kill();
      rmSync(folder, { recursive: true });
      cpSync(join(backup, 'data'), folder, { recursive: true });
      await etcd.restart();

      expect(await ahead.failure()).toMatchObject({ code: 'COMPACTED', revision: start });
      expect((await engine.range('')).entries.map(({ key }) => key)).toEqual(['kept']);
      const again = WatchRecorder.open(engine, { prefix: '', after: (await engine.range('')).revision });
      const next = await put(engine, 'kept');
      expect(next).toBe(start + 1n);
      await again.reached(next);
      await eventually('the watch that had seen nothing', () => other.events.length === 1);
      expect(future.batches).toEqual([]);
      for (const watch of [again, other, future]) await watch.stop();
    } finally {
      rmSync(backup, { recursive: true });
    }
  }, 60_000);
});
