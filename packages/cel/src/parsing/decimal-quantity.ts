/**
 * Kubernetes' quantities, such as `1.5Gi`, and their exact arithmetic. This is not the `Quantity` of api/values: the package imports
 * no other, and CEL sees how Kubernetes holds an amount: `1000m` is no integer for `asInteger`. A test of packages/schema holds that
 * both agree on every text and amount.
 */

/** `value * 10^scale`. */
export interface DecimalQuantity {
  readonly value: bigint;
  readonly scale: number;
  /**
   * Kubernetes counts with an int64 until it does not fit, and then with a decimal of any size: only the former can be an
   * integer for `asInteger`.
   */
  readonly isLarge: boolean;
}

/** What is wrong with a text. */
export class QuantityProblem {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const WRONG_FORMAT = new QuantityProblem(
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
);
const WRONG_NUMBER = new QuantityProblem('unable to parse numeric part of quantity');
const WRONG_SUFFIX = new QuantityProblem("unable to parse quantity's suffix");

/** More digits, or a larger power of ten, are refused: arithmetic with them would take too long. */
const MAX_DIGITS = 4096;
const MAX_EXPONENT = 1000;

const DECIMAL_SUFFIXES: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARY_SUFFIXES: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

const INT64_MAX = 2n ** 63n - 1n;
const NANO = -9;

/** Reads a quantity. */
export function parseQuantity(text: string): DecimalQuantity | QuantityProblem {
  if (text === '0') return { value: 0n, scale: 0, isLarge: false };
  // In two steps: one pattern for all would try every split of a run of digits between the number and the suffix.
  const [number = '', sign = '', whole = '', fraction = ''] = /^([+-]?)0*(\d*)(?:\.(\d*))?/.exec(text) ?? [];
  const suffix = text.slice(number.length);
  if (text === '' || !/^[eEinumkKMGTP]*[-+]?\d*$/.test(suffix)) return WRONG_FORMAT;
  if (whole.length + fraction.length > MAX_DIGITS) return WRONG_NUMBER;
  const isNegative = sign === '-';
  const binary = BINARY_SUFFIXES[suffix];
  const exponent = DECIMAL_SUFFIXES[suffix] ?? exponentOf(suffix);
  if (binary === undefined && exponent === undefined) return WRONG_SUFFIX;
  const digits = `${whole === '' ? '0' : whole}${fraction}`;
  const small =
    binary === undefined
      ? smallDecimal(digits, fraction.length, exponent ?? 0)
      : smallBinary(whole === '' ? '0' : whole, fraction, binary);
  if (small !== undefined) return isNegative ? { ...small, value: -small.value } : small;
  // A number needs a digit: `.` and `-` are none. Zeros in front have been cut off.
  if (!/\d/.test(number)) return WRONG_NUMBER;
  const large = largeAmount(BigInt(digits), -fraction.length, exponent ?? 0, binary);
  return { value: isNegative ? -large.value : large.value, scale: large.scale, isLarge: true };
}

/** -1, 0 or 1. */
export function compareDecimalQuantities(left: DecimalQuantity, right: DecimalQuantity): number {
  const [a, b] = aligned(left, right);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The sum. */
export function addQuantities(left: DecimalQuantity, right: DecimalQuantity): DecimalQuantity {
  if (!left.isLarge && !right.isLarge) {
    if (right.value === 0n) return left;
    if (left.value === 0n) return right;
  }
  const [a, b] = aligned(left, right);
  const scale = Math.min(left.scale, right.scale);
  const value = a + b;
  const isLarge = left.isLarge || right.isLarge || !isInt64(a) || !isInt64(b) || !isInt64(value);
  return { value, scale, isLarge };
}

/** The negative. */
export function negatedQuantity(quantity: DecimalQuantity): DecimalQuantity {
  return { ...quantity, value: -quantity.value };
}

/** The quantity as an int64; `undefined` when it is not one, or is too large a decimal. */
export function quantityInteger({ value, scale, isLarge }: DecimalQuantity): bigint | undefined {
  if (isLarge || scale < 0 || scale > 18) return scale > 18 && value === 0n && !isLarge ? 0n : undefined;
  const integer = value * 10n ** BigInt(scale);
  return isInt64(integer) ? integer : undefined;
}

/** The quantity as a double, with the rounding of Go's `base * math.Pow10(exponent)`. */
export function quantityDouble({ value, scale }: DecimalQuantity): number {
  return scale === 0 ? Number(value) : Number(value) * powerOfTen(scale);
}

/** The exact value, such as `15e-1`: equal quantities have equal texts. */
export function quantityText({ value, scale }: DecimalQuantity): string {
  if (value === 0n) return '0e0';
  const digits = String(value);
  const zeros = /0*$/.exec(digits)?.[0].length ?? 0;
  return `${digits.slice(0, digits.length - zeros)}e${scale + zeros}`;
}

function exponentOf(suffix: string): number | undefined {
  if (!/^[eE][-+]?\d{1,40}$/.test(suffix)) return undefined;
  const wide = BigInt(suffix.slice(1).replace('+', ''));
  if (BigInt.asIntN(64, wide) !== wide) return undefined;
  // Go cuts it to 32 bits.
  const exponent = Number(BigInt.asIntN(32, wide));
  return exponent > MAX_EXPONENT ? undefined : Math.max(exponent, -2 * MAX_DIGITS);
}

/** A decimal that fits an int64, by the estimate of Kubernetes: 18 digits at most. */
function smallDecimal(digits: string, fraction: number, exponent: number): DecimalQuantity | undefined {
  const scale = exponent - fraction;
  return digits.length > 18 || scale < NANO ? undefined : { value: BigInt(digits), scale, isLarge: false };
}

/** A binary number that fits an int64, by the estimate of Kubernetes. */
function smallBinary(digits: string, fraction: string, power: number): DecimalQuantity | undefined {
  if (fraction !== '' || 15 - digits.length - Math.trunc((power * 3) / 10) - 1 < 0) return undefined;
  const value = BigInt(digits) << BigInt(power);
  return isInt64(value) ? { value, scale: 0, isLarge: false } : undefined;
}

/** Rounded up to billionths: who asks for a little gets some. Binary numbers end at the largest int64. */
function largeAmount(
  digits: bigint,
  scale: number,
  exponent: number,
  binary: number | undefined,
): { readonly value: bigint; readonly scale: number } {
  const value = binary === undefined ? digits : digits << BigInt(binary);
  if (value === 0n) return { value, scale: scale + exponent };
  const rounded = atNano(value, binary === undefined ? scale + exponent : scale);
  const limit = INT64_MAX * 10n ** 9n;
  return binary !== undefined && rounded > limit ? { value: INT64_MAX, scale: 0 } : { value: rounded, scale: NANO };
}

function atNano(value: bigint, scale: number): bigint {
  if (scale >= NANO) return value * 10n ** BigInt(scale - NANO);
  const divisor = 10n ** BigInt(NANO - scale);
  return (value + divisor - 1n) / divisor;
}

function aligned(left: DecimalQuantity, right: DecimalQuantity): readonly [bigint, bigint] {
  const scale = Math.min(left.scale, right.scale);
  return [left.value * 10n ** BigInt(left.scale - scale), right.value * 10n ** BigInt(right.scale - scale)];
}

function isInt64(value: bigint): boolean {
  return value <= INT64_MAX && value >= -INT64_MAX - 1n;
}

/** Go's `math.Pow10`: a product of two powers, which is not always the nearest double. */
function powerOfTen(exponent: number): number {
  if (exponent < -323) return 0;
  if (exponent > 308) return Number.POSITIVE_INFINITY;
  const size = Math.abs(exponent);
  const [tens, ones] = [size - (size % 32), size % 32];
  return exponent >= 0 ? Number(`1e${tens}`) * Number(`1e${ones}`) : Number(`1e-${tens}`) / Number(`1e${ones}`);
}
