/** The estimated costs of calls of the standard library, by overload. */
import type { CallEstimate, CostNode, Range, SizeEstimate } from './cost-estimate.ts';
import { addRanges, fixed, multiplyRanges, scaleRange } from './cost-estimate.ts';

/** cel-go's factors: per character of a string, and per character of a pattern. */
const STRING_FACTOR = 0.1;
const PATTERN_FACTOR = 0.25;

/** A call of one overload. */
export interface EstimatedCall {
  readonly overload: string;
  readonly target: CostNode | undefined;
  readonly args: readonly CostNode[];
  /** The size that follows from the expression or from hints, else unknown. */
  readonly sizeOf: (node: CostNode) => SizeEstimate;
}

/** The cost of a call without its arguments; 1 for overloads that take the same time for all sizes. */
export function estimateCall(call: EstimatedCall): CallEstimate {
  const { overload, target, args, sizeOf } = call;
  const [first, second] = args;
  switch (overload) {
    case 'string_to_bytes':
      if (first === undefined) break;
      return traversal(sizeOf(first), (size) => ({ min: size.min, max: size.max * 4 }));
    case 'bytes_to_string':
      if (first === undefined) break;
      return traversal(sizeOf(first), (size) => ({ min: Math.floor(size.min / 4), max: size.max }));
    case 'starts_with_string':
    case 'ends_with_string':
      if (first === undefined) break;
      return { cost: scaleRange(sizeOf(first), STRING_FACTOR) };
    case 'in_list':
      if (second === undefined) break;
      return { cost: sizeOf(second) };
    case 'matches_string':
      if (target === undefined || first === undefined) break;
      return {
        cost: multiplyRanges(
          scaleRange(addRanges(sizeOf(target), fixed(1)), STRING_FACTOR),
          scaleRange(sizeOf(first), PATTERN_FACTOR),
        ),
      };
    case 'contains_string':
      if (target === undefined || first === undefined) break;
      return {
        cost: multiplyRanges(scaleRange(sizeOf(target), STRING_FACTOR), scaleRange(sizeOf(first), STRING_FACTOR)),
      };
    default:
      if (first !== undefined && second !== undefined) return estimateOperator(overload, first, second, sizeOf);
  }
  return { cost: fixed(1) };
}

function traversal(size: SizeEstimate, result: (size: Range) => Range): CallEstimate {
  return { cost: scaleRange(size, STRING_FACTOR), resultSize: result(size) };
}

const COMPARED = /^(?:equals|not_equals|(?:less|greater)(?:_equals)?_(?:string|bytes))$/u;

function estimateOperator(
  overload: string,
  first: CostNode,
  second: CostNode,
  sizeOf: EstimatedCall['sizeOf'],
): CallEstimate {
  if (overload === 'add_string' || overload === 'add_bytes' || overload === 'add_list') {
    const resultSize = addRanges(sizeOf(first), sizeOf(second));
    return { cost: overload === 'add_list' ? fixed(1) : scaleRange(resultSize, STRING_FACTOR), resultSize };
  }
  if (!COMPARED.test(overload)) return { cost: fixed(1) };
  // A library's own values are compared at once, or by their texts.
  if (overload === 'equals' && first.type.kind === 'opaque' && first.type.parameters.length === 0) {
    const compared = first.type.comparedSize?.(second.computedSize?.max) ?? 1;
    return { cost: scaleRange({ min: 1, max: compared }, STRING_FACTOR) };
  }
  const max = Math.min(sizeOf(first).max, sizeOf(second).max);
  return { cost: scaleRange({ min: max > 0 ? 1 : 0, max }, STRING_FACTOR) };
}
