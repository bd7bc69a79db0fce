/** The list functions of CEL's extensions, in the version that Kubernetes uses. */
import {
  addRanges,
  type CallEstimate,
  fixed,
  MAX_COST,
  multiplyRanges,
  type Range,
  scaleRange,
} from '../cost/cost-estimate.ts';
import type { CallContext, CallNodes, CelLibrary, Overload } from '../standard/cel-library.ts';
import type { Expression } from '../syntax/expression.ts';
import type { Macro } from '../syntax/macro.ts';
import { appendStep, argumentAt, iterationVariable } from '../syntax/standard-macros.ts';
import { type CelType, DYN, INT, listType, typeParameter } from '../types/cel-type.ts';
import { CelError, COST_LIMIT_EXCEEDED } from '../values/cel-error.ts';
import { CelList } from '../values/cel-list.ts';
import { type CelInt, type CelResult, type CelValue, isInt } from '../values/cel-value.ts';
import { typeOf } from '../values/type-of.ts';
import { type Costs, functions, method, plainOverload } from './declare.ts';
import { LIST_COST, sizeOfValue, TEXT_FACTOR } from './library-cost.ts';
import { compareValues, ORDERED_TYPES } from './value-order.ts';

const T = typeParameter('T');
const LIST = listType(T);
const ANY_LIST = listType(DYN);
const INPUT = '@__sortBy_input__';
const CALL_AND_LIST = 1 + LIST_COST;
const NOT_COMPARABLE = new CelError('list elements must be comparable');
const NO_OVERLOAD = new CelError('no such overload');

/** `slice`, `flatten`, `sort`, `sortBy`, `reverse`, `distinct` and `lists.range`. */
export const listsLibrary: CelLibrary = {
  name: 'cel.lib.ext.lists',
  macros: [sortByMacro()],
  functions: functions(
    {
      slice: [method('list_slice', [LIST, INT, INT], LIST, slice, { cost: resultCost, estimate: sliceEstimate })],
      flatten: [
        method(
          'list_flatten',
          [listType(LIST)],
          LIST,
          (list: CelList, context: CallContext) => flatten(list, 1, context),
          {
            cost: ([list]) => Math.trunc(sizeOfValue(list)) + CALL_AND_LIST,
            estimate: flattenEstimate,
          },
        ),
        method(
          'list_flatten_int',
          [ANY_LIST, INT],
          ANY_LIST,
          (list: CelList, depth: CelInt, context: CallContext) => flatten(list, depth, context),
          {
            cost: ([list, depth]) => Math.trunc(sizeOfValue(list) * Number(depth)) + CALL_AND_LIST,
            estimate: flattenEstimate,
          },
        ),
      ],
      sort: ORDERED_TYPES.map((type) =>
        method(
          `list_${type.name}_sort`,
          [listType(type)],
          listType(type),
          (list: CelList, context: CallContext) => sortBy(list, list, context),
          {
            cost: ([list]) => pairsCost(list),
            costsWhenResolved: true,
            estimate: ({ target, args, sizeOf }) =>
              target === undefined || args.length > 0 ? undefined : allocation(pairs(sizeOf(target)), pairFactor(type)),
          },
        ),
      ),
      '@sortByAssociatedKeys': ORDERED_TYPES.map((type) => sortByOverload(type)),
      'lists.range': [
        plainOverload('lists_range', [INT], listType(INT), range, { cost: resultCost, estimate: rangeEstimate }),
      ],
      reverse: [
        method('list_reverse', [LIST], LIST, reverse, {
          cost: resultCost,
          estimate: ({ target, sizeOf }) => (target === undefined ? undefined : allocation(sizeOf(target), 1)),
        }),
      ],
      distinct: [
        method('list_distinct', [LIST], LIST, distinct, {
          cost: ([list]) => pairsCost(list),
          estimate: ({ target, sizeOf }) => (target === undefined ? undefined : allocation(pairs(sizeOf(target)), 2)),
        }),
      ],
    },
    // A list of which nothing is known may be flat already.
    {
      flatten: ([list, depth = 1]) => (list instanceof CelList && isInt(depth) ? flatten(list, depth) : NO_OVERLOAD),
      sort: () => NOT_COMPARABLE,
      '@sortByAssociatedKeys': () => NOT_COMPARABLE,
    },
  ),
};

function sortByOverload(type: CelType): Overload {
  const costs: Costs = {
    cost: ([, keys]) => pairsCost(keys),
    costsWhenResolved: true,
    estimate: ({ args: [keys], sizeOf }) =>
      keys === undefined ? undefined : allocation(pairs(sizeOf(keys)), pairFactor(type)),
  };
  return method(`list_${type.name}_sortByAssociatedKeys`, [LIST, listType(type)], LIST, sortBy, costs);
}

function slice(list: CelList, from: CelInt, to: CelInt): CelResult {
  const [start, end] = [Number(from), Number(to)];
  const fail = (reason: string): CelError => new CelError(`cannot slice(${from}, ${to}), ${reason}`);
  if (start < 0 || end < 0) return fail('negative indexes not supported');
  if (start > end) return fail('start index must be less than or equal to end index');
  if (list.size < end) return fail(`list is length ${list.size}`);
  const items: CelValue[] = [];
  for (let index = start; index < end; index++) items.push(list.at(index));
  return CelList.of(items);
}

