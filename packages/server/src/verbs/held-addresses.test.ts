import { FakeClock } from '@listwatch/api/fake-clock';
import { describe, expect, it } from 'vitest';
import { HeldAddresses } from './held-addresses.ts';

const ADDRESSES = { ips: ['10.96.0.7'], nodePorts: [30_007] };

describe('held addresses', () => {
  it('are held while the store has them, and then until the cache has come to their revision', () => {
    let seen = 5n;
    const held = new HeldAddresses(new FakeClock(), () => seen);
    const letGo = held.hold(ADDRESSES);
    expect(held.addresses()).toEqual([ADDRESSES]);
    seen = 6n;
    letGo({ type: 'committed', revision: 7n });
    expect(held.addresses()).toEqual([ADDRESSES]);
    seen = 7n;
    expect(held.addresses()).toEqual([]);
  });

  it('are free at once when nothing was written', () => {
    const held = new HeldAddresses(new FakeClock(), () => 5n);
    held.hold(ADDRESSES)({ type: 'nothing' });
    expect(held.addresses()).toEqual([]);
  });

  it('are held for a minute when nobody knows what the store did', async () => {
    const clock = new FakeClock();
    const held = new HeldAddresses(clock, () => 5n);
    held.hold(ADDRESSES)({ type: 'unknown' });
    await clock.advance(59_999);
    expect(held.addresses()).toEqual([ADDRESSES]);
    await clock.advance(1);
    expect(held.addresses()).toEqual([]);
  });

  it('do not pile up where Services are only updated', () => {
    let seen = 0n;
    const held = new HeldAddresses(new FakeClock(), () => seen);
    for (; seen < 100n; seen += 1n) held.hold(ADDRESSES)({ type: 'committed', revision: seen });
    expect(held.size).toBe(1);
  });
});
