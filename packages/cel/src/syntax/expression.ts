/** The syntax tree. Every node has an id, by which the checker keeps its type and the source its position. */
import type { CelValue } from '../values/cel-value.ts';

/** A node of the tree. */
export type Expression =
  | LiteralExpression
  | IdentifierExpression
  | SelectExpression
  | CallExpression
  | ListExpression
  | MapExpression
  | StructExpression
  | ComprehensionExpression;

/** `1`, `"a"`, `b"a"`, `null`. */
export interface LiteralExpression {
  readonly kind: 'literal';
  readonly id: number;
  readonly value: CelValue;
}

/** `x`, `.x`. */
export interface IdentifierExpression {
  readonly kind: 'identifier';
  readonly id: number;
  readonly name: string;
}

/** `a.b`, and `has(a.b)` with `test`. */
export interface SelectExpression {
  readonly kind: 'select';
  readonly id: number;
  readonly operand: Expression;
  readonly field: string;
  readonly test: boolean;
}

/** `f(a)`, `a.f(b)`, and operators by their internal names: `_+_`, `_[_]`, `_?_:_`. */
export interface CallExpression {
  readonly kind: 'call';
  readonly id: number;
  readonly name: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

/** `[a, ?b]`; `optional` has the indices of the elements with a question mark. */
export interface ListExpression {
  readonly kind: 'list';
  readonly id: number;
  readonly elements: readonly Expression[];
  readonly optional: readonly number[];
}

/** `{a: b, ?c: d}`. */
export interface MapExpression {
  readonly kind: 'map';
  readonly id: number;
  readonly entries: readonly MapEntry[];
}

/** One entry of a map. */
export interface MapEntry {
  readonly id: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

/** `T{a: b, ?c: d}`. */
export interface StructExpression {
  readonly kind: 'struct';
  readonly id: number;
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

/** One field of a struct. */
export interface StructField {
  readonly id: number;
  readonly name: string;
  readonly value: Expression;
  readonly optional: boolean;
}

/** What macros become: a fold over a list or map. */
export interface ComprehensionExpression {
  readonly kind: 'comprehension';
  readonly id: number;
  readonly range: Expression;
  readonly variable: string;
  /** The second variable of `m.all(k, v, ..)`. */
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly init: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}
