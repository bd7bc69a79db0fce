/** The label selector in the spec of an object, read from JSON. */

import { type LabelSelector, type LabelSelectorExpression, labelSelector, validateLabels } from '@listwatch/api';
import { type JsonRecord, listOf, recordsOf, textOf, textRecordOf } from '@listwatch/api/values';

const OPERATORS: readonly LabelSelectorExpression['operator'][] = ['DoesNotExist', 'Exists', 'In', 'NotIn'];

/** The selector; undefined when it is invalid. */
export function readSelector(spec: JsonRecord): LabelSelector | undefined {
  const expressions = recordsOf(spec['matchExpressions']).map(readExpression);
  const legal = expressions.filter((expression) => expression !== undefined);
  if (legal.length !== expressions.length) return undefined;
  try {
    return labelSelector({
      matchLabels: textRecordOf(spec['matchLabels']),
      matchExpressions: legal,
    });
  } catch {
    // Thrown for invalid keys and values only.
    return undefined;
  }
}

/**
 * Does a label selector select these labels? Undefined when it is invalid. Its `matchLabels` are compared directly:
 * compiling thousands of them would stall the server.
 */
export function selectsLabels(
  { matchLabels, matchExpressions }: JsonRecord,
  labels: Readonly<Record<string, string>>,
): boolean | undefined {
  const wanted = textRecordOf(matchLabels);
  const expressions = readSelector({ matchExpressions });
  if (expressions === undefined || validateLabels(wanted, '').length > 0) return undefined;
  return Object.keys(wanted).every((key) => labels[key] === wanted[key]) && expressions.matches(labels);
}

function readExpression(expression: JsonRecord): LabelSelectorExpression | undefined {
  const operator = OPERATORS.find((known) => known === expression['operator']);
  if (operator === undefined) return undefined;
  return { key: textOf(expression['key']), operator, values: listOf(expression['values']).map(textOf) };
}
