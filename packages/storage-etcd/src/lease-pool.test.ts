import { FakeClock } from '@listwatch/api/fake-clock';
import { describe, expect, it } from 'vitest';
import { LeasePool, reuseSeconds } from './lease-pool.ts';

function pool(maxKeys = 1000): { leases: LeasePool; clock: FakeClock; granted: number[] } {
  const clock = new FakeClock();
  const granted: number[] = [];
  const grant = async (ttlSeconds: number): Promise<bigint> => {
    granted.push(ttlSeconds);
    return BigInt(granted.length);
  };
  return { leases: new LeasePool({ maxKeys, clock, grant }), clock, granted };
}

describe('leases', () => {
  it('may be joined for 5 % of the TTL, at least a second and at most a minute', () => {
    expect([1, 100, 1200, 3600].map((ttl) => reuseSeconds(ttl, 1000))).toEqual([1, 5, 60, 60]);
    expect(reuseSeconds(3600, 1)).toBe(0);
  });

  it('are granted for longer than the TTL, so that a key that joins late is not early', async () => {
    const { leases, granted } = pool();
    await leases.lease(100);
    expect(granted).toEqual([106]);
  });

  it('are shared while they last long enough for the next key, and no longer', async () => {
    const { leases, clock } = pool();
    expect(await leases.lease(100)).toBe(1n);
    await clock.advance(5000);
    expect(await leases.lease(100)).toBe(1n);
    await clock.advance(1);
    expect(await leases.lease(100)).toBe(2n);
  });

  it('hold a limited number of keys', async () => {
    const { leases } = pool(3);
    const ids = [];
    for (let i = 0; i < 7; i += 1) ids.push(await leases.lease(100));
    expect(ids).toEqual([1n, 1n, 1n, 2n, 2n, 2n, 3n]);
  });

  it('are asked for once by all who need one at the same time', async () => {
    const { leases, granted } = pool();
    const ids = await Promise.all(Array.from({ length: 256 }, () => leases.lease(60)));
    expect(new Set(ids)).toEqual(new Set([1n]));
    expect(granted).toHaveLength(1);
  });

  it('of different TTLs do not replace one another', async () => {
    const { leases, granted } = pool();
    for (const ttl of [10, 3600, 10, 3600]) await leases.lease(ttl);
    expect(granted).toHaveLength(2);
  });

  it('are each for one key when that is the limit', async () => {
    const { leases, granted } = pool(1);
    const ids = await Promise.all([leases.lease(10), leases.lease(10)]);
    expect(new Set(ids).size).toBe(2);
    expect(granted).toEqual([11, 11]);
  });

  it('that etcd does not know any more are not used again', async () => {
    const { leases } = pool();
    expect(await leases.lease(10)).toBe(1n);
    expect(await leases.lease(20)).toBe(2n);
    leases.forget(1n);
    expect(await leases.lease(10)).toBe(3n);
    expect(await leases.lease(20)).toBe(2n);
  });

  it('that could not be had leave the pool as it was', async () => {
    const clock = new FakeClock();
    let failing = true;
    const grant = async (): Promise<bigint> => {
      if (failing) throw new Error('away');
      return 9n;
    };
    const leases = new LeasePool({ maxKeys: 1000, clock, grant });
    await expect(leases.lease(10)).rejects.toThrow('away');
    failing = false;
    expect(await leases.lease(10)).toBe(9n);
  });
});
