import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine, StorageError } from '@listwatch/storage';
import { describe, expect, it, vi } from 'vitest';
import { createApiServer } from './create-api-server.ts';
import { type LoopbackAnswer, loopbackCall } from './loopback-call.fixture.ts';
import { StorageHealth } from './storage-health.ts';

const FULL = new StorageError('DISK_FULL', 'the disk is full: /var/lib/store');

describe('the health of the storage', () => {
  it('fails from the first full disk to the next commit, and reports the first failure only', () => {
    const onFull = vi.fn();
    const health = new StorageHealth({ clock: new FakeClock(), probe: async () => undefined, onFull });
    health.failed(new StorageError('UNAVAILABLE', 'no leader'));
    expect(() => health.check()).not.toThrow();
    health.failed(FULL);
    health.failed(FULL);
    expect(() => health.check()).toThrow('the disk of the store is full');
    expect(onFull.mock.calls).toEqual([[FULL]]);
    health.committed();
    expect(() => health.check()).not.toThrow();
  });

  it('tries a write every five seconds until one succeeds, and leaves no timer behind', async () => {
    const clock = new FakeClock();
    let isFull = true;
    const probe = vi.fn(async () => (isFull ? health.failed(FULL) : health.committed()));
    const health = new StorageHealth({ clock, probe });
    health.failed(FULL);
    await clock.advance(10_000);
    expect([probe.mock.calls.length, health.isFull]).toEqual([2, true]);
    isFull = false;
    await clock.advance(5000);
    expect([probe.mock.calls.length, health.isFull, clock.pending]).toEqual([3, false, 0]);
  });
});

describe('a server whose disk is full', () => {
  it('answers writes with 507 and reads with 200, is not ready, logs one line, and recovers by itself', async () => {
    const clock = new FakeClock();
    await using engine = createMemoryEngine();
    const commit = engine.commit.bind(engine);
    let isFull = false;
    engine.commit = async (change, options) => {
      if (isFull) throw FULL;
      return commit(change, options);
    };
    const errors: unknown[] = [];
    await using server = createApiServer({ engine, clock, onError: (error) => errors.push(error) });
    await server.start();
    const write = (): Promise<LoopbackAnswer> =>
      loopbackCall(server, 'POST', '/api/v1/namespaces/default/configmaps', { metadata: { generateName: 'a' } });
    const read = (path: string): Promise<LoopbackAnswer> => loopbackCall(server, 'GET', path);
    expect((await write()).status).toBe(201);
    isFull = true;
    const { status, text } = await write();
    expect(status).toBe(507);
    expect(JSON.parse(text)).toMatchObject({ kind: 'Status', reason: 'InsufficientStorage', code: 507 });
    expect((await write()).status).toBe(507);
    expect((await read('/api/v1/configmaps')).status).toBe(200);
    const ready = await read('/readyz');
    expect([ready.status, ready.text]).toEqual([
      500,
      expect.stringContaining('[-]storage failed: the disk of the store'),
    ]);
    expect((await read('/livez')).status).toBe(200);
    expect((await read('/metrics')).text).toContain('listwatch_storage_disk_full 1');
    expect(errors).toEqual([FULL]);
    isFull = false;
    await clock.advance(5000);
    expect((await read('/readyz')).status).toBe(200);
    expect((await write()).status).toBe(201);
  });
});
