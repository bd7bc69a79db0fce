/** What the checker finds out about a tree. */
import type { Expression } from '../syntax/expression.ts';
import { type CelType, DYN } from '../types/cel-type.ts';
import type { CelValue } from '../values/cel-value.ts';
import type { DeclaredFunction, DeclaredOverload } from './declarations.ts';

/** What a name or a call means. */
export type Reference =
  | { readonly kind: 'name'; readonly name: string; readonly value: CelValue | undefined }
  | {
      readonly kind: 'function';
      readonly declaration: DeclaredFunction;
      readonly overloads: readonly DeclaredOverload[];
      /** Is the target of the call a part of the function's name, as in `optional.of(1)`? */
      readonly qualified: boolean;
    };

/** A tree with the types and references of its nodes, by id. */
export class CheckedExpression {
  readonly expression: Expression;
  readonly positions: readonly number[];
  readonly types: readonly (CelType | undefined)[];
  readonly references: readonly (Reference | undefined)[];

  constructor(
    expression: Expression,
    positions: readonly number[],
    types: readonly (CelType | undefined)[],
    references: readonly (Reference | undefined)[],
  ) {
    this.expression = expression;
    this.positions = positions;
    this.types = types;
    this.references = references;
  }

  /** The type of a node. */
  typeOf(expression: Expression): CelType {
    return this.types[expression.id] ?? DYN;
  }

  /** The target of a call, unless it is a part of the function's name. */
  targetOf(call: Expression & { readonly kind: 'call' }): Expression | undefined {
    const reference = this.references[call.id];
    return reference?.kind === 'function' && reference.qualified ? undefined : call.target;
  }

  /** The overloads that a call may have. */
  overloadsOf(call: Expression): readonly DeclaredOverload[] {
    const reference = this.references[call.id];
    return reference?.kind === 'function' ? reference.overloads : [];
  }
}

/** `a.b.c` as a name; `undefined` when it is another expression. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === 'identifier') return expression.name;
  if (expression.kind !== 'select' || expression.test) return undefined;
  const prefix = qualifiedName(expression.operand);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
}
