/** One condition of a label selector, checked once. */

import { type FieldError, fieldErrorsText, fieldInvalid, fieldNotSupported } from '../status/field-error.ts';
import { ListWatchError } from '../status/listwatch-error.ts';
import { comparableInt64 } from '../versions/integer.ts';
import { checkLabelValue, checkQualifiedName } from './label-syntax.ts';

/** How a requirement relates a key to its values. `==` means `=` and prints as it was written. */
export type LabelOperator = '!' | '!=' | '=' | '==' | 'exists' | 'gt' | 'in' | 'lt' | 'notin';

/** The operators that stand between a key and values, in the order in which messages list them. */
export const BINARY_OPERATORS: readonly LabelOperator[] = ['in', 'notin', '=', '==', '!=', 'gt', 'lt'];

const OPERATORS: readonly LabelOperator[] = [...BINARY_OPERATORS, 'exists', '!'];

/** The values of a requirement, sorted, and the value of a label; `undefined`: no such label. */
type Decide = (values: readonly string[], value: string | undefined) => boolean;

/** What an operator demands of its values, how it prints, and how it decides. One row is one operator. */
interface Rule {
  readonly arity: (count: number) => boolean;
  readonly arityText: string;
  readonly print: (key: string, values: string) => string;
  readonly accepts: Decide;
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
  '=': { ...exactlyOne, print: (key, value) => `${key}=${value}`, accepts: includes },
  '==': { ...exactlyOne, print: (key, value) => `${key}==${value}`, accepts: includes },
  '!=': { ...exactlyOne, print: (key, value) => `${key}!=${value}`, accepts: excludes },
  in: { ...atLeastOne, print: (key, values) => `${key} in (${values})`, accepts: includes },
  notin: { ...atLeastOne, print: (key, values) => `${key} notin (${values})`, accepts: excludes },
  exists: { ...none, print: (key) => key, accepts: (_, value) => value !== undefined },
  '!': { ...none, print: (key) => `!${key}`, accepts: (_, value) => value === undefined },
  gt: { ...oneBound, print: (key, value) => `${key}>${value}`, accepts: (values, value) => compare(values, value) > 0 },
  lt: { ...oneBound, print: (key, value) => `${key}<${value}`, accepts: (values, value) => compare(values, value) < 0 },
};

/** One condition on one label. Made by `labelRequirement()` or by parsing a selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted, each value once. */
  readonly values: readonly string[];
  /** Does this value of the label (`undefined`: no such label) satisfy the condition? Allocates nothing. */
  accepts(value: string | undefined): boolean;
}

/** Three fields and no closure: a server keeps the selectors of thousands of watches. */
class CheckedRequirement implements LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];

  constructor(key: string, operator: LabelOperator, values: readonly string[]) {
    this.key = key;
    this.operator = operator;
    this.values = values;
    Object.freeze(this);
  }

  accepts(value: string | undefined): boolean {
    return RULES[this.operator].accepts(this.values, value);
  }
}

const NO_VALUES: readonly string[] = Object.freeze([]);

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
  return new CheckedRequirement(key, operator, values.length === 0 ? NO_VALUES : [...new Set(values)].toSorted());
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

function excludes(values: readonly string[], value: string | undefined): boolean {
  return !includes(values, value);
}

/** A binary search: a set of its own would cost each selector as much memory as its values. */
function includes(values: readonly string[], value: string | undefined): boolean {
  if (value === undefined || values.length === 1) return values[0] === value;
  let low = 0;
  let high = values.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = values[middle];
    if (found === value) return true;
    if (found !== undefined && found < value) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

/** Above zero when the value is greater than the bound, below zero when it is less; NaN when it is no integer. */
function compare(values: readonly string[], value: string | undefined): number {
  const bound = comparableInt64(values[0] ?? '');
  const integer = value === undefined ? undefined : comparableInt64(value);
  if (bound === undefined || integer === undefined) return Number.NaN;
  return integer > bound ? 1 : integer < bound ? -1 : 0;
}
