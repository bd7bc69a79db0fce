import { describe, expect, it } from 'vitest';
import { ByteBudget } from './byte-budget.ts';
import { type CachedObject, objectBytes } from './cached-object.ts';
import { ChangeWindow } from './change-window.ts';
import type { ObjectChange } from './object-tree.ts';

function change(revision: number): ObjectChange {
  return { key: `k${revision}`, revision: BigInt(revision), object: undefined, previous: undefined };
}

/** Appends revisions `from` to `to`, `everyMs` apart. */
function fill(window: ChangeWindow, from: number, to: number, everyMs: number, start = 0): void {
  for (let revision = from; revision <= to; revision += 1)
    window.append(change(revision), start + (revision - from) * everyMs);
}

describe('the window of changes', () => {
  it('serves every revision since it began while nothing has been dropped', () => {
    const window = new ChangeWindow(10n);
    expect(window.oldestStart).toBe(10n);
    fill(window, 11, 60, 1);
    expect(window.oldestStart).toBe(10n);
    expect(window.at(window.after(10n))?.revision).toBe(11n);
    expect(window.at(window.after(35n))?.revision).toBe(36n);
    expect(window.after(60n)).toBe(window.end);
  });

  it('grows while its changes are young, up to its limit, and drops the oldest beyond it', () => {
    const window = new ChangeWindow(0n, { maxCapacity: 400 });
    fill(window, 1, 350, 1);
    expect([window.size, window.capacity, window.oldestStart]).toEqual([350, 400, 0n]);
    fill(window, 351, 1000, 1, 350);
    expect(window.capacity).toBe(400);
    expect(window.size).toBeLessThanOrEqual(400);
    expect(window.oldestStart).toBe((window.at(window.start)?.revision ?? 0n) - 1n);
  });

  it('keeps its largest capacity while its changes are young', () => {
    const window = new ChangeWindow(0n, { minCapacity: 100, maxCapacity: 400 });
    fill(window, 1, 400, 1);
    for (let revision = 401; revision <= 1500; revision += 1) {
      fill(window, revision, revision, 0, revision);
      expect(window.capacity).toBe(400);
      expect(window.size).toBeGreaterThanOrEqual(375);
    }
  });

  it('does not grow for old changes, and shrinks again when most of it is old', () => {
    const window = new ChangeWindow(0n);
    fill(window, 1, 1000, 1);
    const grown = window.capacity;
    expect(grown).toBeGreaterThanOrEqual(1000);
    fill(window, 1001, 6000, 10_000, 1000);
    expect(window.capacity).toBe(100);
    expect(window.size).toBeLessThanOrEqual(100);
  });

  it('never shrinks below its least capacity, also when that is no half of what it had', () => {
    const window = new ChangeWindow(0n, { minCapacity: 60, maxCapacity: 100 });
    fill(window, 1, 100, 1);
    expect(window.capacity).toBe(100);
    fill(window, 101, 1000, 10_000, 100_000);
    expect(window.capacity).toBe(60);
  });

  it('a number keeps its meaning while the window moves on, and means nothing once it is gone', () => {
    const window = new ChangeWindow(0n, { maxCapacity: 100 });
    fill(window, 1, 50, 1);
    const number = window.after(40n);
    fill(window, 51, 120, 1);
    expect(window.at(number)?.revision).toBe(41n);
    fill(window, 121, 300, 1);
    expect(window.at(number)).toBeUndefined();
    expect(number).toBeLessThan(window.start);
  });

  it('walks back from the newest to a revision', () => {
    const window = new ChangeWindow(0n);
    fill(window, 1, 10, 1);
    expect([...window.backTo(7n)].map((one) => one.revision)).toEqual([10n, 9n, 8n]);
    expect([...window.backTo(0n)]).toHaveLength(10);
    expect([...window.backTo(10n)]).toEqual([]);
  });

  it('grows for changes that are younger than 75 seconds, and for no others', () => {
    for (const [ageMs, capacity] of [
      [74_999, 200],
      [75_000, 100],
    ] as const) {
      const window = new ChangeWindow(0n);
      fill(window, 1, 100, 0, 5_000_000);
      expect([window.size, window.capacity, window.oldestTime]).toEqual([100, 100, 5_000_000]);
      window.append(change(101), 5_000_000 + ageMs);
      expect(window.capacity).toBe(capacity);
      // A sixteenth at once, so that the rest moves rarely.
      expect(window.size).toBe(capacity === 200 ? 101 : 95);
    }
  });

  it('shrinks when three quarters are older than that, and not before', () => {
    for (const [ageMs, capacity] of [
      [75_000, 400],
      [75_001, 200],
    ] as const) {
      const window = new ChangeWindow(0n, { maxCapacity: 400 });
      fill(window, 1, 300, 0, 5_000_000);
      fill(window, 301, 400, 0, 5_000_001);
      expect(window.capacity).toBe(400);
      window.append(change(401), 5_000_001 + ageMs);
      expect(window.capacity).toBe(capacity);
    }
  });

  it('has one change at least, also when none is asked for', () => {
    const window = new ChangeWindow(0n, { minCapacity: 0, maxCapacity: 0 });
    fill(window, 1, 3, 1);
    expect([window.size, window.oldestStart, window.at(window.end - 1)?.revision]).toEqual([1, 2n, 3n]);
  });
});

