/** Selectors as authorizers see them. */

import { type FieldSelector, type LabelOperator, type LabelSelector } from '@listwatch/api';
import type { SelectorRequirement } from './authorization.ts';

/** `a=b` reads `a In [b]`. */
export function fieldRequirements({ terms }: FieldSelector): readonly SelectorRequirement[] {
  return terms.map(({ field, operator, value }) => ({
    key: field,
    operator: operator === '=' ? 'In' : 'NotIn',
    values: [value],
  }));
}

const OPERATORS: Readonly<Record<LabelOperator, SelectorRequirement['operator'] | undefined>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
  gt: undefined,
  lt: undefined,
};

/** Leaves out comparisons of numbers: without them the authorizer decides about a wider selection. */
export function labelRequirements({ requirements }: LabelSelector): readonly SelectorRequirement[] {
  return requirements.flatMap(({ key, operator: written, values }) => {
    const operator = OPERATORS[written];
    return operator === undefined ? [] : [{ key, operator, values }];
  });
}

/** The requirements that `parse` gives; undefined when there are none, and when the text is no selector. */
export function parsedRequirements(
  text: string | undefined,
  parse: (text: string) => readonly SelectorRequirement[],
): readonly SelectorRequirement[] | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    const requirements = parse(text);
    return requirements.length === 0 ? undefined : requirements;
  } catch {
    // The verb refuses an invalid selector later; for authorization it selects everything.
    return undefined;
  }
}
