/** The static estimate: the least and the greatest cost of an evaluation, as cel-go computes it. */
import type { CheckedExpression } from '../checker/checked-expression.ts';
import type { DeclaredOverload } from '../checker/declarations.ts';
import type { CallExpression, ComprehensionExpression, Expression } from '../syntax/expression.ts';
import { ACCUMULATOR } from '../syntax/macro-builder.ts';
import type { CelType } from '../types/cel-type.ts';
import { codePointCount } from '../values/code-points.ts';
import { estimateCall } from './call-estimates.ts';
import {
  addRanges,
  type CallEstimate,
  type CostEstimate,
  type CostNode,
  fixed,
  MAX_COST,
  multiplyRanges,
  type Range,
  type SizeEstimate,
  type SizeHints,
  UNKNOWN_SIZE,
  unionOfRanges,
} from './cost-estimate.ts';

/** Estimates the cost of a checked expression. */
export function estimateCost(checked: CheckedExpression, hints: SizeHints = () => undefined): CostEstimate {
  return new CostEstimator(checked, hints).cost(checked.expression);
}

const NOTHING: Range = fixed(0);
const ONE: Range = fixed(1);
const LIST_COST: Range = fixed(10);
const MAP_COST: Range = fixed(30);
const STRUCT_COST: Range = fixed(40);
/** An empty range of sizes: the union with any other is the other. */
const NO_SIZE: Range = { min: MAX_COST, max: 0 };

/** The sizes of the keys and values of a list or map. */
interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: SizeEstimate;
  readonly value: SizeEstimate;
}

interface LocalVariable {
  readonly name: string;
  readonly path: readonly string[];
  readonly size: SizeEstimate | undefined;
  readonly entries: EntrySizes | undefined;
}

class CostEstimator {
  readonly #checked: CheckedExpression;
  readonly #hints: SizeHints;
  readonly #paths: Map<number, readonly string[]> = new Map();
  readonly #sizes: Map<number, SizeEstimate> = new Map();
  readonly #entries: Map<number, EntrySizes> = new Map();
  readonly #locals: LocalVariable[] = [];

  constructor(checked: CheckedExpression, hints: SizeHints) {
    this.#checked = checked;
    this.#hints = hints;
  }

