/** Integers of 64 bits in decimal, with the error texts that Kubernetes shows for bad ones. */

import { quote } from '../names/quote.ts';
import { ListWatchError } from '../status/listwatch-error.ts';

/** Text that is not an integer of the wanted size. The message is the one that Kubernetes sends. */
export class IntegerError extends ListWatchError {
  override readonly code = 'INTEGER' as const;
  /** The text that was refused. */
  readonly text: string;

  constructor(parser: 'ParseInt' | 'ParseUint', text: string, problem: 'invalid syntax' | 'value out of range') {
    super(`strconv.${parser}: parsing ${quote(text)}: ${problem}`);
    this.text = text;
  }
}

const MIN_INT64 = -0x8000_0000_0000_0000n;
const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;
const MAX_UINT64 = 0xffff_ffff_ffff_ffffn;

/** Reads a signed integer of 64 bits; a sign and leading zeros are fine. Throws `IntegerError`. */
export function parseInt64(text: string): bigint {
  if (!/^[+-]?[0-9]+$/.test(text)) throw new IntegerError('ParseInt', text, 'invalid syntax');
  const value = text.startsWith('+') ? BigInt(text.slice(1)) : BigInt(text);
  if (value < MIN_INT64 || value > MAX_INT64) throw new IntegerError('ParseInt', text, 'value out of range');
  return value;
}

/** Reads an unsigned integer of 64 bits; leading zeros are fine, a sign is not. Throws `IntegerError`. */
export function parseUint64(text: string): bigint {
  if (!/^[0-9]+$/.test(text)) throw new IntegerError('ParseUint', text, 'invalid syntax');
  const value = BigInt(text);
  if (value > MAX_UINT64) throw new IntegerError('ParseUint', text, 'value out of range');
  return value;
}

/**
 * Reads a signed integer of 64 bits for comparing: a number when it is exact as one, a bigint when it is not, and
 * `undefined` when the text is no such integer. The short form costs no allocation.
 */
export function comparableInt64(text: string): number | bigint | undefined {
  if (text.length <= 15) return /^[+-]?[0-9]+$/.test(text) ? Number(text) : undefined;
  try {
    return parseInt64(text);
  } catch {
    return undefined;
  }
}
