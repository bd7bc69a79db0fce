/** Macros: calls that the parser replaces by another expression. */
import type { CelValue } from '../values/cel-value.ts';
import type { ComprehensionExpression, Expression, MapEntry } from './expression.ts';

/** A macro, such as `all(x, condition)`. */
export interface Macro {
  readonly name: string;
  /** Is it called on a target, as in `list.all(x, x > 0)`? */
  readonly member: boolean;
  /** How many arguments it takes; a call with another number is an ordinary call. */
  readonly arguments: number | 'any';
  /** Gives the expression that takes the place of the call; `undefined` leaves the call as it is. */
  expand(
    builder: ExpressionBuilder,
    target: Expression | undefined,
    args: readonly Expression[],
  ): Expression | undefined;
}

/** Makes nodes for a macro, with new ids and the position of the call. */
export interface ExpressionBuilder {
  /** The name of the hidden accumulator of folds. */
  readonly accumulator: string;
  literal(value: CelValue): Expression;
  identifier(name: string): Expression;
  select(operand: Expression, field: string): Expression;
  /** `has(operand.field)`. */
  presence(operand: Expression, field: string): Expression;
  call(name: string, ...args: readonly Expression[]): Expression;
  memberCall(name: string, target: Expression, ...args: readonly Expression[]): Expression;
  list(...elements: readonly Expression[]): Expression;
  map(...entries: readonly MapEntry[]): Expression;
  entry(key: Expression, value: Expression, optional: boolean): MapEntry;
  fold(parts: Omit<ComprehensionExpression, 'id' | 'kind' | 'variable2'> & { readonly variable2?: string }): Expression;
  /** A copy with new ids, for an expression that is used twice. */
  copy(expression: Expression): Expression;
  /** Reports a mistake at an expression; the text is that of cel-go. Throws. */
  fail(at: Expression, message: string): never;
}
