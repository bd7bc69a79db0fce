/** Quantities that can be added and compared exactly: sums of many are written back to the store. */

import { canonicalQuantity } from '@listwatch/schema';

/** An amount in billionths, with the family of suffixes that its author used. */
export interface ExactQuantity {
  readonly nanos: bigint;
  readonly family: 'binary' | 'decimal' | 'exponent';
}

export const ZERO: ExactQuantity = { nanos: 0n, family: 'decimal' };

const NANO = 10n ** 9n;
/** Kubernetes takes no larger amount: it is cut to this one. */
const MOST = (2n ** 63n - 1n) * NANO;
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
// A digit can match in one place only: `\d+\.?\d*` tries every way to split a run of digits in two.
const PARTS = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d+))?$/;
/** The longest text that is read as a quantity, as in the decoder. */
const MAX_LENGTH = 1024;

/** A count of things. */
export function wholeQuantity(count: number): ExactQuantity {
  return { nanos: BigInt(count) * NANO, family: 'decimal' };
}

/** Reads a quantity; text that is none counts as zero. What is smaller than a billionth is rounded up. */
export function exactQuantity(quantity: unknown): ExactQuantity {
  const text = String(quantity);
  const [, sign, integer = '', behind, alone, suffix = '', exponent] =
    text.length > MAX_LENGTH ? [] : (PARTS.exec(text) ?? []);
  if (sign === undefined) return ZERO;
  const fraction = behind ?? alone ?? '';
  const digits = BigInt(`${integer}${fraction}` || '0');
  const family = exponent !== undefined ? 'exponent' : suffix.endsWith('i') ? 'binary' : 'decimal';
  const amount = exponent === undefined ? scaled(digits, suffix, fraction.length) : raised(digits, exponent, fraction);
  const nanos = amount > MOST ? MOST : amount;
  return { nanos: sign === '-' ? -nanos : nanos, family };
}

function scaled(digits: bigint, suffix: string, fraction: number): bigint {
  const unit = suffix.endsWith('i')
    ? NANO * 1024n ** BigInt(BINARY.indexOf(suffix))
    : 1000n ** BigInt(DECIMAL.indexOf(suffix));
  return dividedUp(digits * unit, 10n ** BigInt(fraction));
}

function raised(digits: bigint, exponent: string, fraction: string): bigint {
  if (digits === 0n) return 0n;
  const power = Number(exponent) + 9 - fraction.length;
  // Beyond this the result is the largest or the smallest amount, and a power of ten would fill the memory.
  if (power > 2 * MAX_LENGTH) return MOST;
  if (power < -2 * MAX_LENGTH) return 1n;
  return power >= 0 ? digits * 10n ** BigInt(power) : dividedUp(digits, 10n ** BigInt(-power));
}

function dividedUp(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by;
}

/** In the family of the first, or of the second when the first is zero: `1Gi` and `512M` are in binary units. */
export function quantitySum(left: ExactQuantity, right: ExactQuantity): ExactQuantity {
  return { nanos: left.nanos + right.nanos, family: left.nanos === 0n ? right.family : left.family };
}

/** The first less the second. */
export function quantityDifference(left: ExactQuantity, right: ExactQuantity): ExactQuantity {
  return quantitySum(left, { nanos: -right.nanos, family: right.family });
}

/** The next whole amount, as bytes and things are counted. */
export function roundedUp({ nanos, family }: ExactQuantity): ExactQuantity {
  return { nanos: nanos <= 0n ? (nanos / NANO) * NANO : dividedUp(nanos, NANO) * NANO, family };
}

/** As Kubernetes writes it. */
export function quantityText({ nanos, family }: ExactQuantity): string {
  if (family === 'exponent') return canonicalQuantity(`${nanos}e-9`);
  const size = nanos < 0n ? -nanos : nanos;
  const isBinary = family === 'binary' && nanos % NANO === 0n && size >= 1024n * NANO;
  if (!isBinary) return canonicalQuantity(`${nanos}n`);
  let rest = nanos / NANO;
  let power = 0;
  while (rest % 1024n === 0n && power < BINARY.length - 1) {
    rest /= 1024n;
    power += 1;
  }
  return `${rest}${BINARY[power] ?? ''}`;
}
