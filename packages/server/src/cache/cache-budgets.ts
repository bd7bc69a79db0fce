/** The memory limits of a server's caches. */

import { ByteBudget } from './byte-budget.ts';

const MIB = 2 ** 20;

/** How much memory the caches of all kinds may use together, beside the current objects. */
export interface CacheLimits {
  /** Objects that only the snapshots of paged lists keep alive. Default: 64 MiB. */
  readonly snapshotBytes?: number | undefined;
  /** The windows of changes that watches resume from. Default: 256 MiB. */
  readonly windowBytes?: number | undefined;
  /** Encoded events that slow watchers have not taken yet. Default: 128 MiB. */
  readonly pendingEventBytes?: number | undefined;
  /** Selectors of running watches; equal ones count once. Default: 64 MiB. */
  readonly selectorBytes?: number | undefined;
  /** Objects in protobuf, for clients that ask for it. Default: 128 MiB. */
  readonly messageBytes?: number | undefined;
  /** Watches that differ in scope, selectors or form. Default: 100 000. */
  readonly maxChannels?: number | undefined;
}

/** The caches that the budgets bound. */
export const BUDGET_NAMES = [
  'snapshots',
  'windows',
  'pendingEvents',
  'selectors',
  'writtenObjects',
  'messages',
] as const;

/** One of the budgets. */
export type BudgetName = (typeof BUDGET_NAMES)[number];

/** One budget for each sort of cache, shared by all kinds. */
export interface CacheBudgets extends Readonly<Record<BudgetName, ByteBudget>> {
  readonly maxChannels: number;
}

/** Makes the budgets. Throws a `RangeError` that names the option. */
export function createCacheBudgets(limits: CacheLimits = {}): CacheBudgets {
  const { snapshotBytes, windowBytes, pendingEventBytes, selectorBytes, messageBytes, maxChannels = 100_000 } = limits;
  for (const [name, value] of Object.entries(limits)) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0)) {
      throw new RangeError(`cacheLimits.${name} must be a whole number of 0 or more, not ${String(value)}`);
    }
  }
  return {
    snapshots: new ByteBudget(snapshotBytes ?? 64 * MIB),
    windows: new ByteBudget(windowBytes ?? 256 * MIB),
    pendingEvents: new ByteBudget(pendingEventBytes ?? 128 * MIB),
    selectors: new ByteBudget(selectorBytes ?? 64 * MIB),
    writtenObjects: new ByteBudget(16 * MIB),
    messages: new ByteBudget(messageBytes ?? 128 * MIB),
    maxChannels,
  };
}
