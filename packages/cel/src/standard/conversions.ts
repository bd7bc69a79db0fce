/** `int(x)`, `string(x)`, `timestamp(x)` and so on. */
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  STRING,
  TIMESTAMP,
  typeParameter,
  typeType,
  UINT,
} from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import {
  CelDouble,
  CelDuration,
  type CelInt,
  type CelResult,
  CelTimestamp,
  CelUint,
  type CelValue,
  intValue,
} from '../values/cel-value.ts';
import { typeOf } from '../values/type-of.ts';
import { valueSize } from '../values/value-size.ts';
import type { FunctionDeclaration, Overload } from './cel-library.ts';
import {
  durationSecondsText,
  formatDouble,
  formatTimestamp,
  parseDouble,
  parseGoDuration,
  parseTimestamp,
} from './go-literals.ts';
import { MAX_SECONDS, MIN_SECONDS, TIMESTAMP_OVERFLOW } from './time-arithmetic.ts';

const INT_OVERFLOW: CelError = new CelError('integer overflow');
const UINT_OVERFLOW: CelError = new CelError('unsigned integer overflow');
const UINT_LIMIT = 2n ** 64n;

function failure(from: CelType, to: CelType): CelError {
  return new CelError(`type conversion error from '${from.name}' to '${to.name}'`);
}

function overload(id: string, from: CelType, to: CelType, call: (value: never) => CelResult): Overload {
  return { id, args: [from], result: to, call: (value: never) => call(value) };
}

function identity(name: string, type: CelType): Overload {
  return overload(`${name}_to_${name}`, type, type, (value: CelValue) => value);
}

function fromString(name: string, to: CelType, parse: (text: string) => CelResult | undefined): Overload {
  return overload(`string_to_${name}`, STRING, to, (text: string) => parse(text) ?? failure(STRING, to));
}

const BOOLS: Readonly<Record<string, boolean>> = {
  '1': true,
  t: true,
  T: true,
  TRUE: true,
  true: true,
  True: true,
  '0': false,
  f: false,
  F: false,
  FALSE: false,
  false: false,
  False: false,
};

function parseInt64(text: string): CelInt | undefined {
  return /^[+-]?\d{1,40}$/u.test(text) ? intValue(BigInt(text.startsWith('+') ? text.slice(1) : text)) : undefined;
}

function parseUint64(text: string): CelUint | undefined {
  if (!/^\d{1,40}$/u.test(text)) return undefined;
  const value = BigInt(text);
  return value < UINT_LIMIT ? new CelUint(value) : undefined;
}

function doubleToInt({ value }: CelDouble): CelResult {
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) return INT_OVERFLOW;
  return intValue(BigInt(Math.trunc(value))) ?? INT_OVERFLOW;
}

function doubleToUint({ value }: CelDouble): CelResult {
  if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64) return UINT_OVERFLOW;
  return new CelUint(BigInt(Math.trunc(value)));
}

function durationToString({ nanoseconds }: CelDuration): string {
  return durationSecondsText(nanoseconds);
}

function bytesToString(bytes: Uint8Array): CelResult {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

function stringToTimestamp(text: string): CelResult | undefined {
  const timestamp = parseTimestamp(text);
  if (timestamp === undefined) return undefined;
  const { seconds } = timestamp;
  return seconds < MIN_SECONDS || seconds > MAX_SECONDS ? TIMESTAMP_OVERFLOW : timestamp;
}

function stringToDuration(text: string): CelResult | undefined {
  const nanoseconds = parseGoDuration(text);
  return nanoseconds === undefined ? undefined : new CelDuration(nanoseconds);
}

const traversal: Pick<Overload, 'cost' | 'costsWhenResolved'> = {
  costsWhenResolved: true,
  cost: ([value = null]) => Math.ceil(valueSize(value) * 0.1),
};

const A = typeParameter('A');

/** The conversion functions. */
export const CONVERSIONS: readonly FunctionDeclaration[] = [
  {
    name: 'type',
    overloads: [{ id: 'type', args: [A], result: typeType(A), call: (value: CelValue) => typeOf(value) }],
  },
  { name: 'dyn', overloads: [{ id: 'to_dyn', args: [A], result: DYN, call: (value: CelValue) => value }] },
  { name: 'bool', overloads: [identity('bool', BOOL), fromString('bool', BOOL, (text) => BOOLS[text])] },
  {
    name: 'bytes',
    overloads: [
      identity('bytes', BYTES),
      { ...overload('string_to_bytes', STRING, BYTES, (text: string) => new TextEncoder().encode(text)), ...traversal },
    ],
  },
  {
    name: 'double',
    overloads: [
      identity('double', DOUBLE),
      overload('int64_to_double', INT, DOUBLE, (value: CelInt) => new CelDouble(Number(value))),
      fromString('double', DOUBLE, (text) => {
        const value = parseDouble(text);
        return value === undefined ? undefined : new CelDouble(value);
      }),
      overload('uint64_to_double', UINT, DOUBLE, ({ value }: CelUint) => new CelDouble(Number(value))),
    ],
  },
  {
    name: 'duration',
    overloads: [
      identity('duration', DURATION),
      overload('int64_to_duration', INT, DURATION, () => failure(INT, DURATION)),
      fromString('duration', DURATION, stringToDuration),
    ],
  },
  {
    name: 'int',
    overloads: [
      { ...identity('int64', INT) },
      overload('double_to_int64', DOUBLE, INT, doubleToInt),
      overload(
        'duration_to_int64',
        DURATION,
        INT,
        ({ nanoseconds }: CelDuration) => intValue(nanoseconds) ?? INT_OVERFLOW,
      ),
      { ...fromString('int64', INT, parseInt64) },
      overload('timestamp_to_int64', TIMESTAMP, INT, ({ seconds }: CelTimestamp) => seconds),
      overload('uint64_to_int64', UINT, INT, ({ value }: CelUint) => intValue(value) ?? INT_OVERFLOW),
    ],
  },
  {
    name: 'string',
    overloads: [
      identity('string', STRING),
      overload('bool_to_string', BOOL, STRING, (value: boolean) => String(value)),
      { ...overload('bytes_to_string', BYTES, STRING, bytesToString), ...traversal },
      overload('double_to_string', DOUBLE, STRING, ({ value }: CelDouble) => formatDouble(value)),
      overload('duration_to_string', DURATION, STRING, durationToString),
      overload('int64_to_string', INT, STRING, (value: CelInt) => String(value)),
      overload('timestamp_to_string', TIMESTAMP, STRING, formatTimestamp),
      overload('uint64_to_string', UINT, STRING, ({ value }: CelUint) => String(value)),
    ],
  },
  {
    name: 'timestamp',
    overloads: [
      identity('timestamp', TIMESTAMP),
      overload('int64_to_timestamp', INT, TIMESTAMP, (value: CelInt) =>
        value < MIN_SECONDS || value > MAX_SECONDS ? TIMESTAMP_OVERFLOW : new CelTimestamp(Number(value), 0),
      ),
      fromString('timestamp', TIMESTAMP, stringToTimestamp),
    ],
  },
  {
    name: 'uint',
    overloads: [
      identity('uint64', UINT),
      overload('double_to_uint64', DOUBLE, UINT, doubleToUint),
      overload('int64_to_uint64', INT, UINT, (value: CelInt) =>
        value < 0 ? UINT_OVERFLOW : new CelUint(BigInt(value)),
      ),
      fromString('uint64', UINT, parseUint64),
    ],
  },
];
