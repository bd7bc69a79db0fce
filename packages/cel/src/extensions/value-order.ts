/** The order of values, for `sort`, `min`, `max` and `isSorted`. */
import { BOOL, BYTES, type CelType, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT } from '../types/cel-type.ts';
import { CelDuration, CelTimestamp, type CelValue } from '../values/cel-value.ts';
import { celNumberOf, compareBytes, compareNumbers, compareStrings } from '../values/equality.ts';

/** The types whose values have an order. */
export const ORDERED_TYPES: readonly CelType[] = [INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES];

/** -1, 0 or 1; `undefined` when there is no order between the two. */
export function compareValues(left: CelValue, right: CelValue): number | undefined {
  const number = celNumberOf(left);
  if (number !== undefined) {
    const other = celNumberOf(right);
    const order = other === undefined ? Number.NaN : compareNumbers(number, other);
    return Number.isNaN(order) ? undefined : order;
  }
  if (typeof left === 'string') return typeof right === 'string' ? compareStrings(left, right) : undefined;
  if (typeof left === 'boolean') return typeof right === 'boolean' ? Number(left) - Number(right) : undefined;
  if (left instanceof Uint8Array) return right instanceof Uint8Array ? compareBytes(left, right) : undefined;
  if (left instanceof CelDuration) {
    return right instanceof CelDuration ? compareNumbers(left.nanoseconds, right.nanoseconds) : undefined;
  }
  if (left instanceof CelTimestamp && right instanceof CelTimestamp) {
    return Math.sign(left.seconds - right.seconds || left.nanos - right.nanos);
  }
  return undefined;
}
