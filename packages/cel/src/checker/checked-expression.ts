/** What the checker finds out about a tree. */
import type { Expression } from '../syntax/expression.ts';
import { type CelType, DYN } from '../types/cel-type.ts';
import type { DeclaredName, DeclaredOverload, FunctionReference } from './declarations.ts';

/** What a name or a call means. */
export type Reference = NameReference | FunctionReference;

/** The variable, constant or type of a name. */
export type NameReference = Pick<DeclaredName, 'kind' | 'name' | 'value'>;

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

/** The first part of `a.b.c`; `undefined` when it is another expression. */
export function rootName(expression: Expression): string | undefined {
  let root = expression;
  while (root.kind === 'select' && !root.test) root = root.operand;
  return root.kind === 'identifier' ? root.name : undefined;
}

/** `a.b.c` as a name; `undefined` when it is another expression. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === 'identifier') return expression.name;
  if (expression.kind !== 'select' || expression.test) return undefined;
  const prefix = qualifiedName(expression.operand);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
}
