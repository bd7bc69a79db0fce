import { createMemoryEngine, type StorageCapabilities, type StorageEngine, StorageError } from '@listwatch/storage';
import { ForwardingEngine } from '@listwatch/storage/internal';
import { describe, expect, it } from 'vitest';
import { CountedEngine } from './counted-engine.ts';

/** Says that it is in another process, or that it is not. */
class DeclaredEngine extends ForwardingEngine {
  override readonly capabilities: StorageCapabilities;

  constructor(engine: StorageEngine, shared: boolean) {
    super(engine);
    this.capabilities = { ...engine.capabilities, shared };
  }
}

describe('an engine that counts', () => {
  it('tells commits, refusals and failures apart, and gives the answers as they are', async () => {
    const engine = new CountedEngine(createMemoryEngine());
    const change = { type: 'put', key: 'a', value: Buffer.from('1'), expected: 0n } as const;
    expect(await engine.commit(change)).toMatchObject({ committed: true });
    expect(await engine.commit(change)).toMatchObject({ committed: false, reason: 'KEY_EXISTS' });
    expect((await engine.get('a')).entry).toMatchObject({ key: 'a' });
    await engine.close();
    await expect(engine.commit(change)).rejects.toThrow(StorageError);
    expect(engine.counts).toEqual({ committed: 1, refused: 1, failed: 1 });
  });

  it('counts commits, and reads only of a store in another process', async () => {
    for (const shared of [false, true]) {
      await using store = createMemoryEngine();
      const engine = new CountedEngine(new DeclaredEngine(store, shared));
      await engine.get('a');
      await engine.range('');
      await engine.revision();
      await engine.commit({ type: 'put', key: 'a', value: Buffer.from('1') });
      expect([engine.times.commit.calls, engine.times.read.calls]).toEqual([1, shared ? 3 : 0]);
      expect([engine.times.commit.waiting, engine.times.read.waiting]).toEqual([0, 0]);
    }
  });
});
