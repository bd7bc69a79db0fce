/** Amounts for people. */

import { elapsedText } from '../terminal/elapsed-text.ts';

const STEP = 1024;
const LONG_MS = 120_000;

/** `812 B`, `4.2 KiB`, `63 MiB`. */
export function byteCountText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let amount = bytes;
  let unit = 0;
  while (amount >= STEP && unit < units.length - 1) {
    amount /= STEP;
    unit += 1;
  }
  return `${rounded(amount)} ${units[unit] ?? ''}`;
}

/** `0.4 ms`, `12 ms`, `1.3 s`, `6m12s`. */
export function millisText(ms: number): string {
  if (ms >= LONG_MS) return elapsedText(ms);
  return ms < 1000 ? `${rounded(ms)} ms` : `${rounded(ms / 1000)} s`;
}

/** `1 object`, `12 objects`. */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first names of many: `pods, secrets and 12 more`. */
export function namesText(named: readonly { readonly name: string }[], most = 8): string {
  const names = named.slice(0, most).map(({ name }) => name);
  const more = named.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function rounded(amount: number): string {
  return amount >= 10 || Number.isInteger(amount) ? String(Math.round(amount)) : amount.toFixed(1);
}
