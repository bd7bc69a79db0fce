/** How the seats of a server are divided among its priority levels. Pure functions, with the numbers of kube-apiserver. */

import type { Demand } from './demand-meter.ts';

/** What a PriorityLevelConfiguration says about seats. */
export interface LevelShares {
  readonly isExempt: boolean;
  readonly shares: number;
  readonly lendablePercent: number;
  /** Undefined: it may borrow all. */
  readonly borrowingLimitPercent: number | undefined;
}

/** The bounds of a level's seats. */
export interface SeatBounds {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
  /** The limit of a level that is new. */
  readonly first: number;
}

/** The bounds of each level when `total` requests may run at one time. */
export function seatBounds<Name>(levels: ReadonlyMap<Name, LevelShares>, total: number): ReadonlyMap<Name, SeatBounds> {
  let sum = 0;
  for (const { shares } of levels.values()) sum += shares;
  const result = new Map<Name, SeatBounds>();
  for (const [name, { shares, lendablePercent, borrowingLimitPercent }] of levels) {
    const nominal = sum === 0 ? 0 : Math.ceil((total * shares) / sum);
    const lendable = Math.round((nominal * lendablePercent) / 100);
    const borrowing = borrowingLimitPercent === undefined ? total : Math.round((nominal * borrowingLimitPercent) / 100);
    result.set(name, {
      nominal,
      lower: nominal - lendable,
      upper: nominal + borrowing,
      first: nominal - Math.floor(lendable / 2),
    });
  }
  return result;
}

/** What a level wants, smoothed: it rises at once and falls by half in five minutes. */
export function smoothedDemand(smoothed: number, { average, deviation }: Demand): number {
  const envelope = average + deviation;
  return Math.max(envelope, SMOOTHING * smoothed + (1 - SMOOTHING) * envelope);
}

const SMOOTHING = 0.977;

/** A level when seats are allocated. */
export interface SeatClaim {
  readonly isExempt: boolean;
  readonly bounds: SeatBounds;
  /** The most seats that it wanted in the last period. */
  readonly highest: number;
  readonly smoothed: number;
}

/** The limit of each level. */
export interface SeatAllocation<Name> {
  readonly limits: ReadonlyMap<Name, number>;
  readonly targets: ReadonlyMap<Name, number>;
  /** The factor between what levels want and what they get. */
  readonly fairFraction: number;
}

/** A level that wants nothing still has a part of what is left. */
const LEAST_TARGET = 0.001;

/** Divides all seats by what the levels want; unused seats are lent to others. */
export function allocateSeats<Name>(claims: ReadonlyMap<Name, SeatClaim>): SeatAllocation<Name> {
  const limits = new Map<Name, number>();
  const targets = new Map<Name, number>();
  const limited: { name: Name; lower: number; low: number; high: number; target: number }[] = [];
  let all = 0;
  let rest = 0;
  for (const [name, { isExempt, bounds, highest, smoothed }] of claims) {
    all += bounds.nominal;
    rest += bounds.nominal;
    if (isExempt) {
      const current = Math.max(bounds.lower, highest);
      limits.set(name, current);
      targets.set(name, current);
      rest -= current;
      continue;
    }
    const low = Math.max(bounds.lower, Math.min(bounds.nominal, highest));
    const target = Math.max(low, smoothed);
    targets.set(name, target);
    limited.push({ name, lower: bounds.lower, low, high: bounds.upper, target: Math.max(LEAST_TARGET, target) });
  }
  const lowerSum = limited.reduce((sum, { lower }) => sum + lower, 0);
  const lowSum = limited.reduce((sum, { low }) => sum + low, 0);
  if (rest <= lowerSum) {
    for (const { name, lower } of limited) limits.set(name, lower);
    return { limits, targets, fairFraction: 0 };
  }
  if (rest <= lowSum) {
    const part = (rest - lowerSum) / (lowSum - lowerSum);
    for (const { name, lower, low } of limited) limits.set(name, lower + Math.round((low - lower) * part));
    return { limits, targets, fairFraction: part };
  }
  const fairFraction = solve(limited, all);
  for (const { name, low, high, target } of limited) {
    limits.set(name, Math.round(Math.min(high, Math.max(low, fairFraction * target))));
  }
  return { limits, targets, fairFraction };
}

/** The factor with which all claims, each between its bounds, add up to `sum`. The sum rises in straight pieces from bound to bound. */
function solve(
  claims: readonly { readonly low: number; readonly high: number; readonly target: number }[],
  sum: number,
): number {
  const at = (factor: number): number =>
    claims.reduce((total, { low, high, target }) => total + Math.min(high, Math.max(low, factor * target)), 0);
  const corners = claims.flatMap(({ low, high, target }) => [low / target, high / target]).toSorted((a, b) => a - b);
  let before = 0;
  for (const corner of corners) {
    if (at(corner) < sum) {
      before = corner;
      continue;
    }
    const [from, to] = [at(before), at(corner)];
    return to === from ? corner : before + ((corner - before) * (sum - from)) / (to - from);
  }
  return corners.at(-1) ?? 0;
}
