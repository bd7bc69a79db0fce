/** What templates print. */

import { encodedText, goFloat } from '../crd/go-value.ts';

/** The results of one part of a template: objects and lists as JSON, with a blank between two results. */
export function printResults(values: readonly unknown[]): string {
  return values.map(printResult).join(' ');
}

/** One result, as `fmt` prints it. */
export function printResult(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'object') return isFloatLiteral(value) ? goFloat(value.value) : encodedText(value);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && !Number.isInteger(value)) return goFloat(value);
  return encodedText(value);
}

function isFloatLiteral(value: object): value is { readonly is: 'float'; readonly value: number } {
  return 'is' in value && value.is === 'float' && 'value' in value && typeof value.value === 'number';
}
