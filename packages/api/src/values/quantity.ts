/** Resource quantities: amounts of CPU, memory and things, with the grammar and the exact arithmetic of Kubernetes. */

import {
  BINARY_SUFFIXES,
  DECIMAL_SUFFIXES,
  QuantityError,
  type QuantityFormat,
  type QuantityParts,
  quantityParts,
  WRONG_NUMBER,
} from './quantity-syntax.ts';

const BILLION = 1_000_000_000n;
const NANO = -9;
const INT64_MAX = 0x7fff_ffff_ffff_ffffn;
/** Amounts from 10^1000 on are compared and added as if the exponent were 1000: larger powers would fill the memory. */
const POWER_MAX = 1000;
/** Integers of this many digits are exact in a double. */
const SAFE_DIGITS = 15;
const POWERS: readonly bigint[] = Array.from({ length: 40 }, (_, power) => 10n ** BigInt(power));

/**
 * An amount, exact to a billionth, and the format that its text has. Immutable.
 *
 *     Quantity.parse('1500m').add(Quantity.parse('1')).toString(); // '2500m'
 *     Quantity.parse('1Gi').compare(Quantity.parse('1G')); // 1
 */
export class Quantity {
  /** No amount. */
  static readonly ZERO: Quantity = /* @__PURE__ */ new Quantity(0n, 0, 'decimalSI');

  /** How the amount is written. */
  readonly format: QuantityFormat;
  readonly #mantissa: bigint;
  /** The power of ten: at least -9. */
  readonly #power: number;

  private constructor(mantissa: bigint, power: number, format: QuantityFormat) {
    this.#mantissa = mantissa;
    this.#power = power;
    this.format = format;
  }

  /** Reads a quantity. Smaller parts than a billionth are rounded up. Throws a `QuantityError` for other text. */
  static parse(text: string): Quantity {
    const quantity = read(text);
    if (typeof quantity === 'string') throw new QuantityError(quantity);
    return quantity;
  }

  /** Reads a member of an object, a string or a number; undefined if it is no quantity. */
  static from(value: unknown): Quantity | undefined {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
    const quantity = read(String(value));
    return typeof quantity === 'string' ? undefined : quantity;
  }

  /** An amount in billionths. */
  static ofNanos(nanos: bigint, format: QuantityFormat = 'decimalSI'): Quantity {
    return new Quantity(nanos, NANO, format);
  }

  /** A count of things: a whole number. */
  static of(count: bigint | number): Quantity {
    return new Quantity(BigInt(count), 0, 'decimalSI');
  }

  /** `mantissa * 10^power`, with `power` of at least -9. @internal */
  static scaled(mantissa: bigint, power: number, format: QuantityFormat): Quantity {
    return new Quantity(mantissa, power, format);
  }

  /** The amount in billionths, the smallest unit. */
  get nanos(): bigint {
    return this.#mantissa * powerOfTen(Math.min(this.#power, POWER_MAX) - NANO);
  }

  /** -1, 0 or 1. */
  get sign(): number {
    return this.#mantissa === 0n ? 0 : this.#mantissa > 0n ? 1 : -1;
  }

  /** Whether the amount has no fraction. */
  get isWhole(): boolean {
    return this.#power >= 0 || this.#mantissa % powerOfTen(-this.#power) === 0n;
  }

  /** -1 if this is less than the other, 0 if they are equal (`1000m` and `1`), 1 if it is more. */
  compare(other: Quantity): number {
    const [left, right] = this.#power === other.#power ? [this.#mantissa, other.#mantissa] : [this.nanos, other.nanos];
    return left === right ? 0 : left < right ? -1 : 1;
  }

