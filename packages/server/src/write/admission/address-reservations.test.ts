import { FakeClock } from '@listwatch/api/fake-clock';
import { describe, expect, it } from 'vitest';
import { AddressReservations } from './address-reservations.ts';

const ADDRESSES = { ips: ['10.96.0.7'], nodePorts: [30_007] };

describe('reserved addresses', () => {
  it('are reserved while the store has them, and then until the cache has come to their revision', () => {
    let seen = 5n;
    const reserved = new AddressReservations(new FakeClock(), () => seen);
    const release = reserved.reserve(ADDRESSES);
    expect(reserved.addresses()).toEqual([ADDRESSES]);
    seen = 6n;
    release({ type: 'committed', revision: 7n });
    expect(reserved.addresses()).toEqual([ADDRESSES]);
    seen = 7n;
    expect(reserved.addresses()).toEqual([]);
  });

  it('are free at once when nothing was written', () => {
    const reserved = new AddressReservations(new FakeClock(), () => 5n);
    reserved.reserve(ADDRESSES)({ type: 'nothing' });
    expect(reserved.addresses()).toEqual([]);
  });

  it('are reserved for a minute when nobody knows what the store did', async () => {
    const clock = new FakeClock();
    const reserved = new AddressReservations(clock, () => 5n);
    reserved.reserve(ADDRESSES)({ type: 'unknown' });
    await clock.advance(59_999);
    expect(reserved.addresses()).toEqual([ADDRESSES]);
    await clock.advance(1);
    expect(reserved.addresses()).toEqual([]);
  });

  it('do not pile up where Services are only updated', () => {
    let seen = 0n;
    const reserved = new AddressReservations(new FakeClock(), () => seen);
    for (; seen < 100n; seen += 1n) reserved.reserve(ADDRESSES)({ type: 'committed', revision: seen });
    expect(reserved.size).toBe(1);
  });
});
