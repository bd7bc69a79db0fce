/**
 * The values of CEL as JavaScript sees them:
 *
 * | CEL | JavaScript |
 * | --- | --- |
 * | null, bool, string | `null`, boolean, string (UTF-16; functions count code points) |
 * | int | a safe integer as `number`, any other as `bigint`: never both for one value ({@link intValue}) |
 * | uint, double | {@link CelUint}, {@link CelDouble} |
 * | bytes | `Uint8Array` |
 * | timestamp, duration | {@link CelTimestamp}, {@link CelDuration} |
 * | list, map and object | {@link CelList}, {@link CelMap} |
 * | type | {@link CelType} |
 * | optional | {@link CelOptional} |
 * | types of libraries | {@link CelOpaque} |
 */
import type { CelType } from '../types/cel-type.ts';
import type { CelError } from './cel-error.ts';
import type { CelList } from './cel-list.ts';
import type { CelMap } from './cel-map.ts';

/** An int: a `number` when it is a safe integer, else a `bigint` within int64. -0 is no int. */
export type CelInt = number | bigint;

/** Any value. */
export type CelValue =
  | null
  | boolean
  | string
  | CelInt
  | CelUint
  | CelDouble
  | Uint8Array
  | CelTimestamp
  | CelDuration
  | CelList
  | CelMap
  | CelType
  | CelOptional
  | CelOpaque;

/** What an evaluation or a function gives: a value or an error. */
export type CelResult = CelValue | CelError;

/** A uint: 0 to 2^64-1. */
export class CelUint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A double. Every JavaScript number that is not in this class is an int. */
export class CelDouble {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A point in time, from year 1 to year 9999. */
export class CelTimestamp {
  /** Whole seconds since 1970, rounded down. */
  readonly seconds: number;
  /** 0 to 999,999,999. */
  readonly nanos: number;
  /** The offset of its time zone in minutes, which only its text shows. */
  readonly offset: number;

  constructor(seconds: number, nanos: number, offset: number = 0) {
    this.seconds = seconds;
    this.nanos = nanos;
    this.offset = offset;
  }
}

/** A duration as Go has it: int64 nanoseconds. */
export class CelDuration {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/** An optional value; `undefined` inside is `optional.none()`. */
export class CelOptional {
  static readonly NONE: CelOptional = new CelOptional(undefined);
  readonly value: CelValue | undefined;

  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** A value of a library's own type, such as a URL or a quantity. */
export interface CelOpaque {
  readonly opaqueType: CelType;
  /** Is it `==` the other value? The other may be of any type. */
  equals(other: CelValue): boolean;
}

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** The int of a bigint in its one representation; `undefined` when it is no int64. */
export function intValue(value: bigint): CelInt | undefined {
  if (value <= SAFE_MAX && value >= -SAFE_MAX) return Number(value);
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}

/** Is it an int? */
export function isInt(value: CelResult): value is CelInt {
  return typeof value === 'number' || typeof value === 'bigint';
}