function flatten(list: CelList, depth: CelInt, context?: CallContext): CelResult {
  if (depth < 0) return new CelError('level must be non-negative');
  const items: CelValue[] = [];
  const visit = (part: CelList, level: number): void => {
    for (const item of part) {
      context?.work(1);
      if (item instanceof CelList && level > 0) visit(item, level - 1);
      else items.push(item);
    }
  };
  visit(list, Number(depth));
  return CelList.of(items);
}

function range(count: CelInt, context: CallContext): CelResult {
  if (!context.affords(Number(count))) return COST_LIMIT_EXCEEDED;
  return CelList.of(Array.from({ length: Math.max(0, Number(count)) }, (_, index) => index));
}

function reverse(list: CelList): CelList {
  return CelList.of([...list].toReversed());
}

function distinct(list: CelList, context: CallContext): CelResult {
  if (!context.affords(pairsCost(list))) return COST_LIMIT_EXCEEDED;
  const found: CelValue[] = [];
  for (const item of list) if (!found.some((other) => context.equals(item, other))) found.push(item);
  return CelList.of(found);
}

/** The list in the order of the keys. */
function sortBy(list: CelList, keys: CelList, context: CallContext): CelResult {
  if (list.size !== keys.size) {
    return new CelError(
      '@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ' +
        `${list.size} and ${keys.size} elements respectively`,
    );
  }
  if (list.size === 0) return list;
  if (!context.affords(pairsCost(keys))) return COST_LIMIT_EXCEEDED;
  const entries = Array.from(keys, (key, index) => ({ key, index }));
  const type = typeOf(keys.at(0));
  if (!ORDERED_TYPES.some(({ kind }) => kind === type.kind)) return NOT_COMPARABLE;
  if (list.size > 1 && entries.some(({ key }) => typeOf(key).kind !== type.kind)) {
    return new CelError('list elements must have the same type');
  }
  entries.sort((a, b) => compareValues(a.key, b.key) ?? 0);
  return CelList.of(entries.map(({ index }) => list.at(index)));
}

/**
 * `list.sortBy(x, key)` becomes `list.@sortByAssociatedKeys(list.map(x, key))`, with the list bound to a name so that it is
 * evaluated once.
 */
function sortByMacro(): Macro {
  return {
    name: 'sortBy',
    member: true,
    arguments: 2,
    expand(builder, target, args) {
      if (target === undefined) return undefined;
      if (target.kind === 'literal' || target.kind === 'map' || target.kind === 'struct') {
        const message = 'sortBy can only be applied to a list, identifier, comprehension, call or select expression';
        return builder.fail(target, message);
      }
      const input = (): Expression => builder.identifier(INPUT);
      const variable = iterationVariable(builder, argumentAt(args, 0), 'argument is not an identifier');
      const keys = builder.fold({
        range: input(),
        variable,
        accumulator: builder.accumulator,
        init: builder.list(),
        condition: builder.literal(true),
        step: appendStep(builder, argumentAt(args, 1), undefined),
        result: builder.identifier(builder.accumulator),
      });
      return builder.fold({
        range: builder.list(),
        variable: '#unused',
        accumulator: INPUT,
        init: target,
        condition: builder.literal(false),
        step: input(),
        result: builder.memberCall('@sortByAssociatedKeys', input(), keys),
      });
    },
  };
}

function resultCost(_args: readonly CelResult[], result: CelResult): number {
  return sizeOfValue(result) + CALL_AND_LIST;
}

/** Every element may be compared with every other. */
function pairsCost(list: CelResult | undefined): number {
  const size = sizeOfValue(list);
  const first = list instanceof CelList && size > 0 ? list.at(0) : undefined;
  const isText = typeof first === 'string' || first instanceof Uint8Array;
  return Math.trunc(size * size * (isText ? 2 + TEXT_FACTOR : 2)) + CALL_AND_LIST;
}

function pairs(size: Range): Range {
  return multiplyRanges(size, size);
}

function pairFactor(type: CelType): number {
  return type.kind === 'string' || type.kind === 'bytes' ? 2 + TEXT_FACTOR : 2;
}

function allocation(size: Range, factor: number): CallEstimate {
  return { cost: addRanges(scaleRange(size, factor), fixed(CALL_AND_LIST)), resultSize: size };
}

function sliceEstimate({ target, args: [from, to], sizeOf }: CallNodes): CallEstimate | undefined {
  if (target === undefined || from === undefined || to === undefined) return undefined;
  const size = literalInt(to.expression, sizeOf(target).max) - literalInt(from.expression, 0);
  return allocation(fixed(size < 0 ? MAX_COST + size : size), 1);
}

function rangeEstimate({ args: [count] }: CallNodes): CallEstimate | undefined {
  return count === undefined ? undefined : allocation(fixed(literalInt(count.expression, MAX_COST)), 1);
}

function flattenEstimate({ target, args: [depth], sizeOf }: CallNodes): CallEstimate | undefined {
  if (target === undefined) return undefined;
  return allocation(sizeOf(target), depth === undefined ? 1 : literalInt(depth.expression, MAX_COST));
}

/** The value of a literal int, 0 for a negative one; `otherwise` for every other expression. */
function literalInt(expression: Expression, otherwise: number): number {
  if (expression.kind !== 'literal') return otherwise;
  const { value } = expression;
  return typeof value === 'number' || typeof value === 'bigint' ? Math.max(0, Number(value)) : otherwise;
}
