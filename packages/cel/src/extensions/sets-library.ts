/** `sets.contains`, `sets.equivalent` and `sets.intersects`: lists as sets. */
import { addRanges, type CallEstimate, fixed, multiplyRanges, scaleRange } from '../cost/cost-estimate.ts';
import type { CallContext, CallNodes, CelLibrary } from '../standard/cel-library.ts';
import { BOOL, listType, typeParameter } from '../types/cel-type.ts';
import { COST_LIMIT_EXCEEDED } from '../values/cel-error.ts';
import type { CelList } from '../values/cel-list.ts';
import type { CelResult, CelValue } from '../values/cel-value.ts';
import { type Costs, functions, plainOverload } from './declare.ts';
import { sizeOfValue } from './library-cost.ts';

const LIST = listType(typeParameter('T'));

/** The library of sets. */
export const setsLibrary: CelLibrary = {
  name: 'cel.lib.ext.sets',
  functions: functions({
    'sets.contains': [plainOverload('list_sets_contains_list', [LIST, LIST], BOOL, bounded(contains), pairs(1))],
    'sets.equivalent': [
      plainOverload('list_sets_equivalent_list', [LIST, LIST], BOOL, bounded(isEquivalent), pairs(2)),
    ],
    'sets.intersects': [plainOverload('list_sets_intersects_list', [LIST, LIST], BOOL, bounded(intersects), pairs(1))],
  }),
};

/** Every pair of elements is compared: more pairs than the limit allows are not begun. */
function bounded(
  call: (left: CelList, right: CelList, context: CallContext) => boolean,
): (left: CelList, right: CelList, context: CallContext) => CelResult {
  return (left, right, context) =>
    context.affords(left.size * right.size) ? call(left, right, context) : COST_LIMIT_EXCEEDED;
}

function has(list: CelList, value: CelValue, context: CallContext): boolean {
  for (let index = 0; index < list.size; index++) if (context.equals(list.at(index), value)) return true;
  return false;
}

function contains(list: CelList, part: CelList, context: CallContext): boolean {
  for (const value of part) if (!has(list, value, context)) return false;
  return true;
}

function isEquivalent(left: CelList, right: CelList, context: CallContext): boolean {
  return contains(left, right, context) && contains(right, left, context);
}

function intersects(left: CelList, right: CelList, context: CallContext): boolean {
  for (const value of left) if (has(right, value, context)) return true;
  return false;
}

function pairs(factor: number): Costs {
  return {
    cost: ([left, right]) => 1 + Math.trunc(sizeOfValue(left) * sizeOfValue(right) * factor),
    estimate: ({ args: [left, right], sizeOf }: CallNodes): CallEstimate | undefined => {
      if (left === undefined || right === undefined) return undefined;
      return { cost: addRanges(scaleRange(multiplyRanges(sizeOf(left), sizeOf(right)), factor), fixed(1)) };
    },
  };
}
