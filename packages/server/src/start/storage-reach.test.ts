import { FakeClock } from '@listwatch/api/fake-clock';
import { StorageError } from '@listwatch/storage';
import { describe, expect, it, vi } from 'vitest';
import { StorageReach } from './storage-reach.ts';

describe('the reach of the store', () => {
  it('asks the store once a second, however often it is asked itself', async () => {
    const clock = new FakeClock();
    const revision = vi.fn(async () => 1n);
    const reach = new StorageReach({ revision }, clock);
    await Promise.all([reach.check(), reach.check(), reach.check()]);
    await clock.advance(999);
    await reach.check();
    expect(revision).toHaveBeenCalledTimes(1);
    await clock.advance(1);
    await reach.check();
    expect(revision).toHaveBeenCalledTimes(2);
  });

  it('fails when the store says no, and says nothing of its address', async () => {
    const revision = vi.fn(() =>
      Promise.reject(new StorageError('UNAVAILABLE', 'http://10.0.0.1:2379 does not answer')),
    );
    await expect(new StorageReach({ revision }, new FakeClock()).check()).rejects.toThrow('the storage is unavailable');
  });

  it('fails after two seconds of silence, and is well again with the next answer', async () => {
    const clock = new FakeClock();
    let isSilent = true;
    const revision = (options?: { readonly signal?: AbortSignal | undefined }): Promise<bigint> =>
      isSilent
        ? new Promise((_, reject) => {
            options?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
          })
        : Promise.resolve(2n);
    const reach = new StorageReach({ revision }, clock);
    const failed = expect(reach.check()).rejects.toThrow('has not answered within 2000 ms');
    await clock.advance(2000);
    await failed;
    isSilent = false;
    await clock.advance(1000);
    await expect(reach.check()).resolves.toBeUndefined();
  });
});
