import { recordOf } from '@listwatch/api/values';
import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const job = builtInKind('batch/v1.Job');
const container = { name: 'c', image: 'i' };
const template = { spec: { restartPolicy: 'Never', containers: [container] } };
const spec = { template };
const named = { uid: 'u1', name: 'a' };
const generated = {
  'controller-uid': 'u1',
  'job-name': 'a',
  'batch.kubernetes.io/controller-uid': 'u1',
  'batch.kubernetes.io/job-name': 'a',
};

function newJob(fields: Readonly<Record<string, unknown>> = {}, metadata = {}) {
  return created(job, { spec: { ...spec, ...fields } }, { ...named, ...metadata });
}

function statusComplaints(fields: Readonly<Record<string, unknown>>, before: Readonly<Record<string, unknown>> = {}) {
  const old = { ...newJob(), status: before };
  const { errors } = job.strategy.validate({ ...old, status: { ...before, ...fields } }, old, 'status');
  return errors.map(({ field, detail }) => `${field}: ${detail}`);
}

const condition = (type: string) => ({ conditions: [{ type, status: 'True' }] });

describe('a Job', () => {
  it('that says least runs one pod once', () => {
    expect(newJob()).toMatchObject({
      spec: {
        parallelism: 1,
        completions: 1,
        backoffLimit: 6,
        completionMode: 'NonIndexed',
        suspend: false,
        podReplacementPolicy: 'TerminatingOrFailed',
        manualSelector: false,
      },
      status: {},
    });
  });

  it('with parallelism only ends when one pod has succeeded', () => {
    expect(newJob({ parallelism: 3 })['spec']).not.toHaveProperty('completions');
  });

  it('that limits failures by index does not limit them in total', () => {
    expect(newJob({ backoffLimitPerIndex: 1 })).toMatchObject({ spec: { backoffLimit: 2147483647 } });
  });

  it('with a failure policy waits for pods to end, and takes a condition for a true one', () => {
    const podFailurePolicy = { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] };
    expect(newJob({ podFailurePolicy })).toMatchObject({
      spec: {
        podReplacementPolicy: 'Failed',
        podFailurePolicy: { rules: [{ onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }] },
      },
    });
  });

  it('selects its pods by labels that no other job has', () => {
    expect(newJob()).toMatchObject({
      metadata: { labels: generated },
      spec: {
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u1' } },
        template: { metadata: { labels: generated } },
      },
    });
  });

  it('keeps labels of its author, even if they are those of its pods', () => {
    const labels = { app: 'web' };
    const own = newJob({ template: { ...template, metadata: { labels } } }, { labels });
    expect(own.metadata.labels).toEqual(labels);
    expect(own).toMatchObject({ spec: { template: { metadata: { labels: { ...labels, ...generated } } } } });
    expect(newJob({ template: { ...template, metadata: { labels } } }).metadata.labels).toEqual({
      ...labels,
      ...generated,
    });
  });

  it('has a selector of its author if that is asked for', () => {
    const labels = { app: 'web' };
    const manual = {
      manualSelector: true,
      selector: { matchLabels: labels },
      template: { ...template, metadata: { labels } },
    };
    expect(newJob(manual)).toMatchObject({ spec: { selector: { matchLabels: labels } }, metadata: { labels } });
    expect(complaints(job, { spec: { ...spec, manualSelector: true } }, named)).toBe(
      '[spec.selector: Required value, spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`]',
    );
  });

  it.each([
    ['nothing wrong', {}, ''],
    [
      'pods that always restart',
      { template: { spec: { containers: [container] } } },
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ],
    [
      'a selector that was not asked for',
      { selector: { matchLabels: { app: 'web' } }, template: { ...template, metadata: { labels: { app: 'web' } } } },
      'spec.selector: Invalid value: {"matchLabels":{"app":"web","batch.kubernetes.io/controller-uid":"u1"}}: `selector` not auto-generated',
    ],
    [
      'a label that belongs to the server',
      { template: { ...template, metadata: { labels: { 'job-name': 'x' } } } },
      `spec.template.metadata.labels[job-name]: Invalid value: ${JSON.stringify({
        'batch.kubernetes.io/controller-uid': 'u1',
        'batch.kubernetes.io/job-name': 'a',
        'controller-uid': 'u1',
        'job-name': 'x',
      })}: must be 'a'`,
    ],
    [
      'a negative number',
      { completions: -1 },
      'spec.completions: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'indexes without an end',
      { completionMode: 'Indexed', parallelism: 100001 },
      '[spec.completions: Required value: when completion mode is Indexed, ' +
        'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed]',
    ],
    [
      'limits by index and no indexes',
      { backoffLimitPerIndex: 1, maxFailedIndexes: 2 },
      '[spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode, spec.maxFailedIndexes: Invalid value: 2: requires indexed completion mode]',
    ],
    [
      'a manager without a domain',
      { managedBy: 'x' },
      'spec.managedBy: Invalid value: "x": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      'wrong policies',
      { podReplacementPolicy: 'X', completionMode: 'Y' },
      '[spec.completionMode: Unsupported value: "Y": supported values: "NonIndexed", "Indexed", spec.podReplacementPolicy: Unsupported value: "X": supported values: "Failed", "TerminatingOrFailed"]',
    ],
    [
      'a failure rule that says nothing',
      { podFailurePolicy: { rules: [{ action: '' }] } },
      '[spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"], ' +
        'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required]',
    ],
    [
      'exit codes in disorder',
      {
        podFailurePolicy: {
          rules: [{ action: 'Count', onExitCodes: { operator: 'In', containerName: 'q', values: [0, 3, 3, 2] } }],
        },
      },
      '[spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "q": must be one of the container or initContainer names in the pod template, ' +
        'spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator, ' +
        'spec.podFailurePolicy.rules[0].onExitCodes.values[2]: Duplicate value: 3, ' +
        'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [0,3,3,2]: must be ordered]',
    ],
    [
      'a success that cannot be',
      {
        completionMode: 'Indexed',
        completions: 5,
        successPolicy: { rules: [{ succeededIndexes: '0-2', succeededCount: 4 }, {}, { succeededIndexes: '3,2' }] },
      },
      '[spec.successPolicy.rules[0].succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of indexes in the specified succeededIndexes field), ' +
        'spec.successPolicy.rules[1]: Required value: at least one of succeededCount or succeededIndexes must be specified, ' +
        'spec.successPolicy.rules[2].succeededIndexes: Invalid value: "3,2": error parsing succeededIndexes: non-increasing order, previous: 3, current: 2]',
    ],
  ])('with %s is validated', (_, fields, expected) => {
    expect(complaints(job, { spec: { ...spec, ...fields } }, named)).toBe(expected);
  });

  it('whose pods would get illegal host names is refused', () => {
    const name = 'a'.repeat(63);
    const fields = { spec: { ...spec, completionMode: 'Indexed', completions: 10 } };
    expect(complaints(job, fields, { ...named, name })).toBe(
      `metadata.name: Invalid value: "${name}": will not able to create pod with invalid DNS label: ${name}-9`,
    );
  });

  it('keeps its template, unless it is suspended and has no pods', () => {
    const running = newJob();
    const changed = (fields: Readonly<Record<string, unknown>>, old = running) => {
      const now = { ...running, ...old };
      const before = recordOf(now['spec']);
      const pods = recordOf(before['template']);
      const next = { ...before, template: { ...pods, spec: { ...recordOf(pods['spec']), ...fields } } };
      return changeComplaints(job, now, { spec: next }).replace(/Invalid value: \{.*\}/, 'Invalid value: {}');
    };
    const suspended = newJob({ suspend: true });
    const bigger = [{ ...container, resources: { limits: { cpu: '1' } } }];
    expect(changed({ nodeSelector: { a: 'b' } })).toBe('spec.template: Invalid value: {}: field is immutable');
    expect(changed({ nodeSelector: { a: 'b' } }, suspended)).toBe('');
    expect(changed({ containers: bigger }, suspended)).toBe('');
    expect(changed({ containers: bigger })).not.toBe('');
    expect(changed({ containers: [{ ...container, image: 'j' }] }, suspended)).toBe(
      'spec.template.spec: Invalid value: {}: field is immutable',
    );
    expect(changed({ nodeSelector: { a: 'b' } }, { ...suspended, status: { active: 1 } })).not.toBe('');
  });

  it('may be scaled only if it is indexed, pods and completions together', () => {
    const plain = newJob();
    const indexed = newJob({ completionMode: 'Indexed', completions: 4, parallelism: 2 });
    const change = (old: typeof plain, fields: object) =>
      changeComplaints(job, old, { spec: { ...recordOf(old['spec']), ...fields } });
    expect(change(plain, { completions: 2 })).toBe('spec.completions: Invalid value: 2: field is immutable');
    expect(change(indexed, { completions: 5 })).toBe(
      'spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism',
    );
    expect(change(indexed, { completions: 5, parallelism: 5 })).toBe('');
  });

  it('does not forget that it has ended', () => {
    const done = {
      startTime: '2026-01-01T00:00:00Z',
      completionTime: '2026-01-01T01:00:00Z',
      succeeded: 2,
      conditions: [
        { type: 'SuccessCriteriaMet', status: 'True' },
        { type: 'Complete', status: 'True' },
      ],
    };
    expect(statusComplaints(done)).toEqual([]);
    expect(statusComplaints({ conditions: [], succeeded: 1 }, done)).toEqual([
      'status.completionTime: cannot set completionTime when there is no Complete=True condition',
      'status.conditions: cannot disable the terminal Complete=True condition',
      'status.succeeded: cannot decrease the succeeded counter',
      'status.conditions: cannot disable the SuccessCriteriaMet=True condition',
    ]);
    expect(statusComplaints({ completionTime: '2026-01-01T02:00:00Z' }, done)).toEqual([
      'status.completionTime: field is immutable',
    ]);
  });

  it.each([
    [{ active: 1, ready: 2 }, ['status.ready: cannot set more ready pods than active']],
    [
      { conditions: [{ type: 'Complete', status: 'True' }] },
      [
        'status.completionTime: completionTime is required for Complete jobs',
        'status.conditions: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
        'status.startTime: startTime is required for finished job',
      ],
    ],
    [
      { completedIndexes: '0' },
      ['status.completedIndexes: cannot set non-empty completedIndexes when non-indexed completion mode'],
    ],
    [
      { uncountedTerminatedPods: { succeeded: ['a'], failed: ['a', ''] } },
      ['status.uncountedTerminatedPods.failed[0]: ', 'status.uncountedTerminatedPods.failed[1]: must not be empty'],
    ],
  ])('has a status that makes sense: %j', (status, expected) => {
    expect(statusComplaints(status)).toEqual(expected);
  });

  it('shows its state in one word', () => {
    const show = (status: object, metadata = {}) =>
      job.columns.cells({ ...newJob({}, metadata), status }, Date.parse('2026-01-01T01:00:00Z')).slice(1, 4);
    expect(show({})).toEqual(['Running', '0/1', '']);
    expect(show({ ...condition('Suspended'), startTime: '2026-01-01T00:59:00Z' })).toEqual(['Suspended', '0/1', '60s']);
    expect(
      show({
        ...condition('Complete'),
        succeeded: 1,
        startTime: '2026-01-01T00:00:00Z',
        completionTime: '2026-01-01T00:00:05Z',
      }),
    ).toEqual(['Complete', '1/1', '5s']);
    expect(show(condition('FailureTarget'), { deletionTimestamp: '2026-01-01T00:00:00Z' })[0]).toBe('Terminating');
    expect(job.columns.cells(newJob({ parallelism: 3 }), 0)[2]).toBe('0/1 of 3');
  });

  it('can be selected by how many pods have succeeded', () => {
    expect(job.fieldsOf({ ...newJob(), status: { succeeded: 2 } })).toEqual({ 'status.successful': '2' });
    expect(() => job.resolveField('status.foo', '')).toThrow('field label "status.foo" not supported for Job');
  });
});
