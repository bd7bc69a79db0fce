/** The label selector in the spec of an object, read from JSON. */

import { type LabelSelector, type LabelSelectorExpression, labelSelector } from '@listwatch/api';
import { type JsonRecord, listOf, recordsOf, textOf, textRecordOf } from '../json/json-value.ts';

const OPERATORS: readonly LabelSelectorExpression['operator'][] = ['DoesNotExist', 'Exists', 'In', 'NotIn'];

/** The selector; undefined when it is illegal. */
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
    // Only illegal keys and values are refused there.
    return undefined;
  }
}

function readExpression(expression: JsonRecord): LabelSelectorExpression | undefined {
  const operator = OPERATORS.find((known) => known === expression['operator']);
  if (operator === undefined) return undefined;
  return { key: textOf(expression['key']), operator, values: listOf(expression['values']).map(textOf) };
}
