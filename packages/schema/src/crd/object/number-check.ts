/** Validates a number: its range, its bounds, its factor. */

import { goFloat } from '../go-value.ts';
import type { PartRules } from './part-rules.ts';
import { isNearInteger, typeOfJson } from './scalar-check.ts';
import type { ValueWalk } from './value-walk.ts';

const INT32_MAX = 2 ** 31 - 1;
const INT64_MAX = 2 ** 63;
const FLOAT32_MAX = 3.402_823_567_797_337e38;

/** `integer`, `number`, or `''` when the schema allows more than one type. */
type NumberType = '' | 'integer' | 'number';

/** Checks a number. kube-apiserver reads integers as int64 and the bounds of a schema as float64. */
export function checkNumber(value: bigint | number, types: readonly string[], rules: PartRules, walk: ValueWalk): void {
  const type: NumberType = types.length !== 1 ? '' : types[0] === 'integer' || types[0] === 'number' ? types[0] : '';
  const format = type === '' ? '' : rules.format;
  const range: Range = { type, format, walk };
  isInRange(value, 'Checked', range);
  if (rules.multipleOf !== undefined) checkFactor(value, rules.multipleOf, range);
  if (rules.minimum !== undefined)
    checkBound(value, rules.minimum, { ...range, isExclusive: rules.isMinimumExclusive, isMaximum: false });
  if (rules.maximum !== undefined)
    checkBound(value, rules.maximum, { ...range, isExclusive: rules.isMaximumExclusive, isMaximum: true });
}

interface Range {
  readonly type: NumberType;
  readonly format: string;
  readonly walk: ValueWalk;
}

interface Bound extends Range {
  readonly isExclusive: boolean;
  readonly isMaximum: boolean;
}

/** Does the number fit into the type and the format of the schema? Adds an error when it does not. */
function isInRange(value: bigint | number, what: string, { type, format, walk }: Range): boolean {
  if (type === 'integer' ? fitsInteger(value, format) : format !== 'float' || Math.abs(Number(value)) <= FLOAT32_MAX)
    return true;
  const kind = format === '' ? '(default format)' : `with format ${format}`;
  walk.general(`${what} value must be of type ${type} ${kind} in ${walk.name()}`);
  return false;
}

function fitsInteger(value: bigint | number, format: string): boolean {
  if (format === 'int32') return isWhole(value) && value <= INT32_MAX && value >= -INT32_MAX - 1;
  return isWhole(value) && value < INT64_MAX && value >= -INT64_MAX;
}

function isWhole(value: bigint | number): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function checkBound(value: bigint | number, bound: number, { isExclusive, isMaximum, ...range }: Bound): void {
  const fits = isInRange(bound, isMaximum ? 'Maximum boundary' : 'Minimum boundary', range);
  // An integer is compared with the bound as an int64.
  const isInteger = fits && typeOfJson(value) === 'integer';
  const limit = isInteger ? Math.trunc(bound) : bound;
  const isBeyond = isMaximum ? value > limit : value < limit;
  const isAt = isExclusive && !(value < limit) && !(value > limit);
  if (!isBeyond && !isAt) return;
  const side = isMaximum ? 'less' : 'greater';
  const shown = isInteger ? String(limit) : goFloat(limit);
  range.walk.invalid(value, `should be ${side} than ${isExclusive ? '' : 'or equal to '}${shown}`);
}

function checkFactor(value: bigint | number, multipleOf: number, range: Range): void {
  const { walk } = range;
  const isInteger = isInRange(multipleOf, 'MultipleOf', range) && typeOfJson(value) === 'integer';
  const factor = isInteger ? Math.trunc(multipleOf) : multipleOf;
  if (factor <= 0) {
    walk.addAt(
      factor,
      `factor MultipleOf declared for ${walk.name()} must be positive: ${isInteger ? factor : goFloat(factor)}`,
    );
    return;
  }
  const isMultiple = isInteger
    ? BigInt(value) % BigInt(factor) === 0n
    : isNearInteger(factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor);
  if (!isMultiple) walk.invalid(value, `should be a multiple of ${isInteger ? factor : goFloat(factor)}`);
}
