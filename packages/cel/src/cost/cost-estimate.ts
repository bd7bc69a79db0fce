/** Ranges of sizes and costs, as the static estimate has them. */
import type { Expression } from '../syntax/expression.ts';
import type { CelType } from '../types/cel-type.ts';

/** From `min` to `max`. Go's uint64 as numbers; sums and products stop at {@link MAX_COST}. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The size of a value: code points of a string, bytes, elements of a list, entries of a map; 1 for others. */
export type SizeEstimate = Range;

/** The cost of an expression. */
export type CostEstimate = Range;

/** 2^64 - 1 as a number; it stands for "unbounded". */
export const MAX_COST: number = 2 ** 64;

/** A size of which nothing is known. */
export const UNKNOWN_SIZE: SizeEstimate = { min: 0, max: MAX_COST };

/** The cost of a call without that of its arguments, and the size of its result when that is a list, map, string or bytes. */
export interface CallEstimate {
  readonly cost: CostEstimate;
  readonly resultSize?: SizeEstimate;
}

/** What the estimate knows of an expression. */
export interface CostNode {
  readonly expression: Expression;
  readonly type: CelType;
  /** The way from a variable to the value: field names, `@items`, `@keys`, `@values`, `@indices`; empty when there is none. */
  readonly path: readonly string[];
  /** The size that follows from the expression itself. */
  readonly computedSize: SizeEstimate | undefined;
}

/** Gives the size of a value that the environment knows, from a schema's maxLength, maxItems or maxProperties. */
export type SizeHints = (node: Omit<CostNode, 'computedSize'>) => SizeEstimate | undefined;

/** `min` to `max` with both the same. */
export function fixed(value: number): Range {
  return { min: value, max: value };
}

/** The sum. */
export function addRanges(a: Range, b: Range): Range {
  return { min: Math.min(a.min + b.min, MAX_COST), max: Math.min(a.max + b.max, MAX_COST) };
}

/** The product. */
export function multiplyRanges(a: Range, b: Range): Range {
  return { min: multiply(a.min, b.min), max: multiply(a.max, b.max) };
}

/** Times a factor, rounded up: the cost of work that is proportional to a size. */
export function scaleRange(range: Range, factor: number): Range {
  return { min: scale(range.min, factor), max: scale(range.max, factor) };
}

/** From the smaller `min` to the larger `max`. */
export function unionOfRanges(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function multiply(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : Math.min(a * b, MAX_COST);
}

function scale(value: number, factor: number): number {
  return Math.min(Math.ceil(value * factor), MAX_COST);
}
