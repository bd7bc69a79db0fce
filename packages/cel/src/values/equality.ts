/** `==` and the order of values. */
import { CelType } from '../types/cel-type.ts';
import { CelList } from './cel-list.ts';
import { CelMap } from './cel-map.ts';
import { CelDouble, CelDuration, type CelInt, CelOptional, CelTimestamp, CelUint, type CelValue } from './cel-value.ts';
import { isOpaque } from './type-of.ts';

/** Counts the comparisons of one evaluation. Throws when there are too many. */
export interface ComparisonMeter {
  count(): void;
}

/** Are both values equal? Numbers of different types are equal when they are the same number. */
export function equalCelValues(a: CelValue, b: CelValue, meter: ComparisonMeter): boolean {
  if (typeof a === 'string' || typeof a === 'boolean') return a === b;
  if (typeof a === 'number' || typeof a === 'bigint') {
    return typeof b === 'number' || typeof b === 'bigint' ? a === b : equalNumbers(a, b);
  }
  if (a === null || b === null) return a === b;
  meter.count();
  if (a instanceof CelDouble || a instanceof CelUint) return equalNumbers(a, b);
  if (a instanceof CelList) return b instanceof CelList && equalLists(a, b, meter);
  if (a instanceof CelMap) return b instanceof CelMap && equalMaps(a, b, meter);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp && a.seconds === b.seconds && a.nanos === b.nanos;
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanoseconds === b.nanoseconds;
  if (a instanceof CelType) return b instanceof CelType && a.name === b.name;
  if (a instanceof CelOptional) {
    if (!(b instanceof CelOptional)) return false;
    if (a.value === undefined || b.value === undefined) return a.value === b.value;
    return equalCelValues(a.value, b.value, meter);
  }
  return isOpaque(a) && a.equals(b);
}

function equalNumbers(a: CelValue, b: CelValue): boolean {
  if (celNumberOf(a) === undefined || celNumberOf(b) === undefined) return false;
  return compareNumbers(...comparableNumbers(a, b)) === 0;
}

/** The number of an int, uint or double. */
export function celNumberOf(value: CelValue): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return value instanceof CelDouble || value instanceof CelUint ? value.value : undefined;
}

/** Two numbers as they are compared: beside a double the other is a double, too. */
export function comparableNumbers(a: CelValue, b: CelValue): [number | bigint, number | bigint] {
  const left = celNumberOf(a) ?? 0;
  const right = celNumberOf(b) ?? 0;
  return a instanceof CelDouble || b instanceof CelDouble ? [Number(left), Number(right)] : [left, right];
}

function equalLists(a: CelList, b: CelList, meter: ComparisonMeter): boolean {
  if (a.rules !== undefined) return a.rules.equals(a, b);
  if (a.size !== b.size) return false;
  for (let index = 0; index < a.size; index++) {
    meter.count();
    if (!equalCelValues(a.at(index), b.at(index), meter)) return false;
  }
  return true;
}

function equalMaps(a: CelMap, b: CelMap, meter: ComparisonMeter): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    meter.count();
    const left = a.find(key);
    const right = b.find(key);
    if (left === undefined || right === undefined || !equalCelValues(left, right, meter)) return false;
  }
  return a.sameHidden(b);
}

/** Less than, equal to or greater than 0; NaN when there is no order between the two numbers. */
export function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  return a > b ? 1 : a >= b ? 0 : Number.NaN;
}

/** The order of ints. */
export function compareInts(a: CelInt, b: CelInt): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The order of bytes. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(a.length - b.length);
}

/** The order of strings by code point, which is that of their UTF-8 bytes. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    return codePointRank(left) < codePointRank(right) ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}

/** Surrogates are code points above 0xffff, though their units are smaller than 0xe000. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
