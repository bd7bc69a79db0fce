/** CronJob: creates Jobs on a schedule. */

import { type FieldError, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import { type JsonRecord, listOf, recordOf, textOf } from '@listwatch/api/values';
import { ageOf } from '../../columns/human-duration.ts';
import { AGE_COLUMN, ageCell, column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { notNegative } from '../../validation/count-rules.ts';
import { scheduleProblem } from './cron-schedule.ts';
import { defaultJobParts, validateJobSpec } from './job-spec.ts';
import { isTimeZone } from './time-zone.ts';
import { WORKLOAD_COLUMNS, workloadCells } from './workload-template.ts';

type Errors = readonly FieldError[];

/** The rules of CronJob. */
export const cronJob: KindRules = {
  columns: {
    definitions: [
      NAME_COLUMN,
      column('Schedule', 'When jobs are started.'),
      column('Timezone', 'The time zone of the schedule.'),
      column('Suspend', 'Whether no more jobs are started.', { type: 'boolean' }),
      column('Active', 'How many jobs run.', { type: 'integer' }),
      column('Last Schedule', 'The time since a job was started.'),
      AGE_COLUMN,
      ...WORKLOAD_COLUMNS,
    ],
    cells,
  },
  applyDefaults: (object) => ({ ...object, spec: defaultSpec(recordOf(object['spec'])) }),
  validate: (object) => [
    ...validateSpec(recordOf(object['spec']), undefined),
    ...((object.metadata.name ?? '').length > NAME_MAX
      ? [fieldInvalid('metadata.name', object.metadata.name, `must be no more than ${NAME_MAX} characters`)]
      : []),
  ],
  validateUpdate: (object, old) => validateSpec(recordOf(object['spec']), recordOf(old['spec'])),
};

/** The controller appends eleven characters to the name of each Job, and the name must fit into a label of its pods. */
const NAME_MAX = 52;

function defaultSpec(spec: JsonRecord): JsonRecord {
  const jobTemplate = recordOf(spec['jobTemplate']);
  return {
    ...spec,
    concurrencyPolicy: textOf(spec['concurrencyPolicy']) || 'Allow',
    suspend: spec['suspend'] ?? false,
    jobTemplate: { ...jobTemplate, spec: defaultJobParts(recordOf(jobTemplate['spec'])) },
    successfulJobsHistoryLimit: spec['successfulJobsHistoryLimit'] ?? 3,
    failedJobsHistoryLimit: spec['failedJobsHistoryLimit'] ?? 1,
  };
}

function validateSpec(spec: JsonRecord, old: JsonRecord | undefined): Errors {
  const { timeZone } = spec;
  return [
    ...validateSchedule(spec, old),
    ...notNegative(spec, ['startingDeadlineSeconds'], 'spec'),
    ...(timeZone === undefined || (old !== undefined && old['timeZone'] === timeZone)
      ? []
      : validateTimeZone(textOf(timeZone))),
    ...validateConcurrency(textOf(spec['concurrencyPolicy'])),
    ...validateJobTemplate(recordOf(recordOf(spec['jobTemplate'])['spec'])),
    ...notNegative(spec, ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'], 'spec'),
  ];
}

function validateSchedule({ schedule, timeZone }: JsonRecord, old: JsonRecord | undefined): Errors {
  const field = 'spec.schedule';
  const text = textOf(schedule);
  if (text === '') return [fieldRequired(field)];
  const problem = scheduleProblem(text);
  const namesZone = text.includes('TZ');
  const mayName = textOf(old?.['schedule']).includes('TZ');
  const errors: FieldError[] = problem === undefined ? [] : [fieldInvalid(field, text, problem)];
  if (namesZone && !mayName) {
    errors.push(fieldInvalid(field, text, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'));
  } else if (namesZone && timeZone !== undefined) {
    errors.push(fieldInvalid(field, text, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'));
  }
  return errors;
}

function validateTimeZone(zone: string): Errors {
  const field = 'spec.timeZone';
  if (zone === '') return [fieldInvalid(field, zone, 'timeZone must be nil or non-empty string')];
  const unknown = fieldInvalid(field, zone, `unknown time zone ${zone}`);
  if (!zone.split('/').every(isZonePart)) return [unknown];
  const local = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
  return [
    ...(zone.toLowerCase() === 'local' ? [fieldInvalid(field, zone, local)] : []),
    ...(isTimeZone(zone) ? [] : [unknown]),
  ];
}

/** One part of a name of the IANA database; digits and `+` are in old names. */
function isZonePart(part: string): boolean {
  return /^[A-Za-z._0-9+-]{1,14}$/.test(part) && part !== '.' && part !== '..' && !part.startsWith('-');
}

function validateConcurrency(policy: string): Errors {
  const policies = ['Allow', 'Forbid', 'Replace'];
  return policies.includes(policy) ? [] : [fieldNotSupported('spec.concurrencyPolicy', policy, policies)];
}

function validateJobTemplate(spec: JsonRecord): Errors {
  const field = 'spec.jobTemplate.spec';
  return [
    ...validateJobSpec(spec, field),
    ...(spec['selector'] === undefined
      ? []
      : [fieldInvalid(`${field}.selector`, spec['selector'], '`selector` will be auto-generated')]),
    ...(spec['manualSelector'] === true ? [fieldNotSupported(`${field}.manualSelector`, true, ['nil', 'false'])] : []),
  ];
}

function cells(object: KubeObject, now: number): readonly unknown[] {
  const spec = recordOf(object['spec']);
  const { lastScheduleTime, active } = recordOf(object['status']);
  return [
    nameCell(object),
    textOf(spec['schedule']),
    spec['timeZone'] ?? '<none>',
    suspendCell(spec['suspend']),
    listOf(active).length,
    lastScheduleTime === undefined ? '<none>' : ageOf(lastScheduleTime, now),
    ageCell(object, now),
    ...workloadCells(recordOf(recordOf(spec['jobTemplate'])['spec'])),
  ];
}

function suspendCell(suspend: unknown): string {
  if (suspend === undefined) return '<unset>';
  return suspend === true ? 'True' : 'False';
}
