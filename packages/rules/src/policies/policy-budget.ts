/** The cost limits of policy expressions, and how long they may block the event loop. */

import type { QuickLimits } from '@listwatch/cel';

/** The cost of one expression, as in Kubernetes. */
export const EXPRESSION_COST_MAX = 1_000_000;
/** The cost of all validations of a policy with one binding and one object of parameters; of one mutation as well. */
export const POLICY_COST_MAX = 10_000_000;
/** The cost of all match conditions of a policy or of a webhook. */
export const CONDITIONS_COST_MAX = 2_500_000;

const SPENT = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** Thrown when the expressions of a policy have together cost too much. */
export class OutOfBudget extends Error {
  override readonly name = 'OutOfBudget';

  constructor() {
    super(SPENT);
  }
}

/** Thrown when an evaluation would block its thread for too long. Run it again in another thread. */
export class TooLongHere extends Error {
  override readonly name = 'TooLongHere';

  constructor() {
    super('the evaluation takes too long for this thread');
  }
}

/** The rest of a cost budget. Spending more throws {@link OutOfBudget}. */
export class CostBudget {
  #left: number;

  constructor(max: number) {
    this.#left = max;
  }

  get left(): number {
    return this.#left;
  }

  spend(cost: number): void {
    if (cost > this.#left) throw new OutOfBudget();
    this.#left -= cost;
  }
}

/** A unit of cost takes 0.02 to 0.4 microseconds (docs/design/0042), a step 0.02. */
const QUICK_COST = 20_000;
const QUICK_STEPS = 50_000;

/** JSON that is parsed on the event loop for one write: 30 bytes of the densest take a microsecond. */
const QUICK_BYTES = 256 * 1024;
/** Compiling a byte of an expression takes as long as parsing so many: 16 KiB of expressions take some 10 ms. */
const COMPILED_BYTE = 16;

/** The event loop time for all policies of one write. Its rest is the limit of the next evaluation. */
export class QuickBudget implements QuickLimits {
  cost: number = QUICK_COST;
  steps: number = QUICK_STEPS;
  #bytes = QUICK_BYTES;

  /** Other requests had their turn. */
  renew(): void {
    this.cost = QUICK_COST;
    this.steps = QUICK_STEPS;
    this.#bytes = QUICK_BYTES;
  }

  /** Call it before so much JSON is parsed. Throws {@link TooLongHere} instead of exceeding the budget. */
  parse(bytes: number): void {
    if (bytes > this.#bytes) throw new TooLongHere();
    this.#bytes -= bytes;
  }

  /** Call it before so many bytes of expressions are compiled. Throws {@link TooLongHere}, too. */
  compile(bytes: number): void {
    this.parse(bytes * COMPILED_BYTE);
  }

  spend(cost: number, steps: number): void {
    this.cost = Math.max(0, this.cost - cost);
    this.steps = Math.max(0, this.steps - steps);
  }
}
