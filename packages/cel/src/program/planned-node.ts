import type { Expression } from '../syntax/expression.ts';
import type { CelValue } from '../values/cel-value.ts';
import type { Attribute } from './attribute.ts';
import type { Plan } from './frame.ts';

/** A planned expression with what the node around it may use. */
export interface PlannedNode {
  readonly plan: Plan;
  /** Set for variables, selections and conditionals. */
  readonly attribute: Attribute | undefined;
  /** Set for constants. */
  readonly constant: CelValue | undefined;
}

/** A node without more. */
export function plainNode(plan: Plan): PlannedNode {
  return { plan, attribute: undefined, constant: undefined };
}

/** A constant: it costs nothing. */
export function constantNode(value: CelValue): PlannedNode {
  return { plan: () => value, attribute: undefined, constant: value };
}

/** What planners of parts need from the planner. */
export interface NodePlanner {
  node(expression: Expression): PlannedNode;
  /** A slot for a variable of a fold, which `inside` can use by its name. */
  withVariable<T>(name: string, slot: number, inside: () => T): T;
  /** As {@link withVariable}, for an accumulator whose first value is computed when it is first read. */
  withLazyVariable<T>(name: string, slot: number, init: Plan, inside: () => T): T;
  newSlot(): number;
}

/** Thrown for an expression that checks but cannot be run, such as `int("a")`. */
export class PlanFailure extends Error {}
