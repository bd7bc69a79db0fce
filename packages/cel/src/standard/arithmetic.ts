/** `+`, `-`, `*`, `/`, `%` and negation, with the overflow errors of int64 and uint64. */
import { BYTES, DOUBLE, DURATION, INT, listType, STRING, TIMESTAMP, typeParameter, UINT } from '../types/cel-type.ts';
import { CelError, COST_LIMIT_EXCEEDED } from '../values/cel-error.ts';
import type { CelList } from '../values/cel-list.ts';
import {
  CelDouble,
  CelDuration,
  type CelInt,
  type CelResult,
  type CelTimestamp,
  CelUint,
  type CelValue,
  intValue,
} from '../values/cel-value.ts';
import { valueSize } from '../values/value-size.ts';
import type { FunctionDeclaration, Overload } from './cel-library.ts';
import { operatorMismatch } from './runtime-traits.ts';
import { addDuration, addToTimestamp, negateDuration, subtractTimestamps } from './time-arithmetic.ts';

const INT_OVERFLOW: CelError = new CelError('integer overflow');
const UINT_OVERFLOW: CelError = new CelError('unsigned integer overflow');
const DIVISION_BY_ZERO: CelError = new CelError('division by zero');
const MODULUS_BY_ZERO: CelError = new CelError('modulus by zero');

const UINT_LIMIT = 2n ** 64n;
const LIST_OF_A = listType(typeParameter('A'));
/** Strings and lists cannot grow beyond this by `+`: a chain of macros would double them without end. */
const MAX_LIST_SIZE = 2_000_000;
const MAX_STRING_SIZE = 2 ** 26;

/** The sum of ints. */
export function addInts(a: CelInt, b: CelInt): CelInt | CelError {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return intValue(BigInt(a) + BigInt(b)) ?? INT_OVERFLOW;
}

function subtractInts(a: CelInt, b: CelInt): CelInt | CelError {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return intValue(BigInt(a) - BigInt(b)) ?? INT_OVERFLOW;
}

function multiplyInts(a: CelInt, b: CelInt): CelInt | CelError {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // Adding 0 turns -0 into 0: there is no negative zero among ints.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return intValue(BigInt(a) * BigInt(b)) ?? INT_OVERFLOW;
}

function divideInts(a: CelInt, b: CelInt): CelInt | CelError {
  if (b === 0) return DIVISION_BY_ZERO;
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0 === a / b ? a / b + 0 : exact(a, b);
  return intValue(BigInt(a) / BigInt(b)) ?? INT_OVERFLOW;
}

/** `a / b` rounded towards zero; the quotient of doubles can be rounded up to the next integer. */
function exact(a: number, b: number): CelInt {
  return (a - (a % b)) / b + 0;
}

function moduloInts(a: CelInt, b: CelInt): CelInt | CelError {
  if (b === 0) return MODULUS_BY_ZERO;
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  if (BigInt(b) === -1n && BigInt(a) === -(2n ** 63n)) return INT_OVERFLOW;
  return intValue(BigInt(a) % BigInt(b)) ?? INT_OVERFLOW;
}

function uint(value: bigint): CelUint | CelError {
  return value >= 0n && value < UINT_LIMIT ? new CelUint(value) : UINT_OVERFLOW;
}

function addLists(a: CelList, b: CelList): CelResult {
  if (a.rules !== undefined) return a.rules.add(a, b);
  return a.size + b.size > MAX_LIST_SIZE ? COST_LIMIT_EXCEEDED : a.concat(b);
}

function addBytes(a: Uint8Array, b: Uint8Array): CelResult {
  if (a.length + b.length > MAX_STRING_SIZE) return COST_LIMIT_EXCEEDED;
  const sum = new Uint8Array(a.length + b.length);
  sum.set(a);
  sum.set(b, a.length);
  return sum;
}

const joinCost: Pick<Overload, 'cost' | 'costsWhenResolved'> = {
  costsWhenResolved: true,
  cost: ([a = null, b = null]) => Math.ceil((valueSize(a) + valueSize(b)) * 0.1),
};

const ADD: readonly Overload[] = [
  { id: 'add_bytes', args: [BYTES, BYTES], result: BYTES, call: addBytes, ...joinCost },
  {
    id: 'add_double',
    args: [DOUBLE, DOUBLE],
    result: DOUBLE,
    call: (a: CelDouble, b: CelDouble) => new CelDouble(a.value + b.value),
  },
  { id: 'add_duration_duration', args: [DURATION, DURATION], result: DURATION, call: addDuration },
  {
    id: 'add_duration_timestamp',
    args: [DURATION, TIMESTAMP],
    result: TIMESTAMP,
    call: (a: CelDuration, b: CelTimestamp) => addToTimestamp(b, a.nanoseconds),
  },
  {
    id: 'add_timestamp_duration',
    args: [TIMESTAMP, DURATION],
    result: TIMESTAMP,
    call: (a: CelTimestamp, b: CelDuration) => addToTimestamp(a, b.nanoseconds),
  },
  { id: 'add_int64', args: [INT, INT], result: INT, call: addInts },
  { id: 'add_list', args: [LIST_OF_A, LIST_OF_A], result: LIST_OF_A, call: addLists },
  {
    id: 'add_string',
    args: [STRING, STRING],
    result: STRING,
    call: (a: string, b: string) => (a.length + b.length > MAX_STRING_SIZE ? COST_LIMIT_EXCEEDED : a + b),
    ...joinCost,
  },
  { id: 'add_uint64', args: [UINT, UINT], result: UINT, call: (a: CelUint, b: CelUint) => uint(a.value + b.value) },
];

