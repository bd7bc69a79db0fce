/** Kubernetes' own list functions: `isSorted`, `sum`, `min`, `max`, `indexOf` and `lastIndexOf`. */
import { addInts } from '../standard/arithmetic.ts';
import type { CallContext, CelLibrary, Overload } from '../standard/cel-library.ts';
import { addDuration } from '../standard/time-arithmetic.ts';
import { BOOL, type CelType, DOUBLE, DURATION, INT, listType, typeParameter, UINT } from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import type { CelList } from '../values/cel-list.ts';
import { CelDouble, CelDuration, type CelResult, CelUint, type CelValue, isInt } from '../values/cel-value.ts';
import { typeOf } from '../values/type-of.ts';
import { type Costs, functions, method } from './declare.ts';
import { scanEstimate, traversalCost } from './library-cost.ts';
import { compareValues, ORDERED_TYPES } from './value-order.ts';

const A = typeParameter('A');
const SCAN: Costs = { cost: ([list]) => traversalCost(list), estimate: scanEstimate };
const NO_OVERLOAD = new CelError('no such overload');
const UINT_LIMIT = 2n ** 64n;
const ZEROS: readonly (readonly [CelType, CelValue])[] = [
  [INT, 0],
  [UINT, new CelUint(0n)],
  [DOUBLE, new CelDouble(0)],
  [DURATION, new CelDuration(0n)],
];

/** The library of lists. */
export const listFunctionsLibrary: CelLibrary = {
  name: 'kubernetes.lists',
  functions: functions({
    isSorted: ORDERED_TYPES.map((type) =>
      method(`list_${shortName(type)}_is_sorted_bool`, [listType(type)], BOOL, isSorted, SCAN),
    ),
    sum: ZEROS.map(([type, zero]) =>
      method(
        `list_${shortName(type)}_sum_${shortName(type)}`,
        [listType(type)],
        type,
        (list: CelList) => sum(list, zero),
        SCAN,
      ),
    ),
    max: ORDERED_TYPES.map((type) => extreme('max', type, -1)),
    min: ORDERED_TYPES.map((type) => extreme('min', type, 1)),
    indexOf: [method('list_a_index_of_int', [listType(A), A], INT, indexOf, SCAN)],
    lastIndexOf: [method('list_a_last_index_of_int', [listType(A), A], INT, lastIndexOf, SCAN)],
  }),
};

function shortName({ kind }: CelType): string {
  return kind;
}

function extreme(name: string, type: CelType, replacing: number): Overload {
  const call = (list: CelList): CelResult => {
    let best: CelValue | undefined;
    for (const item of list) {
      if (!isOrdered(item)) return NO_OVERLOAD;
      if (best === undefined || compareValues(best, item) === replacing) best = item;
    }
    return best === undefined ? new CelError(`${name} called on empty list`) : best;
  };
  return method(`list_${shortName(type)}_${name}_${shortName(type)}`, [listType(type)], type, call, SCAN);
}

function isSorted(list: CelList): CelResult {
  let previous: CelValue | undefined;
  for (const item of list) {
    if (!isOrdered(item)) return NO_OVERLOAD;
    if (previous !== undefined && compareValues(previous, item) === 1) return false;
    previous = item;
  }
  return true;
}

function sum(list: CelList, zero: CelValue): CelResult {
  let total: CelResult = zero;
  for (const item of list) {
    total = addValues(total, item);
    if (total instanceof CelError) return total;
  }
  return total;
}

function addValues(left: CelValue, right: CelValue): CelResult {
  if (isInt(left) && isInt(right)) return addInts(left, right);
  if (left instanceof CelDouble && right instanceof CelDouble) return new CelDouble(left.value + right.value);
  if (left instanceof CelDuration && right instanceof CelDuration) return addDuration(left, right);
  if (left instanceof CelUint && right instanceof CelUint) {
    const total = left.value + right.value;
    return total < UINT_LIMIT ? new CelUint(total) : new CelError('unsigned integer overflow');
  }
  return NO_OVERLOAD;
}

function indexOf(list: CelList, value: CelValue, context: CallContext): CelResult {
  for (let index = 0; index < list.size; index++) if (context.equals(list.at(index), value)) return index;
  return -1;
}

function lastIndexOf(list: CelList, value: CelValue, context: CallContext): CelResult {
  for (let index = list.size - 1; index >= 0; index--) if (context.equals(list.at(index), value)) return index;
  return -1;
}

function isOrdered(value: CelValue): boolean {
  const { kind } = typeOf(value);
  return ORDERED_TYPES.some((type) => type.kind === kind);
}
