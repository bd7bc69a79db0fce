import type { CelValue } from '../values/cel-value.ts';
import type { ComprehensionExpression, Expression, MapEntry } from './expression.ts';
import type { ExpressionNodes } from './expression-nodes.ts';
import type { ExpressionBuilder } from './macro.ts';

/** The name of the accumulator of folds; no expression can write it. */
export const ACCUMULATOR = '@result';

/** Thrown by a macro that refuses its arguments. */
export class MacroFailure extends Error {
  readonly at: Expression;

  constructor(at: Expression, message: string) {
    super(message);
    this.at = at;
  }
}

/** Makes nodes at the position of the macro's call. */
export class MacroBuilder implements ExpressionBuilder {
  readonly accumulator: string = ACCUMULATOR;
  readonly #nodes: ExpressionNodes;
  readonly #position: number;

  constructor(nodes: ExpressionNodes, position: number) {
    this.#nodes = nodes;
    this.#position = position;
  }

  literal(value: CelValue): Expression {
    return this.#nodes.literal(this.#id(), value);
  }

  identifier(name: string): Expression {
    return this.#nodes.identifier(this.#id(), name);
  }

  select(operand: Expression, field: string): Expression {
    return this.#nodes.select(this.#id(), operand, field, false);
  }

  presence(operand: Expression, field: string): Expression {
    return this.#nodes.select(this.#id(), operand, field, true);
  }

  call(name: string, ...args: readonly Expression[]): Expression {
    return this.#nodes.call(this.#id(), name, undefined, args, true);
  }

  memberCall(name: string, target: Expression, ...args: readonly Expression[]): Expression {
    return this.#nodes.call(this.#id(), name, target, args, true);
  }

  list(...elements: readonly Expression[]): Expression {
    return this.#nodes.list(this.#id(), elements, []);
  }

  map(...entries: readonly MapEntry[]): Expression {
    return this.#nodes.map(this.#id(), entries);
  }

  entry(key: Expression, value: Expression, optional: boolean): MapEntry {
    return { id: this.#id(), key, value, optional };
  }

  fold(
    parts: Omit<ComprehensionExpression, 'id' | 'kind' | 'variable2'> & { readonly variable2?: string },
  ): Expression {
    const { range, variable, variable2, accumulator, init, condition, step, result } = parts;
    const all = { range, variable, variable2, accumulator, init, condition, step, result };
    return this.#nodes.comprehension(this.#id(), all);
  }

  copy(expression: Expression): Expression {
    const nodes = this.#nodes;
    const id = nodes.id(nodes.positions[expression.id] ?? this.#position);
    const copy = (inner: Expression): Expression => this.copy(inner);
    switch (expression.kind) {
      case 'literal':
        return nodes.literal(id, expression.value);
      case 'identifier':
        return nodes.identifier(id, expression.name);
      case 'select':
        return nodes.select(id, copy(expression.operand), expression.field, expression.test);
      case 'call': {
        const target = expression.target === undefined ? undefined : copy(expression.target);
        return nodes.call(id, expression.name, target, expression.args.map(copy), true);
      }
      case 'list':
        return nodes.list(id, expression.elements.map(copy), expression.optional);
      case 'map':
        return nodes.map(
          id,
          expression.entries.map(({ key, value, optional }) => this.entry(copy(key), copy(value), optional)),
        );
      case 'struct':
        return nodes.struct(
          id,
          expression.typeName,
          expression.fields.map((field) => ({ ...field, id: this.#id(), value: copy(field.value) })),
        );
      case 'comprehension':
        return nodes.comprehension(id, {
          ...expression,
          range: copy(expression.range),
          init: copy(expression.init),
          condition: copy(expression.condition),
          step: copy(expression.step),
          result: copy(expression.result),
        });
      default:
        return expression satisfies never;
    }
  }

  fail(at: Expression, message: string): never {
    throw new MacroFailure(at, message);
  }

  #id(): number {
    return this.#nodes.id(this.#position);
  }
}
