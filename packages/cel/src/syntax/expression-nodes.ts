/** Makes the nodes of one tree: gives out ids, and keeps the position and the depth of each. */
import type { CelValue } from '../values/cel-value.ts';
import type {
  CallExpression,
  ComprehensionExpression,
  Expression,
  IdentifierExpression,
  ListExpression,
  LiteralExpression,
  MapEntry,
  MapExpression,
  SelectExpression,
  StructExpression,
  StructField,
} from './expression.ts';

/** The message of an expression that is nested too deeply, as cel-go words it. */
export const TOO_DEEP = 'max recursion depth exceeded';
/** The message of an expression that macros have made too large. */
export const TOO_LARGE = 'expression node count exceeds limit: 100000';

/** cel-go's limit on operators, selections and calls inside one another. */
const MAX_DEPTH = 250;
/** Macros may copy their arguments: a chain of them would grow exponentially. */
const MAX_NODES = 100_000;

/** Thrown when a limit is reached; it ends the parse. */
export class SyntaxLimit extends Error {}

/** A factory of nodes with dense ids from 1. */
export class ExpressionNodes {
  /** The offset in the source by id. */
  readonly positions: number[] = [0];
  readonly #depths: number[] = [0];

  /** A new id at an offset. */
  id(position: number): number {
    const id = this.positions.length;
    if (id > MAX_NODES) throw new SyntaxLimit(TOO_LARGE);
    this.positions.push(position);
    this.#depths.push(0);
    return id;
  }

  literal(id: number, value: CelValue): LiteralExpression {
    return { kind: 'literal', id, value };
  }

  identifier(id: number, name: string): IdentifierExpression {
    return { kind: 'identifier', id, name };
  }

  select(id: number, operand: Expression, field: string, test: boolean): SelectExpression {
    this.#raise(id, this.#depth(operand) + 1);
    return { kind: 'select', id, operand, field, test };
  }

  /** A call; `nests` says that it counts as a level of depth. */
  call(
    id: number,
    name: string,
    target: Expression | undefined,
    args: readonly Expression[],
    nests: boolean,
  ): CallExpression {
    let depth = target === undefined ? 0 : this.#depth(target);
    for (const arg of args) depth = Math.max(depth, this.#depth(arg));
    this.#raise(id, nests ? depth + 1 : depth);
    return { kind: 'call', id, name, target, args };
  }

  list(id: number, elements: readonly Expression[], optional: readonly number[]): ListExpression {
    for (const element of elements) this.#raise(id, this.#depth(element));
    return { kind: 'list', id, elements, optional };
  }

  map(id: number, entries: readonly MapEntry[]): MapExpression {
    for (const { key, value } of entries) this.#raise(id, Math.max(this.#depth(key), this.#depth(value)));
    return { kind: 'map', id, entries };
  }

  struct(id: number, typeName: string, fields: readonly StructField[]): StructExpression {
    for (const { value } of fields) this.#raise(id, this.#depth(value));
    return { kind: 'struct', id, typeName, fields };
  }

  comprehension(id: number, parts: Omit<ComprehensionExpression, 'id' | 'kind'>): ComprehensionExpression {
    const { range, variable, variable2, accumulator, init, condition, step, result } = parts;
    const depth = Math.max(
      this.#depth(range),
      this.#depth(init),
      this.#depth(condition),
      this.#depth(step),
      this.#depth(result),
    );
    this.#raise(id, depth + 1);
    return { kind: 'comprehension', id, range, variable, variable2, accumulator, init, condition, step, result };
  }

  #depth(expression: Expression): number {
    return this.#depths[expression.id] ?? 0;
  }

  #raise(id: number, depth: number): void {
    if (depth > MAX_DEPTH) throw new SyntaxLimit(TOO_DEEP);
    if (depth > (this.#depths[id] ?? 0)) this.#depths[id] = depth;
  }
}
