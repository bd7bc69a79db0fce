/** Logical operators, conditionals and equality. */
import { CelError } from '../values/cel-error.ts';
import { CelOptional, type CelResult } from '../values/cel-value.ts';
import { valueSize } from '../values/value-size.ts';
import type { Frame, Plan } from './frame.ts';

const NO_OVERLOAD: CelError = new CelError('no such overload');

/** `left && right`: false wins over an error, on either side. */
export function andPlan(left: Plan, right: Plan): Plan {
  return (frame) => {
    const a = left(frame);
    if (a === false) return false;
    const b = right(frame);
    if (b === false) return false;
    if (a === true && b === true) return true;
    return firstFailure(a, b, true);
  };
}

/** `left || right`: true wins over an error, on either side. */
export function orPlan(left: Plan, right: Plan): Plan {
  return (frame) => {
    const a = left(frame);
    if (a === true) return true;
    const b = right(frame);
    if (b === true) return true;
    if (a === false && b === false) return false;
    return firstFailure(a, b, false);
  };
}

function firstFailure(a: CelResult, b: CelResult, neutral: boolean): CelError {
  const failed = a === neutral ? b : a;
  return failed instanceof CelError ? failed : NO_OVERLOAD;
}

/** `!value`. */
export function notPlan(operand: Plan): Plan {
  return (frame) => {
    const value = operand(frame);
    frame.cost += 1;
    if (value === true) return false;
    if (value === false) return true;
    return value instanceof CelError ? value : NO_OVERLOAD;
  };
}

/** Everything but `false` is true, errors too. */
export function notStrictlyFalsePlan(operand: Plan): Plan {
  return (frame) => {
    const value = operand(frame);
    frame.cost += 1;
    return value !== false;
  };
}

/** `left == right`, or `!=`. */
export function equalsPlan(left: Plan, right: Plan, negated: boolean): Plan {
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    chargeEquality(frame, a, b);
    if (a instanceof CelError) return a;
    if (b instanceof CelError) return b;
    return frame.equals(a, b) !== negated;
  };
}

function chargeEquality(frame: Frame, a: CelResult, b: CelResult): void {
  if ((typeof a !== 'string' && typeof a !== 'object') || (typeof b !== 'string' && typeof b !== 'object')) {
    frame.cost += 1;
    return;
  }
  // The shorter string decides, and a string has at least half as many code points as units.
  if (typeof a === 'string' && typeof b === 'string' && Math.min(a.length, b.length) <= 10) {
    frame.cost += a === '' || b === '' ? 0 : 1;
    return;
  }
  frame.charge(Math.ceil(Math.min(valueSize(a), valueSize(b)) * 0.1));
}

/** `optional.or(other)`, and `orValue` with `unwraps`: the other side is evaluated only when it is needed. */
export function optionalOrPlan(left: Plan, right: Plan, unwraps: boolean): Plan {
  return (frame) => {
    const a = left(frame);
    if (!(a instanceof CelOptional)) return a;
    if (a.value === undefined) return right(frame);
    return unwraps ? a.value : a;
  };
}
