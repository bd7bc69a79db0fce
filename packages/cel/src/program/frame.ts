/** The state of one evaluation: variables, cost and steps. */
import type { CallContext } from '../standard/cel-library.ts';
import { COST_LIMIT_EXCEEDED } from '../values/cel-error.ts';
import type { CelResult, CelValue } from '../values/cel-value.ts';
import { type ComparisonMeter, equalCelValues } from '../values/equality.ts';

/** Thrown when an evaluation has used up a limit; nothing absorbs it. Throwing happens once, so that it costs nothing. */
export class CostLimitReached extends Error {}

/** Work that cel-go's cost does not show ends after so many steps of about 20 nanoseconds. */
const MAX_STEPS = 2_000_000;

/** Lower limits for an evaluation that others wait for. Its caller runs it again, elsewhere, when they are reached. */
export interface QuickLimits {
  readonly cost: number;
  readonly steps: number;
}

/** A planned expression. */
export type Plan = (frame: Frame) => CelResult;

/** One evaluation. */
export class Frame implements CallContext, ComparisonMeter {
  cost = 0;
  /** The evaluation ends above it. */
  limit: number;
  readonly #costMax: number;
  readonly #stepsMax: number;
  /** The values of variables; `undefined` for those that are not set. */
  readonly slots: (CelResult | undefined)[];
  /** Work that the cost does not show. */
  steps = 0;
  /** The part of the cost that took no time here. */
  elsewhereCost = 0;

  constructor(limit: number, slots: (CelResult | undefined)[], quick?: QuickLimits) {
    this.#costMax = limit;
    this.limit = quick === undefined ? limit : Math.min(limit, quick.cost);
    this.#stepsMax = quick === undefined ? MAX_STEPS : Math.min(MAX_STEPS, quick.steps);
    this.slots = slots;
  }

  /** Adds to the cost and ends the evaluation above its limit. */
  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.limit) throw new CostLimitReached();
  }

  affords(cost: number): boolean {
    return this.cost + cost <= this.limit;
  }

  work(steps: number): void {
    this.steps += steps;
    if (this.steps > this.#stepsMax) throw new CostLimitReached();
  }

  count(): void {
    if (++this.steps > this.#stepsMax) throw new CostLimitReached();
  }

  elsewhere(cost: number): void {
    this.elsewhereCost += cost;
    this.limit = Math.min(this.#costMax, this.limit + cost);
  }

  equals(left: CelValue, right: CelValue): boolean {
    return equalCelValues(left, right, this);
  }
}

/** Runs a plan. An evaluation that reaches its limit gives {@link COST_LIMIT_EXCEEDED}. */
export function runPlan(plan: Plan, frame: Frame): CelResult {
  try {
    const result = plan(frame);
    return frame.cost > frame.limit ? COST_LIMIT_EXCEEDED : result;
  } catch (error) {
    if (error instanceof CostLimitReached) return COST_LIMIT_EXCEEDED;
    throw error;
  }
}
