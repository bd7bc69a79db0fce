/** The costs that Kubernetes gives to the functions of libraries, at run time and in estimates. */
import {
  addRanges,
  type CallEstimate,
  type CostEstimate,
  type CostNode,
  fixed,
  multiplyRanges,
  scaleRange,
} from '../cost/cost-estimate.ts';
import { byteLength } from '../parsing/go-quote.ts';
import type { CallNodes } from '../standard/cel-library.ts';
import { CelType } from '../types/cel-type.ts';
import { CelList } from '../values/cel-list.ts';
import type { CelMap } from '../values/cel-map.ts';
import { CelOptional, type CelResult } from '../values/cel-value.ts';

/** To read a character costs this much. */
export const TEXT_FACTOR = 0.1;
/** A character of a pattern multiplies the cost of a match by this much. */
export const PATTERN_FACTOR = 0.25;
/** To make a list costs this much. */
export const LIST_COST = 10;

/** The number of code points. */
export function codePoints(text: string): number {
  let count = text.length;
  if (!/[\ud800-\udbff]/.test(text)) return count;
  for (let index = 0; index < text.length - 1; index++) {
    const code = text.charCodeAt(index);
    if (code < 0xd800 || code > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next < 0xdc00 || next > 0xdfff) continue;
    count--;
    index++;
  }
  return count;
}

/** A value that says its own size, such as an IP address. */
export interface Sized {
  readonly costSize: number;
}

/** The size of a value: 1 when it has none. */
export function sizeOfValue(value: CelResult | undefined): number {
  if (typeof value === 'string') return codePoints(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof CelList || isMap(value)) return value.size;
  return isSized(value) ? value.costSize : 1;
}

/** Values that share their parts can be exponentially large: a traversal ends after so many of them, far above every limit. */
const MAX_VISITED = 1_000_000;

/** The cost of reading a whole value with everything in it. */
export function traversalCost(value: CelResult | undefined): number {
  let visited = 0;
  const visit = (part: CelResult | undefined): number => {
    visited++;
    if (visited > MAX_VISITED) return Number.POSITIVE_INFINITY;
    if (typeof part === 'string') return Math.trunc(byteLength(part) * TEXT_FACTOR);
    if (part instanceof Uint8Array) return Math.trunc(part.length * TEXT_FACTOR);
    let cost = 0;
    if (part instanceof CelList) {
      for (let index = 0; index < part.size && Number.isFinite(cost); index++) cost += visit(part.at(index));
      return cost;
    }
    if (!isMap(part)) return 1;
    for (const key of part.keys()) {
      cost += visit(key) + visit(part.find(key));
      if (!Number.isFinite(cost)) break;
    }
    return cost;
  };
  return visit(value);
}

/** The cost of reading the text of an argument, times a factor. */
export function textCost(index: number, factor = 1): (args: readonly CelResult[]) => number {
  return (args) => Math.ceil(sizeOfValue(args[index]) * (factor * TEXT_FACTOR));
}

/** A fixed cost of 1, at run time and in estimates. */
export const NOMINAL: { readonly cost: () => number; readonly estimate: () => CallEstimate } = {
  cost: () => 1,
  estimate: () => ({ cost: fixed(1) }),
};

/** The estimate of reading an argument. `keepsSize`: the result is as large. */
export function textEstimate(
  where: 'argument' | 'target',
  factor = 1,
  keepsSize = false,
): (call: CallNodes) => CallEstimate | undefined {
  return ({ target, args, sizeOf }) => {
    const node = where === 'target' ? target : args[0];
    if (node === undefined) return undefined;
    const size = sizeOf(node);
    const cost: CostEstimate = scaleRange(size, factor * TEXT_FACTOR);
    return keepsSize ? { cost, resultSize: size } : { cost };
  };
}

/** The node of the items of a list; `undefined` when it is no list. */
export function itemNode(list: CostNode): CostNode | undefined {
  const [type] = list.type.parameters;
  if (type === undefined) return undefined;
  const path = list.path.length === 0 ? [] : [...list.path, '@items'];
  return { expression: list.expression, type, path, computedSize: undefined };
}

/** The estimate of looking at every item of a list, or at every character of a text. */
export function scanEstimate({ target, sizeOf }: CallNodes): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const item = itemNode(target);
  if (item === undefined) return { cost: scaleRange(sizeOf(target), TEXT_FACTOR) };
  const isText = item.type.kind === 'string' || item.type.kind === 'bytes';
  const each = isText ? addRanges(fixed(1), scaleRange(sizeOf(item), TEXT_FACTOR)) : fixed(1);
  return { cost: multiplyRanges(sizeOf(target), each) };
}

function isSized(value: unknown): value is Sized {
  return typeof value === 'object' && value !== null && 'costSize' in value;
}

function isMap(value: CelResult | undefined): value is CelMap {
  return (
    typeof value === 'object' &&
    value !== null &&
    'find' in value &&
    !(value instanceof CelList) &&
    !(value instanceof CelType) &&
    !(value instanceof CelOptional)
  );
}

/** What it costs to read the text of the first argument. */
export const READ_TEXT: {
  readonly cost: ReturnType<typeof textCost>;
  readonly estimate: ReturnType<typeof textEstimate>;
} = { cost: textCost(0), estimate: textEstimate('argument') };