  cost(expression: Expression): CostEstimate {
    switch (expression.kind) {
      case 'literal':
        return NOTHING;
      case 'identifier':
        this.#paths.set(expression.id, this.#local(expression.name)?.path ?? [this.#name(expression)]);
        return ONE;
      case 'select': {
        if (this.#checked.references[expression.id] !== undefined) {
          this.#paths.set(expression.id, [this.#name(expression)]);
          return ONE;
        }
        const operand = this.cost(expression.operand);
        if (expression.test) return operand;
        this.#paths.set(expression.id, [...this.#path(expression.operand), expression.field]);
        const { kind } = this.#checked.typeOf(expression.operand);
        return kind === 'map' || kind === 'object' ? addRanges(operand, ONE) : operand;
      }
      case 'call':
        return this.#call(expression);
      case 'list': {
        let sum = LIST_COST;
        let value: Range = expression.elements.length === 0 ? NOTHING : NO_SIZE;
        for (const element of expression.elements) {
          sum = addRanges(sum, this.cost(element));
          value = unionOfRanges(value, this.#sizeOrUnknown(element));
        }
        this.#entries.set(expression.id, { container: 'list', key: ONE, value });
        return sum;
      }
      case 'map': {
        let sum = MAP_COST;
        let key: Range = expression.entries.length === 0 ? NOTHING : NO_SIZE;
        let value = key;
        for (const entry of expression.entries) {
          sum = addRanges(sum, addRanges(this.cost(entry.key), this.cost(entry.value)));
          key = unionOfRanges(key, this.#sizeOrUnknown(entry.key));
          value = unionOfRanges(value, this.#sizeOrUnknown(entry.value));
        }
        this.#entries.set(expression.id, { container: 'map', key, value });
        return sum;
      }
      case 'struct':
        return expression.fields.reduce((sum, { value }) => addRanges(sum, this.cost(value)), STRUCT_COST);
      case 'comprehension':
        return isBinding(expression) ? this.#binding(expression) : this.#fold(expression);
      default:
        return expression satisfies never;
    }
  }

  /** The name that the checker has found for an identifier or a qualified name. */
  #name(expression: Expression): string {
    const reference = this.#checked.references[expression.id];
    if (reference?.kind === 'name') return reference.name;
    return expression.kind === 'identifier' ? expression.name : '';
  }

  #call(call: CallExpression): CostEstimate {
    const [first] = call.args;
    if (call.name === 'dyn' && call.target === undefined && first !== undefined) {
      const cost = this.cost(first);
      this.#copySizes(call, first);
      return addRanges(ONE, cost);
    }
    const costs = call.args.map((arg) => this.cost(arg));
    const args = call.args.map((arg) => this.#node(arg));
    const overloads = this.#checked.overloadsOf(call);
    if (overloads.length === 0) return NOTHING;
    const targetExpression = this.#checked.targetOf(call);
    const targetCost = targetExpression === undefined ? NOTHING : this.cost(targetExpression);
    const target = targetExpression === undefined ? undefined : this.#node(targetExpression);
    let total = NO_SIZE;
    let size: SizeEstimate | undefined;
    for (const overload of overloads) {
      const estimate = this.#overload(call, overload, target, args, costs);
      total = unionOfRanges(total, estimate.cost);
      if (estimate.resultSize !== undefined) {
        size = size === undefined ? estimate.resultSize : unionOfRanges(size, estimate.resultSize);
      }
      if (first !== undefined && (overload.id === 'index_list' || overload.id === 'index_map')) {
        size = this.#entrySizes(first)?.value;
        this.#paths.set(call.id, [...this.#path(first), overload.id === 'index_list' ? '@items' : '@values']);
      }
      size ??= this.#size(call);
    }
    if (size !== undefined) this.#sizes.set(call.id, size);
    return addRanges(targetCost, total);
  }

  /** The estimate of one overload, with the costs of its arguments. */
  #overload(
    call: CallExpression,
    overload: DeclaredOverload,
    target: CostNode | undefined,
    args: readonly CostNode[],
    costs: readonly CostEstimate[],
  ): CallEstimate {
    const [first = NOTHING, second = NOTHING, third = NOTHING] = costs;
    const [, yes, no] = args;
    const all = costs.reduce(addRanges, NOTHING);
    const own = overload.estimate?.({ target, args, sizeOf: (node) => this.#hintedSize(node) });
    if (own !== undefined) return { ...own, cost: addRanges(own.cost, all) };
    if (overload.id === 'logical_and' || overload.id === 'logical_or') {
      return { cost: { min: first.min, max: addRanges(first, second).max } };
    }
    if (overload.id === 'conditional' && yes !== undefined && no !== undefined) {
      this.#setEntries(call, this.#entrySizes(yes.expression), this.#entrySizes(no.expression));
      const resultSize = unionOfRanges(yes.computedSize ?? UNKNOWN_SIZE, no.computedSize ?? UNKNOWN_SIZE);
      return { cost: addRanges(first, unionOfRanges(second, third)), resultSize };
    }
    if (overload.id.startsWith('add_') && args[0] !== undefined && yes !== undefined) {
      this.#setEntries(call, this.#entrySizes(args[0].expression), this.#entrySizes(yes.expression));
    }
    const estimate = estimateCall({ overload: overload.id, target, args, sizeOf: computedSize });
    return { ...estimate, cost: addRanges(estimate.cost, all) };
  }

  #fold(fold: ComprehensionExpression): CostEstimate {
    let sum = addRanges(this.cost(fold.range), this.cost(fold.init));
    const depth = this.#locals.length;
    this.#pushValue(fold.accumulator, fold.init);
    if (fold.variable2 === undefined) {
      this.#pushItem(fold.variable, fold.range, this.#container(fold.range) === 'list' ? 'value' : 'key');
    } else {
      this.#pushItem(fold.variable, fold.range, 'key');
      this.#pushItem(fold.variable2, fold.range, 'value');
    }
    const condition = this.cost(fold.condition);
    const step = this.cost(fold.step);
    this.#locals.length = depth + 1;
    sum = addRanges(sum, this.cost(fold.result));
    this.#locals.length = depth;
    const count = this.#sizeOrUnknown(fold.range);
    sum = addRanges(sum, multiplyRanges(count, addRanges(step, condition)));
    if (fold.init.kind === 'literal') {
      const size = this.#size(fold.init);
      if (size !== undefined) this.#sizes.set(fold.id, size);
    } else if (fold.init.kind === 'list' || fold.init.kind === 'map') {
      this.#sizes.set(fold.id, count);
      const entries = this.#entrySizes(fold.step);
      if (entries !== undefined) this.#entries.set(fold.id, entries);
    }
    return sum;
  }

  /** A fold over nothing that gives a name to a value. */
  #binding(fold: ComprehensionExpression): CostEstimate {
    const before = addRanges(this.cost(fold.range), this.cost(fold.init));
    this.#pushValue(fold.accumulator, fold.init);
    const result = this.cost(fold.result);
    this.#locals.pop();
    this.#copySizes(fold, fold.result);
    return addRanges(before, result);
  }

  #pushValue(name: string, value: Expression): void {
    const entries = this.#entrySizes(value);
    this.#locals.push({ name, path: this.#path(value), size: this.#size(value), entries });
  }

