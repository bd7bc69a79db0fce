import type { StorageEvent } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import { EventTail } from './event-tail.ts';

function eventsFrom(revision: number, count: number, value = Buffer.from('v')): readonly StorageEvent[] {
  return Array.from({ length: count }, (_, i) => ({
    type: 'put',
    key: 'a',
    value,
    revision: BigInt(revision + i),
    previous: undefined,
  }));
}

const revisions = (events: readonly StorageEvent[]): readonly bigint[] => events.map(({ revision }) => revision);

describe('the newest events', () => {
  it('are read from behind any revision that they reach back to', () => {
    const tail = new EventTail(100);
    tail.append(eventsFrom(101, 8192));
    expect(tail.base).toBe(100);
    expect(revisions(tail.read(100, 2))).toEqual([101n, 102n]);
    // One too many: the older half goes, and what is left is still found by its revision.
    tail.append(eventsFrom(8293, 1));
    expect(tail.base).toBe(4196);
    expect(revisions(tail.read(4196, 2))).toEqual([4197n, 4198n]);
    expect(revisions(tail.read(8291, 10))).toEqual([8292n, 8293n]);
    expect(tail.read(8293, 10)).toEqual([]);
  });

  it('are fewer when they are large, but never none', () => {
    const value = Buffer.alloc(7 * 2 ** 20);
    const tail = new EventTail(1);
    tail.append(eventsFrom(2, 2, value));
    expect(tail.base).toBe(1);
    tail.append(eventsFrom(4, 1, value));
    expect([tail.base, ...revisions(tail.read(2, 10))]).toEqual([2, 3n, 4n]);
    tail.append(eventsFrom(5, 1, Buffer.alloc(20 * 2 ** 20)));
    expect([tail.base, ...revisions(tail.read(4, 10))]).toEqual([4, 5n]);
    // What was dropped does not count any more.
    tail.append(eventsFrom(6, 3));
    expect([tail.base, ...revisions(tail.read(6, 10))]).toEqual([6, 7n, 8n]);
  });
});