const SUBTRACT: readonly Overload[] = [
  {
    id: 'subtract_double',
    args: [DOUBLE, DOUBLE],
    result: DOUBLE,
    call: (a: CelDouble, b: CelDouble) => new CelDouble(a.value - b.value),
  },
  {
    id: 'subtract_duration_duration',
    args: [DURATION, DURATION],
    result: DURATION,
    call: (a: CelDuration, b: CelDuration) => addDuration(a, new CelDuration(-b.nanoseconds)),
  },
  { id: 'subtract_int64', args: [INT, INT], result: INT, call: subtractInts },
  {
    id: 'subtract_timestamp_duration',
    args: [TIMESTAMP, DURATION],
    result: TIMESTAMP,
    call: (a: CelTimestamp, b: CelDuration) => addToTimestamp(a, -b.nanoseconds),
  },
  {
    id: 'subtract_timestamp_timestamp',
    args: [TIMESTAMP, TIMESTAMP],
    result: DURATION,
    call: subtractTimestamps,
  },
  {
    id: 'subtract_uint64',
    args: [UINT, UINT],
    result: UINT,
    call: (a: CelUint, b: CelUint) => uint(a.value - b.value),
  },
];

const MULTIPLY: readonly Overload[] = [
  {
    id: 'multiply_double',
    args: [DOUBLE, DOUBLE],
    result: DOUBLE,
    call: (a: CelDouble, b: CelDouble) => new CelDouble(a.value * b.value),
  },
  { id: 'multiply_int64', args: [INT, INT], result: INT, call: multiplyInts },
  {
    id: 'multiply_uint64',
    args: [UINT, UINT],
    result: UINT,
    call: (a: CelUint, b: CelUint) => uint(a.value * b.value),
  },
];

const DIVIDE: readonly Overload[] = [
  {
    id: 'divide_double',
    args: [DOUBLE, DOUBLE],
    result: DOUBLE,
    call: (a: CelDouble, b: CelDouble) => new CelDouble(a.value / b.value),
  },
  { id: 'divide_int64', args: [INT, INT], result: INT, call: divideInts },
  {
    id: 'divide_uint64',
    args: [UINT, UINT],
    result: UINT,
    call: (a: CelUint, b: CelUint) => (b.value === 0n ? DIVISION_BY_ZERO : uint(a.value / b.value)),
  },
];

const MODULO: readonly Overload[] = [
  { id: 'modulo_int64', args: [INT, INT], result: INT, call: moduloInts },
  {
    id: 'modulo_uint64',
    args: [UINT, UINT],
    result: UINT,
    call: (a: CelUint, b: CelUint) => (b.value === 0n ? MODULUS_BY_ZERO : uint(a.value % b.value)),
  },
];

const NEGATE: readonly Overload[] = [
  { id: 'negate_double', args: [DOUBLE], result: DOUBLE, call: (a: CelDouble) => new CelDouble(-a.value) },
  { id: 'negate_int64', args: [INT], result: INT, call: (a: CelInt) => subtractInts(0, a) },
];

const negateMismatch = operatorMismatch('-_', 'negate');

/** The checker knows no negation of durations, but a `dyn` one has it. */
function negateOther(args: readonly CelValue[]): CelResult {
  const [value] = args;
  return value instanceof CelDuration ? negateDuration(value) : negateMismatch(args);
}

/** The arithmetic operators. */
export const ARITHMETIC: readonly FunctionDeclaration[] = [
  { name: '_+_', overloads: ADD, otherwise: operatorMismatch('_+_', 'add') },
  { name: '_-_', overloads: SUBTRACT, otherwise: operatorMismatch('_-_', 'subtract') },
  { name: '_*_', overloads: MULTIPLY, otherwise: operatorMismatch('_*_', 'multiply') },
  { name: '_/_', overloads: DIVIDE, otherwise: operatorMismatch('_/_', 'divide') },
  { name: '_%_', overloads: MODULO, otherwise: operatorMismatch('_%_', 'modulo') },
  { name: '-_', overloads: NEGATE, otherwise: negateOther },
];
