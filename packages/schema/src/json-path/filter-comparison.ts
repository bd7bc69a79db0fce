/** Comparisons of filters: Go compares values of the same kind only. */

import { JsonPathError } from './json-path-error.ts';
import type { LiteralValue, PathFloat } from './template-node.ts';

type Kind = 'bool' | 'float' | 'int' | 'string';

/** A literal as a value: an integer as a number, a float as it is, since `2.0` never equals `2`. */
export function literalOf(literal: LiteralValue): unknown {
  return typeof literal === 'object' && literal.is === 'int' ? literal.value : literal;
}

/** Does the comparison hold? Throws a {@link JsonPathError} for values that cannot be compared. */
export function comparesTrue(left: unknown, operator: string, right: unknown): boolean {
  switch (operator) {
    case '==':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case '<':
      return isLess(left, right);
    case '<=':
      return isLess(left, right) || isEqual(left, right);
    case '>':
      return !(isLess(left, right) || isEqual(left, right));
    case '>=':
      return !isLess(left, right);
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}

function kindOf(value: unknown): Kind {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (isFloat(value)) return 'float';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  throw new JsonPathError('invalid type for comparison');
}

function isFloat(value: unknown): value is PathFloat {
  return typeof value === 'object' && value !== null && 'is' in value && value.is === 'float' && 'value' in value;
}

function sameKind(left: unknown, right: unknown): Kind {
  const kind = kindOf(left);
  if (kind !== kindOf(right)) throw new JsonPathError('incompatible types for comparison');
  return kind;
}

function plain(value: unknown): bigint | boolean | number | string {
  if (isFloat(value)) return value.value;
  if (typeof value === 'bigint' || typeof value === 'boolean' || typeof value === 'number') return value;
  return String(value);
}

function isEqual(left: unknown, right: unknown): boolean {
  sameKind(left, right);
  const [one, other] = [plain(left), plain(right)];
  return !(one < other) && !(one > other);
}

function isLess(left: unknown, right: unknown): boolean {
  if (sameKind(left, right) === 'bool') throw new JsonPathError('invalid type for comparison');
  return plain(left) < plain(right);
}
