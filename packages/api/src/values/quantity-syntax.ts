/** The grammar of quantities: `500m`, `1.5Gi`, `2e3`. Each text is read once from left to right. */

import { ListWatchError } from '../status/listwatch-error.ts';

/** How an amount is written: `1Gi`, `1G` or `1e9`. */
export type QuantityFormat = 'binarySI' | 'decimalExponent' | 'decimalSI';

/** A text that is no quantity. The message is that of Kubernetes. */
export class QuantityError extends ListWatchError {
  override readonly code = 'QUANTITY' as const;
}

/** The parts of a quantity's text. */
export interface QuantityParts {
  readonly isNegative: boolean;
  /** The digits before the point, without leading zeros; `0` if there are none. */
  readonly whole: string;
  readonly fraction: string;
  /** The power of ten, or of two for the format `binarySI`, that the suffix stands for. */
  readonly exponent: number;
  readonly format: QuantityFormat;
  readonly hasDigit: boolean;
}

/** The longest text that is read. Kubernetes has no limit; an integer of megabytes takes seconds. */
export const QUANTITY_MAX_LENGTH = 1024;

/** Kubernetes' message for text that does not look like a quantity. */
export const WRONG_FORMAT =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
/** Kubernetes' message for missing digits. */
export const WRONG_NUMBER = 'unable to parse numeric part of quantity';
const WRONG_SUFFIX = "unable to parse quantity's suffix";

/** The suffixes of the powers of 1000, from 1000^-3. */
export const DECIMAL_SUFFIXES: readonly string[] = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
/** The suffixes of the powers of 1024. */
export const BINARY_SUFFIXES: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

interface Suffix {
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const SUFFIXES: ReadonlyMap<string, Suffix> = suffixes();

const LETTERS = 'eEinumkKMGTP';
const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;
const PLUS = 0x2b;
const MINUS = 0x2d;

/** Splits a text into its parts; the message of Kubernetes if it is no quantity. */
export function quantityParts(text: string): QuantityParts | string {
  if (text === '' || text.length > QUANTITY_MAX_LENGTH) return WRONG_FORMAT;
  const start = isSign(text.charCodeAt(0)) ? 1 : 0;
  let first = start;
  while (text.charCodeAt(first) === ZERO) first += 1;
  const wholeEnd = digitsEnd(text, first);
  const hasPoint = text.charCodeAt(wholeEnd) === POINT;
  const numberEnd = hasPoint ? digitsEnd(text, wholeEnd + 1) : wholeEnd;
  const suffix = numberEnd === text.length ? '' : text.slice(numberEnd);
  const found = SUFFIXES.get(suffix) ?? exponentSuffix(suffix);
  if (typeof found === 'string') return found;
  return {
    isNegative: text.charCodeAt(0) === MINUS,
    whole: first === wholeEnd ? '0' : text.slice(first, wholeEnd),
    fraction: hasPoint ? text.slice(wholeEnd + 1, numberEnd) : '',
    exponent: found.exponent,
    format: found.format,
    hasDigit: numberEnd - start > (hasPoint ? 1 : 0),
  };
}

/** A call, so that pages without quantities can leave it out. */
function suffixes(): ReadonlyMap<string, Suffix> {
  return new Map([
    ...BINARY_SUFFIXES.map((suffix, index): [string, Suffix] => [suffix, { exponent: index * 10, format: 'binarySI' }]),
    ...DECIMAL_SUFFIXES.map((suffix, index): [string, Suffix] => [
      suffix,
      { exponent: (index - 3) * 3, format: 'decimalSI' },
    ]),
  ]);
}

function exponentSuffix(suffix: string): Suffix | string {
  let letters = 0;
  while (letters < suffix.length && LETTERS.includes(suffix.charAt(letters))) letters += 1;
  const digits = isSign(suffix.charCodeAt(letters)) ? letters + 1 : letters;
  if (digitsEnd(suffix, digits) !== suffix.length) return WRONG_FORMAT;
  const isExponent = letters === 1 && /^[eE]/.test(suffix) && digits < suffix.length;
  if (!isExponent) return WRONG_SUFFIX;
  const exponent = BigInt(suffix.slice(suffix.charCodeAt(1) === PLUS ? 2 : 1));
  if (BigInt.asIntN(64, exponent) !== exponent) return WRONG_SUFFIX;
  // Go keeps 32 bits.
  return { exponent: Number(BigInt.asIntN(32, exponent)), format: 'decimalExponent' };
}

function digitsEnd(text: string, start: number): number {
  let end = start;
  for (let code = text.charCodeAt(end); code >= ZERO && code <= NINE; code = text.charCodeAt(end)) end += 1;
  return end;
}

function isSign(code: number): boolean {
  return code === PLUS || code === MINUS;
}
