import { recordOf } from '@listwatch/api/values';
import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const cronJob = builtInKind('batch/v1.CronJob');
const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
const spec = { schedule: '@daily', jobTemplate: { spec: { template } } };

describe('a CronJob', () => {
  it('that says least keeps few jobs, and leaves the defaults of a job to the job', () => {
    const object = created(cronJob, { spec });
    expect(object).toMatchObject({
      spec: { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
    });
    expect(Object.keys(recordOf(recordOf(recordOf(object['spec'])['jobTemplate'])['spec']))).toEqual(['template']);
    expect(object).toMatchObject({
      spec: { jobTemplate: { spec: { template: { spec: { dnsPolicy: 'ClusterFirst' } } } } },
    });
  });

  it.each([
    ['nothing', undefined, 'spec.schedule: Required value'],
    ['a word', 'soon', 'spec.schedule: Invalid value: "soon": expected exactly 5 fields, found 1: [soon]'],
    [
      'a time zone',
      'TZ=UTC * * * * *',
      'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
    ],
  ])('whose schedule is %s is refused', (_, schedule, expected) => {
    expect(complaints(cronJob, { spec: { ...spec, schedule } })).toBe(expected);
  });

  it.each([
    ['UTC', ''],
    ['Europe/Berlin', ''],
    ['Etc/GMT+5', ''],
    ['Asia/Calcutta', ''],
    ['', 'timeZone must be nil or non-empty string'],
    ['Mars/One', 'unknown time zone Mars/One'],
    ['europe/berlin', 'unknown time zone europe/berlin'],
    ['utc', 'unknown time zone utc'],
    ['../x', 'unknown time zone ../x'],
    ['a//b', 'unknown time zone a//b'],
    ['Local', 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'],
  ])('in the time zone %j is validated', (timeZone, detail) => {
    const expected = detail === '' ? '' : `spec.timeZone: Invalid value: ${JSON.stringify(timeZone)}: ${detail}`;
    expect(complaints(cronJob, { spec: { ...spec, timeZone } })).toBe(expected);
  });

  it('keeps a time zone in its schedule that it had, but not both', () => {
    const old = {
      ...created(cronJob, { spec }),
      spec: { ...recordOf(created(cronJob, { spec })['spec']), schedule: 'TZ=UTC * * * * *' },
    };
    expect(changeComplaints(cronJob, old, {})).toBe('');
    expect(changeComplaints(cronJob, old, { spec: { ...old.spec, timeZone: 'UTC' } })).toBe(
      'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use both timeZone field and TZ or CRON_TZ in schedule',
    );
  });

  it('leaves the selector to its jobs', () => {
    const jobTemplate = { spec: { template, manualSelector: true, selector: { matchLabels: { a: 'b' } } } };
    expect(complaints(cronJob, { spec: { ...spec, jobTemplate } })).toBe(
      '[spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated, ' +
        'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"]',
    );
  });

  it.each([
    [
      { concurrencyPolicy: 'X' },
      'spec.concurrencyPolicy: Unsupported value: "X": supported values: "Allow", "Forbid", "Replace"',
    ],
    [
      { startingDeadlineSeconds: -1 },
      'spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      { failedJobsHistoryLimit: -1 },
      'spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
    ],
  ])('with %j is refused', (fields, expected) => {
    expect(complaints(cronJob, { spec: { ...spec, ...fields } })).toBe(expected);
  });

  it('has a short name, which is checked on creation only', () => {
    const name = 'a'.repeat(53);
    expect(complaints(cronJob, { spec }, { name })).toBe(
      `metadata.name: Invalid value: "${name}": must be no more than 52 characters`,
    );
    expect(changeComplaints(cronJob, created(cronJob, { spec }, { name }), {})).toBe('');
  });

  it('shows when it ran last', () => {
    const object = {
      ...created(cronJob, { spec }),
      status: { active: [{ name: 'j' }], lastScheduleTime: '2026-01-01T00:00:00Z' },
    };
    expect(cronJob.columns.cells(object, Date.parse('2026-01-01T00:00:30Z'))).toEqual([
      'a',
      '@daily',
      '<none>',
      'False',
      1,
      '30s',
      '<unknown>',
      'c',
      'i',
      '<none>',
    ]);
  });
});
