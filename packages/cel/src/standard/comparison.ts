/** `<`, `<=`, `>`, `>=`. */
import { BOOL, BYTES, type CelType, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT } from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import type {
  CelDouble,
  CelDuration,
  CelInt,
  CelResult,
  CelTimestamp,
  CelUint,
  CelValue,
} from '../values/cel-value.ts';
import { comparableNumbers, compareBytes, compareInts, compareNumbers, compareStrings } from '../values/equality.ts';
import { valueSize } from '../values/value-size.ts';
import type { FunctionDeclaration, Overload } from './cel-library.ts';
import { operatorMismatch } from './runtime-traits.ts';

const UNORDERED: CelError = new CelError('NaN values cannot be ordered');

/** Which results of a comparison an operator accepts. */
type Accepts = (order: number) => boolean;

interface Comparison {
  readonly id: string;
  readonly types: readonly [CelType, CelType];
  compare(a: CelValue, b: CelValue): number;
}

const numbers = (a: CelValue, b: CelValue): number => compareNumbers(...comparableNumbers(a, b));

/** In the order of cel-go's overloads, after the name of the operator. */
const COMPARISONS: readonly Comparison[] = [
  { id: 'bool', types: [BOOL, BOOL], compare: (a: boolean, b: boolean) => Number(a) - Number(b) },
  { id: 'int64', types: [INT, INT], compare: (a: CelInt, b: CelInt) => compareInts(a, b) },
  { id: 'int64_double', types: [INT, DOUBLE], compare: numbers },
  { id: 'int64_uint64', types: [INT, UINT], compare: numbers },
  { id: 'uint64', types: [UINT, UINT], compare: (a: CelUint, b: CelUint) => compareInts(a.value, b.value) },
  { id: 'uint64_double', types: [UINT, DOUBLE], compare: numbers },
  { id: 'uint64_int64', types: [UINT, INT], compare: numbers },
  { id: 'double', types: [DOUBLE, DOUBLE], compare: (a: CelDouble, b: CelDouble) => compareNumbers(a.value, b.value) },
  { id: 'double_int64', types: [DOUBLE, INT], compare: numbers },
  { id: 'double_uint64', types: [DOUBLE, UINT], compare: numbers },
  { id: 'string', types: [STRING, STRING], compare: (a: string, b: string) => compareStrings(a, b) },
  { id: 'bytes', types: [BYTES, BYTES], compare: (a: Uint8Array, b: Uint8Array) => compareBytes(a, b) },
  {
    id: 'timestamp',
    types: [TIMESTAMP, TIMESTAMP],
    compare: (a: CelTimestamp, b: CelTimestamp) => a.seconds - b.seconds || a.nanos - b.nanos,
  },
  {
    id: 'duration',
    types: [DURATION, DURATION],
    compare: (a: CelDuration, b: CelDuration) => compareInts(a.nanoseconds, b.nanoseconds),
  },
];

/** The cost of looking at two strings up to the end of the shorter. */
export function shorterCost([a = null, b = null]: readonly CelResult[]): number {
  return Math.ceil(Math.min(valueSize(a), valueSize(b)) * 0.1);
}

function overloadOf(prefix: string, accepts: Accepts, comparison: Comparison): Overload {
  const { id, types } = comparison;
  return {
    id: `${prefix}_${id}`,
    args: types,
    result: BOOL,
    call: (a: CelValue, b: CelValue): CelResult => {
      const order = comparison.compare(a, b);
      return Number.isNaN(order) ? UNORDERED : accepts(order);
    },
    ...(id === 'string' || id === 'bytes' ? { cost: shorterCost, costsWhenResolved: true } : {}),
  };
}

function operator(name: string, prefix: string, accepts: Accepts): FunctionDeclaration {
  return {
    name,
    overloads: COMPARISONS.map((comparison) => overloadOf(prefix, accepts, comparison)),
    otherwise: operatorMismatch(name, 'compare'),
  };
}

/** The operators of order. */
export const COMPARISON: readonly FunctionDeclaration[] = [
  operator('_<_', 'less', (order) => order < 0),
  operator('_<=_', 'less_equals', (order) => order <= 0),
  operator('_>_', 'greater', (order) => order > 0),
  operator('_>=_', 'greater_equals', (order) => order >= 0),
];
