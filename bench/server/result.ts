/** Results: one JSON line each, with what we want to reach beside it. */

import { report } from '../storage/measure.ts';
import type { Target } from './target.ts';

/** What a number must be. */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

/** One number. */
export interface Result {
  readonly bench: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: Goal | undefined;
  readonly [fact: string]: unknown;
}

/** A result and the server that it belongs to. */
export interface TargetResult extends Result {
  readonly target: string;
}

const results: TargetResult[] = [];

/** Prints a result, and keeps it for the table. */
export function record({ name }: Pick<Target, 'name'>, { bench, value, unit, goal, ...facts }: Result): void {
  const shown = digits(value);
  const met = goal === undefined ? {} : { goal, met: 'atMost' in goal ? shown <= goal.atMost : shown >= goal.atLeast };
  const result = { bench, target: name, value: shown, unit, ...met, ...facts };
  results.push(result);
  report(result);
}

/** What was recorded last under this name; throws when nothing was. */
export function recorded({ name }: Pick<Target, 'name'>, bench: string): TargetResult {
  const found = results.findLast((result) => result.target === name && result.bench === bench);
  if (found === undefined) throw new Error(`nothing was recorded for ${bench} of ${name}`);
  return found;
}

/** Three digits that mean something. */
export function digits(value: number): number {
  return Number(value.toPrecision(3));
}

/** The middle value: a noisy neighbour spoils one round, not the result. */
export function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** The value that 99 of 100 are not above. */
export function percentile99(values: Iterable<number>): number {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}

/** Everything recorded so far as a Markdown table: a row for each number, a column for each server. */
export function markdownTable(): string {
  const targets = [...new Set(results.map(({ target }) => target))];
  const rows = new Map<string, { readonly goal: string; readonly cells: Map<string, number> }>();
  for (const { bench, unit, goal, target, value } of results) {
    const label = `${bench} (${unit})`;
    const row = rows.get(label) ?? { goal: goalText(goal), cells: new Map<string, number>() };
    row.cells.set(target, value);
    rows.set(label, row);
  }
  const lines = [...rows].map(([label, { goal, cells }]) => {
    return `| ${[label, goal, ...targets.map((target) => cells.get(target) ?? '')].join(' | ')} |`;
  });
  const head = `| what | goal | ${targets.join(' | ')} |`;
  return [head, `|${' --- |'.repeat(targets.length + 2)}`, ...lines].join('\n');
}

function goalText(goal: Goal | undefined): string {
  if (goal === undefined) return '';
  return 'atMost' in goal ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`;
}
