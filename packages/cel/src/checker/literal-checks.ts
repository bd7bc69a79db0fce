/** Checks of literals after the types: durations, timestamps and patterns that cannot be valid, and mixed lists. */
import { parseGoDuration, parseTimestamp } from '../standard/go-literals.ts';
import { compilePattern } from '../standard/regular-expressions.ts';
import { MAX_SECONDS, MIN_SECONDS } from '../standard/time-arithmetic.ts';
import type { CelIssue } from '../syntax/cel-source.ts';
import type { CallExpression, Expression, LiteralExpression } from '../syntax/expression.ts';
import type { CelType } from '../types/cel-type.ts';
import { formatType } from '../types/format-type.ts';
import { equivalentTypes, unwrapOptional } from '../types/type-relations.ts';
import { CelError } from '../values/cel-error.ts';
import { isInt } from '../values/cel-value.ts';
import type { CheckedExpression } from './checked-expression.ts';

/** The issues of the literals of a checked expression. */
export function checkLiterals(checked: CheckedExpression): readonly CelIssue[] {
  const issues: CelIssue[] = [];
  const report = (id: number, message: string): void => {
    issues.push({ offset: checked.positions[id] ?? -1, message });
  };
  let mixed = 0;
  const visit = (expression: Expression): void => {
    switch (expression.kind) {
      case 'literal':
      case 'identifier':
        return;
      case 'select':
        visit(expression.operand);
        return;
      case 'call': {
        const invalid = invalidArgument(expression);
        if (invalid !== undefined) report(invalid.id, `invalid ${expression.name} argument`);
        const overloads = checked.overloadsOf(expression);
        for (const { checkCall } of overloads) {
          for (const { id, message } of checkCall?.(expression, (part) => checked.typeOf(part)) ?? [])
            report(id, message);
        }
        const takesMixed = overloads.some(({ takesMixedLiterals }) => takesMixedLiterals === true);
        if (takesMixed) mixed++;
        if (expression.target !== undefined) visit(expression.target);
        expression.args.forEach(visit);
        if (takesMixed) mixed--;
        return;
      }
      case 'list':
        sameTypes(
          expression.elements.map((item, index) => ({ item, optional: expression.optional.includes(index) })),
          true,
        );
        expression.elements.forEach(visit);
        return;
      case 'map':
        sameTypes(
          expression.entries.map(({ key }) => ({ item: key, optional: false })),
          false,
        );
        sameTypes(
          expression.entries.map(({ value, optional }) => ({ item: value, optional })),
          false,
        );
        for (const { key, value } of expression.entries) {
          visit(key);
          visit(value);
        }
        return;
      case 'struct':
        for (const { value } of expression.fields) visit(value);
        return;
      case 'comprehension':
        visit(expression.range);
        visit(expression.init);
        visit(expression.condition);
        visit(expression.step);
        visit(expression.result);
        return;
      default:
        expression satisfies never;
    }
  };
  const sameTypes = (items: readonly { item: Expression; optional: boolean }[], once: boolean): void => {
    if (mixed > 0) return;
    let first: CelType | undefined;
    for (const { item, optional } of items) {
      const type = optional ? unwrapOptional(checked.typeOf(item)) : checked.typeOf(item);
      if (first === undefined) first = type;
      else if (!equivalentTypes(first, type)) {
        report(item.id, `expected type '${formatType(first)}' but found '${formatType(type)}'`);
        if (once) return;
      }
    }
  };
  visit(checked.expression);
  return issues;
}

/** The first argument of a call when it is a literal that the function cannot take. */
function invalidArgument({ name, args }: CallExpression): LiteralExpression | undefined {
  const [arg] = args;
  if (arg?.kind !== 'literal') return undefined;
  const { value } = arg;
  switch (name) {
    case 'duration':
      return typeof value === 'string' && parseGoDuration(value) !== undefined ? undefined : arg;
    case 'timestamp': {
      const seconds = isInt(value) ? value : typeof value === 'string' ? parseTimestamp(value)?.seconds : undefined;
      return seconds !== undefined && seconds >= MIN_SECONDS && seconds <= MAX_SECONDS ? undefined : arg;
    }
    case 'matches':
      return typeof value === 'string' && compilePattern(value) instanceof CelError ? arg : undefined;
    default:
      return undefined;
  }
}