  /** The sum, in the format of this quantity, or of the other if this is zero: `1Gi` and `512M` are `1562741824`. */
  add(other: Quantity): Quantity {
    const format = this.#mantissa === 0n ? other.format : this.format;
    if (this.#power === other.#power) return new Quantity(this.#mantissa + other.#mantissa, this.#power, format);
    return new Quantity(this.nanos + other.nanos, NANO, format);
  }

  /** This quantity less the other, in the same format as the sum. */
  subtract(other: Quantity): Quantity {
    return this.add(other.negate());
  }

  /** The negative amount. */
  negate(): Quantity {
    return new Quantity(-this.#mantissa, this.#power, this.format);
  }

  /** The amount in units of `10^power`; a fraction is rounded away from zero: `1500m` is 2, and 1500 in thousandths (-3). */
  value(power = 0): bigint {
    const places = this.#power - power;
    if (places >= 0) return this.#mantissa * powerOfTen(Math.min(places, POWER_MAX - NANO));
    return dividedUp(this.#mantissa, powerOfTen(-places));
  }

  /** The amount, rounded away from zero to a multiple of `10^power`. */
  roundUp(power = 0): Quantity {
    return this.#power >= power ? this : new Quantity(this.value(power), power, this.format);
  }

  /** The nearest double. */
  toNumber(): number {
    return Number(`${this.#mantissa}e${this.#power}`);
  }

  /** The canonical text: no fraction, and the largest suffix, or power of 1000, that allows this. */
  toString(): string {
    const whole = this.format === 'binarySI' && this.isWhole ? this.value() : 0n;
    if (whole >= 1024n || whole <= -1024n) return binaryText(whole);
    return decimalText(this.#mantissa, this.#power, this.format);
  }

  /** The canonical text. */
  toJSON(): string {
    return this.toString();
  }
}

/** The quantity of a member of an object; zero if it is none. */
export function quantityOf(value: unknown): Quantity {
  return Quantity.from(value) ?? Quantity.ZERO;
}

/** -1, 0 or 1 as two members of objects compare; NaN if one is no quantity. */
export function compareQuantities(left: unknown, right: unknown): number {
  const [a, b] = [Quantity.from(left), Quantity.from(right)];
  return a === undefined || b === undefined ? Number.NaN : a.compare(b);
}

/** -1, 0 or 1; NaN if the value is no quantity. */
export function quantitySign(value: unknown): number {
  return Quantity.from(value)?.sign ?? Number.NaN;
}

/** Why a text is no quantity, in the words of Kubernetes; undefined if it is one. */
export function quantityProblem(text: string): string | undefined {
  const quantity = read(text);
  return typeof quantity === 'string' ? quantity : undefined;
}

/** Whether the text is a quantity. */
export function isQuantity(text: string): boolean {
  return quantityProblem(text) === undefined;
}

/**
 * The text as Kubernetes stores it. Text in a form that needs no change stays, signs, leading zeros and `1E3` included; other text
 * becomes the canonical one. Text that is no quantity stays.
 */
export function canonicalQuantity(text: string): string {
  const parts = quantityParts(text);
  if (typeof parts === 'string' || isKept(parts)) return text;
  const quantity = amountOf(parts);
  return typeof quantity === 'string' ? text : quantity.toString();
}

function read(text: string): Quantity | string {
  const parts = quantityParts(text);
  return typeof parts === 'string' ? parts : amountOf(parts);
}

function amountOf(parts: QuantityParts): Quantity | string {
  const { whole, fraction, exponent, format, isNegative, hasDigit } = parts;
  if (!hasDigit && !isShort(parts)) return WRONG_NUMBER;
  const text = fraction === '' ? whole : whole + fraction;
  // Twice as fast for nearly all quantities (measured).
  const digits = BigInt(text.length <= SAFE_DIGITS ? Number(text) : text);
  const mantissa = isNegative ? -digits : digits;
  if (format !== 'binarySI') return decimalAmount(mantissa, exponent - fraction.length, format);
  return binaryAmount(mantissa << BigInt(exponent), fraction.length);
}

function decimalAmount(mantissa: bigint, power: number, format: QuantityFormat): Quantity {
  if (power >= NANO) return Quantity.scaled(mantissa, power, format);
  // After this many zeros the remaining digits are less than a billionth, whatever they are: round up to one billionth.
  const places = Math.min(NANO - power, 2 * POWER_MAX);
  return Quantity.scaled(dividedUp(mantissa, powerOfTen(places)), NANO, format);
}

/** Kubernetes cuts amounts with a binary suffix to an int64, and writes fractions of 1 with a decimal suffix. */
function binaryAmount(mantissa: bigint, places: number): Quantity {
  const nanos = places === 0 ? mantissa * BILLION : dividedUp(mantissa * BILLION, powerOfTen(places));
  const size = nanos < 0n ? -nanos : nanos;
  if (size > INT64_MAX * BILLION) return Quantity.scaled(nanos < 0n ? -INT64_MAX : INT64_MAX, 0, 'binarySI');
  if (size > 0n && size < BILLION) return Quantity.scaled(nanos, NANO, 'decimalSI');
  return places === 0 ? Quantity.scaled(mantissa, 0, 'binarySI') : Quantity.scaled(nanos, NANO, 'binarySI');
}

/** Kubernetes computes short texts with an int64, and reads no number in them as zero. */
function isShort({ whole, fraction, exponent, format }: QuantityParts): boolean {
  if (format !== 'binarySI') return whole.length + fraction.length <= 18 && exponent - fraction.length >= NANO;
  return fraction === '' && 14 - whole.length - Math.trunc((exponent * 3) / 10) >= 0;
}

function isKept(parts: QuantityParts): boolean {
  if (!isShort(parts)) return false;
  const { whole, fraction, exponent, format } = parts;
  if (format === 'binarySI') return (Number(whole) & 7) !== 0;
  const digits = fraction === '' ? whole : whole + fraction;
  return (exponent - fraction.length) % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}

function binaryText(amount: bigint): string {
  let [rest, index] = [amount, 0];
  for (; rest % 1024n === 0n && index < BINARY_SUFFIXES.length - 1; rest /= 1024n) index += 1;
  return `${rest}${BINARY_SUFFIXES[index] ?? ''}`;
}

function decimalText(mantissa: bigint, power: number, format: QuantityFormat): string {
  if (mantissa === 0n) return '0';
  const digits = String(mantissa);
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) end -= 1;
  const exponent = power + digits.length - end;
  // Only multiples of three are written, and no suffix stands for more than 10^18.
  const third = Math.floor(exponent / 3) * 3;
  const written = format === 'decimalExponent' ? third : Math.min(third, 18);
  const number = digits.slice(0, end) + '0'.repeat(exponent - written);
  if (format === 'decimalExponent') return written === 0 ? number : `${number}e${written}`;
  return `${number}${DECIMAL_SUFFIXES[written / 3 + 3] ?? ''}`;
}

function dividedUp(amount: bigint, by: bigint): bigint {
  const quotient = amount / by;
  if (quotient * by === amount) return quotient;
  return amount < 0n ? quotient - 1n : quotient + 1n;
}

function powerOfTen(power: number): bigint {
  return POWERS[power] ?? 10n ** BigInt(power);
}
