/** Which operators the types of values support: it decides the text of the error when an operator does not fit. */
import type { CelTypeKind } from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import type { CelValue } from '../values/cel-value.ts';
import { typeOf } from '../values/type-of.ts';

/** The error of operands that do not fit one another. */
export const NO_OVERLOAD: CelError = new CelError('no such overload');

/** What a type can do. */
export type Trait =
  | 'add'
  | 'compare'
  | 'divide'
  | 'match'
  | 'modulo'
  | 'multiply'
  | 'negate'
  | 'receive'
  | 'size'
  | 'subtract';

const NUMBER: readonly Trait[] = ['add', 'compare', 'divide', 'multiply', 'subtract'];

const TRAITS: Readonly<Partial<Record<CelTypeKind, readonly Trait[]>>> = {
  bool: ['compare', 'negate'],
  bytes: ['add', 'compare', 'size'],
  double: [...NUMBER, 'negate'],
  duration: ['add', 'compare', 'negate', 'receive', 'subtract'],
  int: [...NUMBER, 'modulo', 'negate'],
  list: ['add', 'size'],
  map: ['size'],
  string: ['add', 'compare', 'match', 'receive', 'size'],
  timestamp: ['add', 'compare', 'receive', 'subtract'],
  uint: [...NUMBER, 'modulo'],
};

/** The error text of an operator: its name is told only when the first operand does not support it at all. */
export function operatorMismatch(name: string, trait: Trait): (args: readonly CelValue[]) => CelError {
  return ([first = null]) => {
    const traits = TRAITS[typeOf(first).kind] ?? [];
    return traits.includes(trait) || traits.includes('receive')
      ? NO_OVERLOAD
      : new CelError(`no such overload: ${name}`);
  };
}
