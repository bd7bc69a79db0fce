/** One condition of a label selector, checked once and compiled for matching. */

import { type FieldError, fieldErrorsText, fieldInvalid, fieldNotSupported } from '../status/field-error.ts';
import { ListWatchError } from '../status/listwatch-error.ts';
import { comparableInt64 } from '../versions/integer.ts';
import { checkLabelValue, checkQualifiedName } from './label-syntax.ts';

/** How a requirement relates a key to its values. `==` means `=` and prints as it was written. */
export type LabelOperator = '!' | '!=' | '=' | '==' | 'exists' | 'gt' | 'in' | 'lt' | 'notin';

/** The operators that stand between a key and values, in the order in which messages list them. */
export const BINARY_OPERATORS: readonly LabelOperator[] = ['in', 'notin', '=', '==', '!=', 'gt', 'lt'];

const OPERATORS: readonly LabelOperator[] = [...BINARY_OPERATORS, 'exists', '!'];

type Test = (value: string | undefined) => boolean;

/** What an operator demands of its values, how it prints, and how it decides. One row is one operator. */
interface Rule {
  readonly arity: (count: number) => boolean;
  readonly arityText: string;
  readonly print: (key: string, values: string) => string;
  readonly compile: (values: readonly string[]) => Test;
}

const exactlyOne = {
  arity: (count: number) => count === 1,
  arityText: 'exact-match compatibility requires one single value',
};
const atLeastOne = {
  arity: (count: number) => count > 0,
  arityText: "for 'in', 'notin' operators, values set can't be empty",
};
const oneBound = {
  arity: (count: number) => count === 1,
  arityText: "for 'Gt', 'Lt' operators, exactly one value is required",
};
const none = {
  arity: (count: number) => count === 0,
  arityText: 'values set must be empty for exists and does not exist',
};

const RULES: Readonly<Record<LabelOperator, Rule>> = {
  '=': { ...exactlyOne, print: (key, value) => `${key}=${value}`, compile: isOneOf },
  '==': { ...exactlyOne, print: (key, value) => `${key}==${value}`, compile: isOneOf },
  '!=': { ...exactlyOne, print: (key, value) => `${key}!=${value}`, compile: isNoneOf },
  in: { ...atLeastOne, print: (key, values) => `${key} in (${values})`, compile: isOneOf },
  notin: { ...atLeastOne, print: (key, values) => `${key} notin (${values})`, compile: isNoneOf },
  exists: { ...none, print: (key) => key, compile: () => (value) => value !== undefined },
  '!': { ...none, print: (key) => `!${key}`, compile: () => (value) => value === undefined },
  gt: { ...oneBound, print: (key, value) => `${key}>${value}`, compile: (values) => compares(values, isGreater) },
  lt: { ...oneBound, print: (key, value) => `${key}<${value}`, compile: (values) => compares(values, isLess) },
};

/** One condition on one label. Made by `labelRequirement()` or by parsing a selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted, each value once. */
  readonly values: readonly string[];
  /** Does this value of the label (`undefined`: no such label) satisfy the condition? Allocates nothing. */
  readonly accepts: (value: string | undefined) => boolean;
}

/** A requirement that breaks the rules for keys, operators or values. The message is the one of Kubernetes. */
export class LabelRequirementError extends ListWatchError {
  override readonly code = 'LABEL_REQUIREMENT' as const;
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(fieldErrorsText(errors));
    this.errors = errors;
  }
}

/** Makes a requirement. Throws `LabelRequirementError` when it is not legal. */
export function labelRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[] = [],
): LabelRequirement {
  const errors = validate(key, operator, values);
  if (errors.length > 0) throw new LabelRequirementError(errors);
  const distinct = [...new Set(values)].toSorted();
  return Object.freeze({ key, operator, values: distinct, accepts: RULES[operator].compile(distinct) });
}

/** Prints a requirement the way Kubernetes prints it. */
export function printLabelRequirement(requirement: LabelRequirement): string {
  return RULES[requirement.operator].print(requirement.key, requirement.values.join(','));
}

/** The one value that a requirement allows, or `undefined` when it allows none, several, or an absent label. */
export function exactLabelValue(requirement: LabelRequirement): string | undefined {
  const { operator, values } = requirement;
  const inclusive = operator === '=' || operator === '==' || operator === 'in';
  return inclusive && values.length === 1 ? values[0] : undefined;
}

function validate(key: string, operator: LabelOperator, values: readonly string[]): readonly FieldError[] {
  const keyComplaints = checkQualifiedName(key);
  return [
    ...(keyComplaints.length > 0 ? [fieldInvalid('key', key, keyComplaints.join('; '))] : []),
    ...validateArity(operator, values),
    ...values.flatMap((value, index) => {
      const complaints = checkLabelValue(value);
      return complaints.length > 0 ? [fieldInvalid(`values[${index}][${key}]`, value, complaints.join('; '))] : [];
    }),
  ];
}

function validateArity(operator: LabelOperator, values: readonly string[]): readonly FieldError[] {
  const rule = Object.hasOwn(RULES, operator) ? RULES[operator] : undefined;
  if (rule === undefined) return [fieldNotSupported('operator', operator, OPERATORS)];
  const errors = rule.arity(values.length) ? [] : [fieldInvalid('values', values, rule.arityText)];
  if (operator !== 'gt' && operator !== 'lt') return errors;
  const complaint = "for 'Gt', 'Lt' operators, the value must be an integer";
  return [
    ...errors,
    ...values.flatMap((value, index) =>
      comparableInt64(value) === undefined ? [fieldInvalid(`values[${index}]`, value, complaint)] : [],
    ),
  ];
}

function isOneOf(values: readonly string[]): Test {
  if (values.length === 1) {
    const only = values[0];
    return (value) => value === only;
  }
  const set = new Set<string | undefined>(values);
  return (value) => set.has(value);
}

function isNoneOf(values: readonly string[]): Test {
  const isIn = isOneOf(values);
  return (value) => !isIn(value);
}

type Integer = number | bigint;

function compares(values: readonly string[], holds: (left: Integer, right: Integer) => boolean): Test {
  const bound = comparableInt64(values[0] ?? '') ?? Number.NaN;
  return (value) => {
    const integer = value === undefined ? undefined : comparableInt64(value);
    return integer !== undefined && holds(integer, bound);
  };
}

function isGreater(left: Integer, right: Integer): boolean {
  return left > right;
}

function isLess(left: Integer, right: Integer): boolean {
  return left < right;
}
