/** The status of a Job. Other programs than the job controller may write it, so its transitions are checked. */

import { type FieldError, fieldDuplicate, fieldInvalid, fieldRequired } from '@listwatch/api';
import { notNegative } from './count-rules.ts';
import { itemErrors } from './item-errors.ts';
import { indexesProblem } from './job-indexes.ts';
import type { KubeObject } from './resource-definition.ts';
import { type JsonRecord, listOf, numberOf, recordOf, recordsOf, sameJson, textOf } from './shapes/json-value.ts';

type Errors = readonly FieldError[];

/** The rules for a status, whatever it was before. */
export function validateJobStatus(status: JsonRecord): Errors {
  const uncounted = recordOf(status['uncountedTerminatedPods']);
  const seen = new Set<string>();
  return [
    ...notNegative(status, ['active', 'succeeded', 'failed', 'ready', 'terminating'], 'status'),
    ...['succeeded', 'failed'].flatMap((name) =>
      itemErrors(listOf(uncounted[name]).map(textOf), (uid, index) => {
        const field = `status.uncountedTerminatedPods.${name}[${index}]`;
        const twice = seen.has(uid);
        seen.add(uid);
        if (uid === '') return [fieldInvalid(field, uid, 'must not be empty')];
        return twice ? [fieldDuplicate(field, uid)] : [];
      }),
    ),
  ];
}

/** The rules for a change of the status. A field that stays as it was is not checked: an old mistake must not block others. */
export function validateJobStatusChange(object: KubeObject, old: KubeObject): Errors {
  const status = recordOf(object['status']);
  const before = recordOf(old['status']);
  if (sameJson(status, before)) return [];
  return [
    ...validateConditions(status, before),
    ...validateTimes(object, status, before),
    ...validateFinished(status, before),
    ...validateIndexes(recordOf(object['spec']), status, before),
    ...validateCounters(recordOf(object['spec']), status, before),
  ];
}

function isTrue(status: JsonRecord, type: string): boolean {
  return recordsOf(status['conditions']).some((one) => one['type'] === type && one['status'] === 'True');
}

function isFinished(status: JsonRecord): boolean {
  return isTrue(status, 'Complete') || isTrue(status, 'Failed');
}

/** Pairs of conditions: `[a, b]` must not both be true. */
const EXCLUSIVE = [
  ['Complete', 'Failed'],
  ['Complete', 'FailureTarget'],
  ['SuccessCriteriaMet', 'Failed'],
  ['SuccessCriteriaMet', 'FailureTarget'],
] as const;

/** `[a, b]`: a needs b. */
const NEEDS = [
  ['Failed', 'FailureTarget'],
  ['Complete', 'SuccessCriteriaMet'],
] as const;

const LASTING = ['Failed', 'Complete', 'FailureTarget'] as const;

function validateConditions(status: JsonRecord, before: JsonRecord): Errors {
  const wrong = (detail: string): FieldError => fieldInvalid('status.conditions', undefined, detail);
  const changed = (types: readonly string[]): boolean =>
    types.some((type) => isTrue(status, type) !== isTrue(before, type));
  return [
    ...EXCLUSIVE.filter((types) => changed(types) && types.every((type) => isTrue(status, type))).map(([one, other]) =>
      wrong(`cannot set ${one}=True and ${other}=true conditions`),
    ),
    ...NEEDS.filter((types) => changed(types) && isTrue(status, types[0]) && !isTrue(status, types[1])).map(
      ([one, other]) => wrong(`cannot set ${one}=True condition without the ${other}=true condition`),
    ),
    ...LASTING.filter((type) => isTrue(before, type) && !isTrue(status, type)).map((type) =>
      wrong(`cannot disable the terminal ${type}=True condition`),
    ),
    ...(isTrue(before, 'SuccessCriteriaMet') && !isTrue(status, 'SuccessCriteriaMet')
      ? [wrong('cannot disable the SuccessCriteriaMet=True condition')]
      : []),
  ];
}

