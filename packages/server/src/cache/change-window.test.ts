import { describe, expect, it } from 'vitest';
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
  });
});
