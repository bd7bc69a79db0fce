/** Calls of functions: by the overload that the checker has found, or by the types of the arguments. */
import type { DeclaredFunction, DeclaredOverload } from '../checker/declarations.ts';
import { CelError, COST_LIMIT_EXCEEDED } from '../values/cel-error.ts';
import type { CelResult, CelValue } from '../values/cel-value.ts';
import { matchesType, typeOf } from '../values/type-of.ts';
import { CostLimitReached, type Frame, type Plan } from './frame.ts';

/** A call of a declared function with one of `overloads`. */
export function callPlan(
  declaration: DeclaredFunction,
  overloads: readonly DeclaredOverload[],
  args: readonly Plan[],
): Plan {
  const [only] = overloads;
  const [first, second] = args;
  if (only !== undefined && overloads.length === 1) {
    if (args.length === 1 && first !== undefined) return unaryPlan(declaration, only, first);
    if (args.length === 2 && first !== undefined && second !== undefined) {
      return binaryPlan(declaration, only, first, second);
    }
  }
  return generalPlan(declaration, overloads, args);
}

function unaryPlan(declaration: DeclaredFunction, overload: DeclaredOverload, arg: Plan): Plan {
  const [type] = overload.args;
  if (type === undefined) return generalPlan(declaration, [overload], [arg]);
  const { cost } = overload;
  return (frame) => {
    const value = arg(frame);
    if (cost === undefined) chargeFlat(frame, value);
    const result =
      value instanceof CelError
        ? value
        : matchesType(value, type)
          ? overload.call(value, frame)
          : mismatch(declaration, [value]);
    if (cost !== undefined) frame.charge(cost([value], result));
    return stopAtLimit(result);
  };
}

function binaryPlan(declaration: DeclaredFunction, overload: DeclaredOverload, left: Plan, right: Plan): Plan {
  const [leftType, rightType] = overload.args;
  if (leftType === undefined || rightType === undefined) return generalPlan(declaration, [overload], [left, right]);
  const { cost } = overload;
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (cost === undefined) chargeFlat(frame, a, b);
    const result =
      a instanceof CelError
        ? a
        : b instanceof CelError
          ? b
          : matchesType(a, leftType) && matchesType(b, rightType)
            ? overload.call(a, b, frame)
            : mismatch(declaration, [a, b]);
    if (cost !== undefined) frame.charge(cost([a, b], result));
    return stopAtLimit(result);
  };
}

function generalPlan(
  declaration: DeclaredFunction,
  overloads: readonly DeclaredOverload[],
  args: readonly Plan[],
): Plan {
  // One and two arguments are all evaluated before an error is looked at; more are evaluated up to the first error.
  const stopsAtError = args.length > 2;
  const resolved = overloads.length === 1;
  return (frame) => {
    const results: CelResult[] = [];
    const values: CelValue[] = [];
    let failed: CelError | undefined;
    for (const arg of args) {
      const value = arg(frame);
      results.push(value);
      if (!(value instanceof CelError)) {
        values.push(value);
      } else {
        failed ??= value;
        if (stopsAtError) return value;
      }
    }
    for (const value of values) if (typeof value === 'string') readText(frame, value);
    const chosen = failed === undefined ? overloads.find((overload) => fits(overload, values)) : undefined;
    const result = failed ?? (chosen === undefined ? mismatch(declaration, values) : chosen.call(...values, frame));
    const costing = chosen ?? overloads[0];
    if (costing?.cost !== undefined && (resolved || costing.costsWhenResolved !== true)) {
      frame.charge(costing.cost(results, result));
    } else {
      frame.cost += 1;
    }
    return stopAtLimit(result);
  };
}

/** A text is read at a speed of about so many characters in a step. */
const CHARACTERS_PER_STEP = 32;

/**
 * The cost of a call without a cost of its own. It is the same for a text of any length, but `size()` and `charAt()` read it: without
 * the steps a loop over them could hold its thread for half a second.
 */
function chargeFlat(frame: Frame, first: CelResult, second?: CelResult): void {
  frame.cost += 1;
  if (typeof first === 'string') readText(frame, first);
  if (typeof second === 'string') readText(frame, second);
}

function readText(frame: Frame, text: string): void {
  if (text.length >= CHARACTERS_PER_STEP) frame.work(Math.floor(text.length / CHARACTERS_PER_STEP));
}

function fits(overload: DeclaredOverload, values: readonly CelValue[]): boolean {
  return (
    overload.args.length === values.length &&
    overload.args.every((type, index) => matchesType(values[index] ?? null, type))
  );
}

function mismatch(declaration: DeclaredFunction, values: readonly CelValue[]): CelResult {
  if (declaration.otherwise !== undefined) return declaration.otherwise(values);
  const types = values.map((value) => typeOf(value).name);
  return new CelError(`no such overload: ${declaration.name}(${types.join(', ')})`);
}

/** An implementation that may not go on ends the evaluation: no operator absorbs it. */
function stopAtLimit(result: CelResult): CelResult {
  if (result === COST_LIMIT_EXCEEDED) throw new CostLimitReached();
  return result;
}

/** A frame for calls of constants, when there is no evaluation yet. */
export type ConstantFrame = Frame;
