/** Validates the completed and failed indexes in the status of an indexed Job. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import { type JsonRecord, numberOf, textOf } from '@listwatch/api/values';
import { indexesProblem, overlapOf } from './job-indexes.ts';

type Errors = readonly FieldError[];

/** The rules for lists of indexes that have changed. */
export function validateIndexes(spec: JsonRecord, status: JsonRecord, before: JsonRecord): Errors {
  const { completedIndexes, failedIndexes } = status;
  const completions = spec['completions'];
  const completedChanged = completedIndexes !== before['completedIndexes'];
  const failedChanged = failedIndexes !== before['failedIndexes'] && failedIndexes !== undefined;
  const perIndex = spec['backoffLimitPerIndex'] !== undefined;
  return [
    ...(completedChanged ? parsing('completedIndexes', completedIndexes, completions) : []),
    ...(failedChanged && perIndex ? parsing('failedIndexes', failedIndexes, completions) : []),
    ...(completedChanged && textOf(completedIndexes) !== '' && spec['completionMode'] !== 'Indexed'
      ? [fieldInvalid('status.completedIndexes', completedIndexes, NOT_INDEXED)]
      : []),
    ...(failedChanged && !perIndex ? [fieldInvalid('status.failedIndexes', failedIndexes, NOT_PER_INDEX)] : []),
    ...(completedChanged || failedChanged ? overlap(completedIndexes, failedIndexes, completions) : []),
  ];
}

const NOT_INDEXED = 'cannot set non-empty completedIndexes when non-indexed completion mode';
const NOT_PER_INDEX = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';

function parsing(name: string, value: unknown, completions: unknown): Errors {
  if (completions === undefined) return [];
  const { problem } = indexesProblem(textOf(value), numberOf(completions));
  return problem === undefined ? [] : [fieldInvalid(`status.${name}`, value, `error parsing ${name}: ${problem}`)];
}

function overlap(completed: unknown, failed: unknown, completions: unknown): Errors {
  if (completions === undefined || failed === undefined) return [];
  const index = overlapOf(textOf(completed), textOf(failed), numberOf(completions));
  if (index === undefined) return [];
  const why = `failedIndexes and completedIndexes overlap at index: ${index}`;
  return [fieldInvalid('status.failedIndexes', failed, why)];
}
