/** `quantity`, `isQuantity` and arithmetic with quantities such as `1.5Gi`. */

import {
  addQuantities,
  compareDecimalQuantities,
  type DecimalQuantity,
  negatedQuantity,
  parseQuantity,
  QuantityProblem,
  quantityDouble,
  quantityInteger,
} from '../parsing/decimal-quantity.ts';
import type { CelLibrary } from '../standard/cel-library.ts';
import { BOOL, type CelType, DOUBLE, INT, opaqueType, STRING } from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import {
  CelDouble,
  type CelInt,
  type CelOpaque,
  type CelResult,
  type CelValue,
  intValue,
} from '../values/cel-value.ts';
import { functions, method, plainOverload } from './declare.ts';
import { NOMINAL, READ_TEXT } from './library-cost.ts';

/** The type of quantities. */
export const QUANTITY_TYPE: CelType = opaqueType('kubernetes.Quantity');

const Q = QUANTITY_TYPE;

/** A quantity. */
export class QuantityValue implements CelOpaque {
  readonly opaqueType: CelType = QUANTITY_TYPE;
  readonly amount: DecimalQuantity;

  constructor(amount: DecimalQuantity) {
    this.amount = amount;
  }

  equals(other: CelValue): boolean {
    return other instanceof QuantityValue && compareDecimalQuantities(this.amount, other.amount) === 0;
  }
}

/** The library of quantities. */
export const quantityLibrary: CelLibrary = {
  name: 'kubernetes.quantity',
  functions: functions({
    quantity: [plainOverload('string_to_quantity', [STRING], Q, toQuantity, READ_TEXT)],
    isQuantity: [
      plainOverload(
        'is_quantity_string',
        [STRING],
        BOOL,
        (text: string) => !(parseQuantity(text) instanceof QuantityProblem),
        READ_TEXT,
      ),
    ],
    sign: [plainOverload('quantity_sign', [Q], INT, ({ amount: { value } }: QuantityValue) => signOf(value), NOMINAL)],
    isGreaterThan: [
      method(
        'quantity_is_greater_than',
        [Q, Q],
        BOOL,
        (a: QuantityValue, b: QuantityValue) => compare(a, b) === 1,
        NOMINAL,
      ),
    ],
    isLessThan: [
      method(
        'quantity_is_less_than',
        [Q, Q],
        BOOL,
        (a: QuantityValue, b: QuantityValue) => compare(a, b) === -1,
        NOMINAL,
      ),
    ],
    compareTo: [method('quantity_compare_to', [Q, Q], INT, compare, NOMINAL)],
    asApproximateFloat: [
      method(
        'quantity_get_float',
        [Q],
        DOUBLE,
        ({ amount }: QuantityValue) => new CelDouble(quantityDouble(amount)),
        NOMINAL,
      ),
    ],
    asInteger: [method('quantity_get_int', [Q], INT, asInteger, NOMINAL)],
    isInteger: [
      method(
        'quantity_is_integer',
        [Q],
        BOOL,
        ({ amount }: QuantityValue) => quantityInteger(amount) !== undefined,
        NOMINAL,
      ),
    ],
    add: [
      method('quantity_add', [Q, Q], Q, (a: QuantityValue, b: QuantityValue) => add(a, b.amount), NOMINAL),
      method('quantity_add_int', [Q, INT], Q, (a: QuantityValue, b: CelInt) => add(a, integer(b)), NOMINAL),
    ],
    sub: [
      method(
        'quantity_sub',
        [Q, Q],
        Q,
        (a: QuantityValue, b: QuantityValue) => add(a, negatedQuantity(b.amount)),
        NOMINAL,
      ),
      method(
        'quantity_sub_int',
        [Q, INT],
        Q,
        (a: QuantityValue, b: CelInt) => add(a, negatedQuantity(integer(b))),
        NOMINAL,
      ),
    ],
  }),
};

function toQuantity(text: string): CelResult {
  const amount = parseQuantity(text);
  return amount instanceof QuantityProblem ? new CelError(amount.message) : new QuantityValue(amount);
}

function compare(left: QuantityValue, right: QuantityValue): number {
  return compareDecimalQuantities(left.amount, right.amount);
}

function add(left: QuantityValue, right: DecimalQuantity): QuantityValue {
  return new QuantityValue(addQuantities(left.amount, right));
}

function integer(value: CelInt): DecimalQuantity {
  return { value: BigInt(value), scale: 0, isLarge: false };
}

function asInteger({ amount }: QuantityValue): CelResult {
  const value = quantityInteger(amount);
  return (value === undefined ? undefined : intValue(value)) ?? new CelError('cannot convert value to integer');
}

function signOf(value: bigint): number {
  if (value === 0n) return 0;
  return value > 0n ? 1 : -1;
}
