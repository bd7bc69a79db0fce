import { describe, expect, it } from 'vitest';
import { type BudgetMember, ByteBudget } from './byte-budget.ts';
import { type CacheLimits, createCacheBudgets } from './cache-budgets.ts';

/** Holds items of a size, oldest first. */
class Items implements BudgetMember {
  readonly items: number[] = [];
  readonly #budget: ByteBudget;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
    budget.add(this);
  }

  get bytes(): number {
    return this.items.reduce((sum, item) => sum + item, 0);
  }

  push(item: number): void {
    this.items.push(item);
    this.#budget.charge(item);
  }

  evictOldest(): boolean {
    const item = this.items.shift();
    this.#budget.charge(-(item ?? 0));
    return item !== undefined;
  }
}

describe('a byte budget', () => {
  it('makes the largest member free its oldest items until the limit holds', () => {
    const budget = new ByteBudget(100);
    const [small, large] = [new Items(budget), new Items(budget)];
    small.push(20);
    for (const item of [30, 31, 32, 33]) large.push(item);
    expect([small.items, large.items, budget.used]).toEqual([[20], [32, 33], 85]);
    small.push(60);
    expect([small.items, large.items, budget.used]).toEqual([[60], [33], 93]);
  });

  it('exceeds the limit only by what cannot be freed', () => {
    const budget = new ByteBudget(10);
    const items = new Items(budget);
    budget.charge(50);
    items.push(5);
    expect([items.items, budget.used]).toEqual([[], 50]);
    expect([budget.tryCharge(1), budget.used]).toEqual([false, 50]);
  });

  it('refuses what would exceed it and counts what does not', () => {
    const budget = new ByteBudget(10);
    expect([budget.tryCharge(6), budget.tryCharge(5), budget.tryCharge(4), budget.used]).toEqual([
      true,
      false,
      true,
      10,
    ]);
  });
});

it('a limit that is not a size is refused by its name', () => {
  expect(() => createCacheBudgets({ snapshotBytes: -1 })).toThrow('cacheLimits.snapshotBytes must be a whole number');
  expect(() => createCacheBudgets({ maxChannels: 0.5 })).toThrow('cacheLimits.maxChannels must be a whole number');
  expect(createCacheBudgets({ maxChannels: 7 }).maxChannels).toBe(7);
});

const budgets = (limits: CacheLimits): object =>
  Object.fromEntries(
    Object.entries(createCacheBudgets(limits)).map(([name, one]) => [
      name,
      one instanceof ByteBudget ? one.maxBytes : one,
    ]),
  );

it('limits are as they are said, 0 included, and else the defaults of their documentation', () => {
  const defaults = {
    snapshots: 64 * 1_048_576,
    windows: 256 * 1_048_576,
    pendingEvents: 128 * 1_048_576,
    selectors: 64 * 1_048_576,
    writtenObjects: 16 * 1_048_576,
    messages: 128 * 1_048_576,
    maxChannels: 100_000,
  };
  expect(budgets({})).toEqual(defaults);
  expect(budgets({ snapshotBytes: undefined })).toEqual(defaults);
  expect(
    budgets({
      snapshotBytes: 0,
      windowBytes: 1,
      pendingEventBytes: 2,
      selectorBytes: 3,
      messageBytes: 4,
      maxChannels: 0,
    }),
  ).toEqual({ ...defaults, snapshots: 0, windows: 1, pendingEvents: 2, selectors: 3, messages: 4, maxChannels: 0 });
});
