import { createMemoryEngine, StorageError } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import { CountedEngine } from './counted-engine.ts';

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
});
