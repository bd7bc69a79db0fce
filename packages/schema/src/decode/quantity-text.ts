/** Resource quantities: `500m`, `1Gi`, `2e3`. */

/** The longest text that is read as a quantity. Kubernetes has no limit; a big integer of megabytes takes seconds. */
const MAX_LENGTH = 1024;

// A digit can match in one place only: `\d+\.?\d*` tries every way to split a run of digits in two.
const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)`;
const SUFFIX = '[numkMGTPE]|[KMGTPE]i';
const QUANTITY = new RegExp(String.raw`^${NUMBER}(?:${SUFFIX}|[eE][+-]?\d+)?$`);
const PLAIN = new RegExp(`^(${NUMBER})(${SUFFIX})?$`);
const EXPONENT = new RegExp(String.raw`^(${NUMBER})[eE]([+-]?\d+)$`);

/** Is the text a quantity? */
export function isQuantity(text: string): boolean {
  return text.length <= MAX_LENGTH && QUANTITY.test(text);
}

const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'] as const;
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;
const NANO = 10n ** 9n;

/**
 * The amount as Kubernetes writes it: without a fraction and with the largest suffix that allows this, of the family
 * that its author used; an exponent is a multiple of three. Text that is no amount stays as it is.
 */
export function canonicalQuantity(quantity: number | string): string {
  const text = String(quantity);
  const [, digits, suffix = ''] = match(PLAIN, text);
  if (digits === undefined) return withExponent(text);
  const isBinary = suffix.endsWith('i');
  // Nearly all quantities are such integers, and a map may hold 100 000 of them.
  if (digits.length <= 15 && !digits.includes('.')) return smallInteger(Number(digits), suffix, isBinary);
  const nanos = nanosOf(digits, suffix);
  if (nanos === 0n) return '0';
  const whole = nanos % NANO === 0n;
  const small = nanos < 1024n * NANO && nanos > -1024n * NANO;
  if (isBinary && whole && !small) return withSuffix(nanos / NANO, 1024n, BINARY);
  return withSuffix(nanos, 1000n, DECIMAL);
}

function smallInteger(amount: number, suffix: string, isBinary: boolean): string {
  if (amount === 0) return '0';
  const suffixes: readonly string[] = isBinary ? BINARY : DECIMAL;
  const base = isBinary ? 1024 : 1000;
  let rest = amount;
  let index = suffixes.indexOf(suffix);
  while (rest % base === 0 && index < suffixes.length - 1) {
    rest /= base;
    index++;
  }
  return `${rest}${suffixes[index] ?? ''}`;
}

/** Amounts beyond this are written as they are: nobody has so many bytes. */
const EXPONENT_MAX = 18;

function withExponent(text: string): string {
  const [, digits, exponent] = match(EXPONENT, text);
  if (digits === undefined || Math.abs(Number(exponent)) > EXPONENT_MAX) return text;
  const [integer = '', fraction = ''] = digits.replace(/^[+-]/, '').split('.');
  const power = Number(exponent) - fraction.length;
  // Billionths are the smallest amounts: what is smaller is rounded up.
  const scale = power < -9 ? 10n ** BigInt(-9 - power) : 1n;
  let rest = (BigInt(`${integer}${fraction}`) + scale - 1n) / scale;
  if (rest === 0n) return '0';
  // Nothing to change: also `1E3` and `1024e0` stay as they are.
  if (fraction === '' && power % 3 === 0 && power >= -9 && rest % 1000n !== 0n) return text.replace(/^\+/, '');
  let place = Math.max(power, -9);
  while (place % 3 !== 0) {
    rest *= 10n;
    place -= 1;
  }
  while (rest % 1000n === 0n) {
    rest /= 1000n;
    place += 3;
  }
  return `${digits.startsWith('-') ? '-' : ''}${rest}${place === 0 ? '' : `e${place}`}`;
}

function match(pattern: RegExp, text: string): readonly (string | undefined)[] {
  return text.length > MAX_LENGTH ? [] : (pattern.exec(text) ?? []);
}

/** The amount in billionths; what is smaller is rounded up. */
function nanosOf(digits: string, suffix: string): bigint {
  const [integer = '', fraction = ''] = digits.replace(/^[+-]/, '').split('.');
  const unit = suffix.endsWith('i')
    ? NANO * 1024n ** BigInt(BINARY.findIndex((known) => known === suffix))
    : 1000n ** BigInt(DECIMAL.findIndex((known) => known === suffix));
  const scale = 10n ** BigInt(fraction.length);
  const scaled = BigInt(`${integer}${fraction}` || '0') * unit;
  const rounded = (scaled + scale - 1n) / scale;
  return digits.startsWith('-') ? -rounded : rounded;
}

function withSuffix(amount: bigint, base: bigint, suffixes: readonly string[]): string {
  let rest = amount;
  let index = 0;
  while (rest % base === 0n && index < suffixes.length - 1) {
    rest /= base;
    index++;
  }
  return `${rest}${suffixes[index] ?? ''}`;
}