  #pushItem(name: string, range: Expression, part: 'key' | 'value'): void {
    const list = this.#container(range) === 'list';
    const step = part === 'key' ? (list ? '@indices' : '@keys') : list ? '@items' : '@values';
    const size = this.#entrySizes(range)?.[part];
    this.#locals.push({ name, path: [...this.#path(range), step], size, entries: undefined });
  }

  #container(range: Expression): 'list' | 'map' {
    return this.#entrySizes(range)?.container ?? (this.#checked.typeOf(range).kind === 'list' ? 'list' : 'map');
  }

  #local(name: string): LocalVariable | undefined {
    return this.#locals.findLast((local) => local.name === name);
  }

  #path(expression: Expression): readonly string[] {
    const local = expression.kind === 'identifier' ? this.#local(expression.name) : undefined;
    return local?.path ?? this.#paths.get(expression.id) ?? [];
  }

  #node(expression: Expression): CostNode {
    const path = this.#path(expression);
    return {
      expression,
      type: this.#checked.typeOf(expression),
      path: path[0] === ACCUMULATOR ? [] : path,
      computedSize: this.#size(expression),
    };
  }

  #sizeOrUnknown(expression: Expression): SizeEstimate {
    return this.#size(expression) ?? UNKNOWN_SIZE;
  }

  #hintedSize(node: CostNode): SizeEstimate {
    return node.computedSize ?? this.#hints(node) ?? UNKNOWN_SIZE;
  }

  #size(expression: Expression): SizeEstimate | undefined {
    const known = this.#sizes.get(expression.id) ?? literalSize(expression);
    if (known !== undefined) return known;
    const type = this.#checked.typeOf(expression);
    const hinted = this.#hints({ expression, type, path: this.#path(expression) });
    if (hinted !== undefined) {
      this.#sizes.set(expression.id, hinted);
      return hinted;
    }
    if (isScalar(type)) return ONE;
    return expression.kind === 'identifier' ? this.#local(expression.name)?.size : undefined;
  }

  #entrySizes(expression: Expression): EntrySizes | undefined {
    const known = this.#entries.get(expression.id);
    if (known !== undefined) return known;
    return expression.kind === 'identifier' ? this.#local(expression.name)?.entries : undefined;
  }

  #setEntries(call: Expression, a: EntrySizes | undefined, b: EntrySizes | undefined): void {
    if (a === undefined || b === undefined) return;
    const key = unionOfRanges(a.key, b.key);
    this.#entries.set(call.id, { container: a.container, key, value: unionOfRanges(a.value, b.value) });
  }

  #copySizes(to: Expression, from: Expression): void {
    const size = this.#size(from);
    if (size !== undefined) this.#sizes.set(to.id, size);
    const entries = this.#entrySizes(from);
    if (entries !== undefined) this.#entries.set(to.id, entries);
  }
}

function computedSize(node: CostNode): SizeEstimate {
  return node.computedSize ?? UNKNOWN_SIZE;
}

function isBinding({ range, condition, accumulator }: ComprehensionExpression): boolean {
  return (
    range.kind === 'list' &&
    range.elements.length === 0 &&
    condition.kind === 'literal' &&
    condition.value === false &&
    accumulator !== '__result__'
  );
}

function literalSize(expression: Expression): SizeEstimate | undefined {
  if (expression.kind === 'list') return fixed(expression.elements.length);
  if (expression.kind === 'map') return fixed(expression.entries.length);
  if (expression.kind !== 'literal') return undefined;
  const { value } = expression;
  if (typeof value === 'string') return fixed(codePointCount(value));
  return fixed(value instanceof Uint8Array ? value.length : 1);
}

function isScalar(type: CelType): boolean {
  switch (type.kind) {
    case 'bool':
    case 'double':
    case 'duration':
    case 'int':
    case 'timestamp':
    case 'uint':
      return true;
    case 'wrapper':
      return type.name !== 'string' && type.name !== 'bytes';
    case 'opaque': {
      const inner = type.name === 'optional_type' ? type.parameters[0] : undefined;
      return inner !== undefined && isScalar(inner);
    }
    case 'any':
    case 'bytes':
    case 'dyn':
    case 'error':
    case 'list':
    case 'map':
    case 'null':
    case 'object':
    case 'parameter':
    case 'string':
    case 'type':
      return false;
    default:
      return type.kind satisfies never;
  }
}
