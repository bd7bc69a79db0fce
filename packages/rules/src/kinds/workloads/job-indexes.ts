/** Lists of indexes of an indexed Job: `1,3-5,7`. */

import { quote } from '@listwatch/api';

/** The result of checking a list of indexes. */
export interface IndexesCheck {
  readonly problem: string | undefined;
  /** How many indexes the list has; 0 when it has a problem. */
  readonly total: number;
}

/** Checks a list of indexes below `completions`. */
export function indexesProblem(text: string, completions: number): IndexesCheck {
  if (text === '') return { problem: undefined, total: 0 };
  let total = 0;
  let last = -1;
  for (const part of text.split(',')) {
    const interval = readInterval(part, completions);
    if (typeof interval === 'string') return { problem: interval, total: 0 };
    const [first, end] = interval;
    if (last >= first) return { problem: order(last, first), total: 0 };
    total += end - first + 1;
    last = end;
  }
  return { problem: undefined, total };
}

function readInterval(part: string, completions: number): readonly [number, number] | string {
  const limits = part.split('-');
  if (limits.length > 2) {
    return `the fragment ${quote(part)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const numbers: number[] = [];
  for (const limit of limits) {
    if (!/^[+]?\d+$/.test(limit)) return `cannot convert string to integer for index: ${quote(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${quote(limit)}`;
    numbers.push(Number(limit));
  }
  const [first = 0, end = first] = numbers;
  return limits.length > 1 && first >= end ? order(first, end) : [first, end];
}

function order(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}

/** The first index that is in both lists; intervals that cannot be read are left out. */
export function overlapOf(one: string, other: string, completions: number): number | undefined {
  const left = intervalsOf(one, completions);
  const right = intervalsOf(other, completions);
  let at = 0;
  for (const [first, end] of left) {
    // Both lists ascend, so one pass over each is enough.
    while (at < right.length && (right[at]?.[1] ?? 0) < first) at++;
    const found = right[at];
    if (found !== undefined && found[0] <= end) return Math.max(first, found[0]);
  }
  return undefined;
}

function intervalsOf(text: string, completions: number): readonly (readonly [number, number])[] {
  if (text === '') return [];
  return text
    .split(',')
    .map((part) => readInterval(part, completions))
    .filter((interval) => typeof interval !== 'string');
}
