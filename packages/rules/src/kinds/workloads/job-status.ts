/** The status of a Job. Other programs than the job controller may write it, so its transitions are checked. */

import { type FieldError, fieldDuplicate, fieldInvalid, fieldRequired } from '@listwatch/api';
import { type JsonRecord, listOf, numberOf, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import { notNegative } from '../../validation/count-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateIndexes } from './job-index-status.ts';

type Errors = readonly FieldError[];

/** The rules for a status, independent of the old status. */
export function validateJobStatus(status: JsonRecord): Errors {
  const uncounted = recordOf(status['uncountedTerminatedPods']);
  // One set for succeeded and failed pods: no pod may be in both.
  const pods = ['succeeded', 'failed'].flatMap((name) =>
    listOf(uncounted[name]).map((uid, index) => ({
      uid: textOf(uid),
      field: `status.uncountedTerminatedPods.${name}[${index}]`,
    })),
  );
  const seen = new Set<string>();
  return [
    ...notNegative(status, ['active', 'succeeded', 'failed', 'ready', 'terminating'], 'status'),
    ...itemErrors(pods, ({ uid, field }) => {
      const twice = seen.has(uid);
      seen.add(uid);
      if (uid === '') return [fieldInvalid(field, uid, 'must not be empty')];
      return twice ? [fieldDuplicate(field, uid)] : [];
    }),
  ];
}

/** The rules for a change of the status. Skips unchanged fields, so that an old error does not block updates. */
export function validateJobStatusChange(object: KubeObject, old: KubeObject): Errors {
  const spec = recordOf(object['spec']);
  const status = recordOf(object['status']);
  const before = recordOf(old['status']);
  if (sameJson(status, before)) return [];
  return [
    ...exclusive(status, before, COMPLETE_PAIRS),
    ...validateCompletionTime(status, before),
    ...validateNeeds(status, before),
    ...validateFinished(spec, status, before),
    ...validateIndexes(spec, status, before),
    ...validateReady(status, before),
    ...exclusive(status, before, SUCCESS_PAIRS),
    ...validateLasting(status, before),
    ...validateCounters(spec, status, before),
    ...validateFixedTimes(spec, status, before),
    ...(isTrue(before, 'SuccessCriteriaMet') && !isTrue(status, 'SuccessCriteriaMet')
      ? [wrongConditions('cannot disable the SuccessCriteriaMet=True condition')]
      : []),
  ];
}

function isTrue(status: JsonRecord, type: string): boolean {
  return recordsOf(status['conditions']).some((one) => one['type'] === type && one['status'] === 'True');
}

function hasChanged(status: JsonRecord, before: JsonRecord, types: readonly string[]): boolean {
  return types.some((type) => isTrue(status, type) !== isTrue(before, type));
}

function wrongConditions(detail: string): FieldError {
  return fieldInvalid('status.conditions', undefined, detail);
}

type Pairs = readonly (readonly [string, string])[];

const COMPLETE_PAIRS: Pairs = [
  ['Complete', 'Failed'],
  ['Complete', 'FailureTarget'],
];
const SUCCESS_PAIRS: Pairs = [
  ['SuccessCriteriaMet', 'Failed'],
  ['SuccessCriteriaMet', 'FailureTarget'],
];
/** Pairs of conditions: the first requires the second. */
const NEEDS: Pairs = [
  ['Failed', 'FailureTarget'],
  ['Complete', 'SuccessCriteriaMet'],
];

/** Conditions that must not both be true. */
function exclusive(status: JsonRecord, before: JsonRecord, pairs: Pairs): Errors {
  return pairs
    .filter((types) => hasChanged(status, before, types) && types.every((type) => isTrue(status, type)))
    .map(([one, other]) => wrongConditions(`cannot set ${one}=True and ${other}=true conditions`));
}

function validateNeeds(status: JsonRecord, before: JsonRecord): Errors {
  return NEEDS.filter(
    (types) => hasChanged(status, before, types) && isTrue(status, types[0]) && !isTrue(status, types[1]),
  ).map(([one, other]) => wrongConditions(`cannot set ${one}=True condition without the ${other}=true condition`));
}

function validateLasting(status: JsonRecord, before: JsonRecord): Errors {
  return ['Failed', 'Complete', 'FailureTarget']
    .filter((type) => isTrue(before, type) && !isTrue(status, type))
    .map((type) => wrongConditions(`cannot disable the terminal ${type}=True condition`));
}

const COMPLETION_TIME = 'status.completionTime';

function validateCompletionTime(status: JsonRecord, before: JsonRecord): Errors {
  const { startTime, completionTime } = status;
  const complete = isTrue(status, 'Complete');
  const changed = hasChanged(status, before, ['Complete']) || completionTime !== before['completionTime'];
  const early = Date.parse(textOf(completionTime)) < Date.parse(textOf(startTime));
  const why = 'cannot set completionTime when there is no Complete=True condition';
  return [
    ...(changed && completionTime !== undefined && !complete
      ? [fieldInvalid(COMPLETION_TIME, completionTime, why)]
      : []),
    ...(changed && completionTime === undefined && complete
      ? [fieldRequired(COMPLETION_TIME, 'completionTime is required for Complete jobs')]
      : []),
    ...(early ? [fieldInvalid(COMPLETION_TIME, completionTime, 'must be equal to or after `startTime`')] : []),
  ];
}

function validateFixedTimes(spec: JsonRecord, status: JsonRecord, before: JsonRecord): Errors {
  const { startTime, completionTime } = status;
  const had = before['completionTime'];
  const moved = before['startTime'] !== undefined && before['startTime'] !== startTime;
  const resuming = isTrue(before, 'Suspended') && !isTrue(status, 'Suspended');
  return [
    ...(completionTime !== undefined && had !== undefined && completionTime !== had
      ? [fieldInvalid(COMPLETION_TIME, completionTime, 'field is immutable')]
      : []),
    ...(moved && !resuming && spec['suspend'] !== true
      ? [fieldInvalid('status.startTime', startTime ?? null, 'field is immutable for unsuspended job once set')]
      : []),
  ];
}

function isFinished(status: JsonRecord): boolean {
  return isTrue(status, 'Complete') || isTrue(status, 'Failed');
}

function validateFinished(spec: JsonRecord, status: JsonRecord, before: JsonRecord): Errors {
  if (!isFinished(status)) return [];
  const changed = (name: string): boolean => !isFinished(before) || !sameJson(status[name], before[name]);
  const { succeeded, failed } = recordOf(status['uncountedTerminatedPods']);
  const uncounted = { Succeeded: succeeded ?? null, Failed: failed ?? null };
  const neverRan = spec['suspend'] === true && spec['completions'] === 0;
  return [
    ...(changed('active') && numberOf(status['active']) > 0
      ? [fieldInvalid('status.active', status['active'], 'active>0 is invalid for finished job')]
      : []),
    ...(changed('startTime') && status['startTime'] === undefined && !neverRan
      ? [fieldRequired('status.startTime', 'startTime is required for finished job')]
      : []),
    ...(changed('uncountedTerminatedPods') && listOf(succeeded).length + listOf(failed).length > 0
      ? [fieldInvalid('status.uncountedTerminatedPods', uncounted, 'must be empty for finished job')]
      : []),
    ...(changed('terminating') && numberOf(status['terminating']) > 0
      ? [fieldInvalid('status.terminating', status['terminating'], 'terminating>0 is invalid for finished job')]
      : []),
  ];
}

function validateReady({ ready, active }: JsonRecord, before: JsonRecord): Errors {
  const changed = ready !== before['ready'] || active !== before['active'];
  if (ready === undefined || !changed || numberOf(ready) <= numberOf(active)) return [];
  return [fieldInvalid('status.ready', ready, 'cannot set more ready pods than active')];
}

function validateCounters(spec: JsonRecord, { failed, succeeded }: JsonRecord, before: JsonRecord): Errors {
  const scales = spec['completionMode'] === 'Indexed' && sameJson(spec['completions'], spec['parallelism']);
  return [
    ...(numberOf(failed) < numberOf(before['failed'])
      ? [fieldInvalid('status.failed', numberOf(failed), 'cannot decrease the failed counter')]
      : []),
    ...(numberOf(succeeded) < numberOf(before['succeeded']) && !scales
      ? [fieldInvalid('status.succeeded', numberOf(succeeded), 'cannot decrease the succeeded counter')]
      : []),
  ];
}