const object = (size: number): CachedObject => ({
  key: 'x/a',
  namespace: 'x',
  name: 'a',
  revision: 1n,
  bytes: Buffer.alloc(size),
  labels: {},
  fields: {},
  owned: false,
});

const bytesOf = (...changes: readonly ObjectChange[]): number => {
  const window = new ChangeWindow(0n);
  for (const one of changes) window.append(one, 0);
  return window.bytes;
};

describe('the bytes of a window', () => {
  const [created, changed, deleted] = [
    { key: 'x/a', revision: 1n, object: object(1000), previous: undefined },
    { key: 'x/a', revision: 2n, object: object(1000), previous: object(3000) },
    { key: 'x/a', revision: 3n, object: undefined, previous: object(3000) },
  ] as const;
  it('are those of objects that are gone, and for a deletion also of its last state', () => {
    expect(bytesOf()).toBe(0);
    // The object is in the cache anyway.
    expect(bytesOf(created)).toBe(200);
    expect(bytesOf(changed)).toBe(200 + objectBytes(object(3000)));
    expect(bytesOf(deleted)).toBe(bytesOf(changed) + 3000);
    expect(bytesOf(created, changed, deleted)).toBe(bytesOf(created) + bytesOf(changed) + bytesOf(deleted));
  });

  it('are given back with the changes: one by one, when all are dropped, and at the end', () => {
    const budget = new ByteBudget(Number.POSITIVE_INFINITY);
    const window = new ChangeWindow(0n, { minCapacity: 2, maxCapacity: 2 }, budget);
    window.append(created, 0);
    window.append(changed, 0);
    expect([budget.used, window.bytes]).toEqual([bytesOf(created, changed), bytesOf(created, changed)]);
    window.append(deleted, 0);
    expect([budget.used, window.size, window.oldestStart]).toEqual([bytesOf(changed, deleted), 2, 1n]);
    const { end } = window;
    window.clear(9n);
    expect([budget.used, window.bytes, window.size, window.oldestStart]).toEqual([0, 0, 0, 9n]);
    expect([window.start, window.end]).toEqual([end, end]);
    window.append({ ...changed, revision: 12n }, 0);
    window.dispose();
    expect([budget.used, window.size, window.oldestStart]).toEqual([0, 0, 12n]);
    window.dispose();
    expect(window.oldestStart).toBe(12n);
  });

  it('are what a budget takes the oldest changes for, a few at a time; an empty window has none to give', () => {
    const budget = new ByteBudget(100 * bytesOf(changed));
    const window = new ChangeWindow(0n, { minCapacity: 1000 }, budget);
    expect(window.evictOldest()).toBe(false);
    for (let revision = 1; revision <= 100; revision += 1) window.append({ ...changed, revision: BigInt(revision) }, 0);
    expect(window.size).toBe(100);
    window.append({ ...changed, revision: 101n }, 0);
    // A sixteenth of 101.
    expect([window.size, window.oldestStart, budget.used]).toEqual([95, 6n, 95 * bytesOf(changed)]);
    const few = new ChangeWindow(0n);
    few.append(created, 0);
    few.append(changed, 0);
    expect([few.evictOldest(), few.size, few.evictOldest(), few.size, few.evictOldest()]).toEqual([
      true,
      1,
      true,
      0,
      false,
    ]);
    // One that has ended is not asked any more.
    window.dispose();
    budget.charge(200 * bytesOf(changed));
    expect(budget.used).toBe(200 * bytesOf(changed));
  });
});