function validateTimes(object: KubeObject, status: JsonRecord, before: JsonRecord): Errors {
  const field = 'status.completionTime';
  const { startTime, completionTime } = status;
  const complete = isTrue(status, 'Complete');
  const changed = complete !== isTrue(before, 'Complete') || completionTime !== before['completionTime'];
  const early = Date.parse(textOf(completionTime)) < Date.parse(textOf(startTime));
  const resuming = isTrue(before, 'Suspended') && !isTrue(status, 'Suspended');
  const moved = before['startTime'] !== undefined && before['startTime'] !== startTime;
  const suspended = recordOf(object['spec'])['suspend'] === true;
  return [
    ...(changed && completionTime !== undefined && !complete
      ? [fieldInvalid(field, completionTime, 'cannot set completionTime when there is no Complete=True condition')]
      : []),
    ...(changed && completionTime === undefined && complete
      ? [fieldRequired(field, 'completionTime is required for Complete jobs')]
      : []),
    ...(early ? [fieldInvalid(field, completionTime, 'must be equal to or after `startTime`')] : []),
    ...(completionTime !== undefined &&
    before['completionTime'] !== undefined &&
    completionTime !== before['completionTime']
      ? [fieldInvalid(field, completionTime, 'field is immutable')]
      : []),
    ...(moved && !resuming && !suspended
      ? [fieldInvalid('status.startTime', startTime ?? null, 'field is immutable for unsuspended job once set')]
      : []),
  ];
}

function validateFinished(status: JsonRecord, before: JsonRecord): Errors {
  const finished = isFinished(status);
  const changed = (name: string): boolean => finished !== isFinished(before) || !sameJson(status[name], before[name]);
  const uncounted = recordOf(status['uncountedTerminatedPods']);
  const some = listOf(uncounted['failed']).length + listOf(uncounted['succeeded']).length > 0;
  if (!finished) return [];
  return [
    ...(changed('active') && numberOf(status['active']) > 0
      ? [fieldInvalid('status.active', status['active'], 'active>0 is invalid for finished job')]
      : []),
    ...(changed('startTime') && status['startTime'] === undefined
      ? [fieldRequired('status.startTime', 'startTime is required for finished job')]
      : []),
    ...(changed('uncountedTerminatedPods') && some
      ? [fieldInvalid('status.uncountedTerminatedPods', uncounted, 'must be empty for finished job')]
      : []),
    ...(changed('terminating') && numberOf(status['terminating']) > 0
      ? [fieldInvalid('status.terminating', status['terminating'], 'terminating>0 is invalid for finished job')]
      : []),
  ];
}

function validateIndexes(spec: JsonRecord, status: JsonRecord, before: JsonRecord): Errors {
  const { completedIndexes, failedIndexes } = status;
  const { completions, backoffLimitPerIndex } = spec;
  const errors: FieldError[] = [];
  const check = (name: string, value: unknown): void => {
    const { problem } = indexesProblem(textOf(value), numberOf(completions));
    if (completions === undefined || problem === undefined) return;
    errors.push(fieldInvalid(`status.${name}`, value, `error parsing ${name}: ${problem}`));
  };
  if (completedIndexes !== before['completedIndexes']) {
    check('completedIndexes', completedIndexes);
    if (textOf(completedIndexes) !== '' && spec['completionMode'] !== 'Indexed') {
      const why = 'cannot set non-empty completedIndexes when non-indexed completion mode';
      errors.push(fieldInvalid('status.completedIndexes', completedIndexes, why));
    }
  }
  if (failedIndexes !== before['failedIndexes'] && failedIndexes !== undefined) {
    if (backoffLimitPerIndex === undefined) {
      const why = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
      errors.push(fieldInvalid('status.failedIndexes', failedIndexes, why));
    } else {
      check('failedIndexes', failedIndexes);
    }
  }
  return errors;
}

function validateCounters(spec: JsonRecord, status: JsonRecord, before: JsonRecord): Errors {
  const { ready, active, failed, succeeded } = status;
  const scales = spec['completionMode'] === 'Indexed' && sameJson(spec['completions'], spec['parallelism']);
  const changed = ready !== before['ready'] || active !== before['active'];
  return [
    ...(changed && numberOf(ready) > numberOf(active)
      ? [fieldInvalid('status.ready', ready, 'cannot set more ready pods than active')]
      : []),
    ...(numberOf(failed) < numberOf(before['failed'])
      ? [fieldInvalid('status.failed', numberOf(failed), 'cannot decrease the failed counter')]
      : []),
    ...(numberOf(succeeded) < numberOf(before['succeeded']) && !scales
      ? [fieldInvalid('status.succeeded', numberOf(succeeded), 'cannot decrease the succeeded counter')]
      : []),
  ];
}
