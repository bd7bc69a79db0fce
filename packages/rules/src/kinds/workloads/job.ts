/** Job: pods that run until enough of them have succeeded. */

import { badRequest, checkDnsLabel, type FieldError, fieldInvalid, fieldRequired, quote } from '@listwatch/api';
import { type JsonRecord, numberOf, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import { ageOf } from '../../columns/human-duration.ts';
import { AGE_COLUMN, ageCell, column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { validateLabelSelector } from '../../validation/label-selector-rules.ts';
import { selectsLabels } from '../../validation/object-selector.ts';
import { defaultJobParts, validateJobSpec } from './job-spec.ts';
import { validateJobStatus, validateJobStatusChange } from './job-status.ts';
import { validateTemplateChange } from './job-template-change.ts';
import { labelMismatch, labelsOf, WORKLOAD_COLUMNS, workloadCells } from './workload-template.ts';

type Errors = readonly FieldError[];

const UID_LABEL = 'batch.kubernetes.io/controller-uid';
const NAME_LABEL = 'batch.kubernetes.io/job-name';
/** The unprefixed labels that the pods of a Job had in older versions. */
const OLD_UID_LABEL = 'controller-uid';
const OLD_NAME_LABEL = 'job-name';

const DELETION_WARNING =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

/** The rules of Job. */
export const job: KindRules = {
  columns: {
    definitions: [
      NAME_COLUMN,
      column('Status', 'The state of the job, in one word.'),
      column('Completions', 'How many pods have succeeded, of how many.'),
      column('Duration', 'How long the job has run.'),
      AGE_COLUMN,
      ...WORKLOAD_COLUMNS,
    ],
    cells,
  },
  resolveField,
  fieldsOf: (object) => ({ 'status.successful': String(numberOf(recordOf(object['status'])['succeeded'])) }),
  applyDefaults: (object) => ({ ...object, spec: defaultSpec(recordOf(object['spec'])) }),
  onCreate: ({ status: _status, ...object }) => withLabels(withGeneratedSelector(object)),
  onUpdate: (object, old) => withLabels({ ...object, status: old['status'] }),
  onStatusUpdate: (object, old) => withLabels({ ...object, spec: old['spec'] }),
  validate,
  validateUpdate: (object, old) => [
    ...validate(object),
    ...validateSpecChange(object, old),
    ...validateJobStatusChange(object, old),
  ],
  strategy: { orphansDependents: true, returnsDeletedObject: false, deletionWarning: DELETION_WARNING },
};

/** Its field has another name than in the status. */
function resolveField(field: string, value: string): { readonly field: string; readonly value: string } {
  if (['metadata.name', 'metadata.namespace', 'status.successful'].includes(field)) return { field, value };
  throw badRequest(`field label ${quote(field)} not supported for Job`);
}

function validate(object: KubeObject): Errors {
  return [
    ...validateGeneratedSelector(object),
    ...validateJobSpec(recordOf(object['spec']), 'spec'),
    ...validateSelector(recordOf(object['spec'])),
    ...validateHostnames(object),
    ...validateJobStatus(recordOf(object['status'])),
  ];
}

function defaultSpec(spec: JsonRecord): JsonRecord {
  const parts = defaultJobParts(spec);
  const { completions, parallelism } = spec;
  const perIndex = spec['backoffLimitPerIndex'] !== undefined;
  return {
    ...parts,
    parallelism: parallelism ?? 1,
    ...(completions === undefined && parallelism === undefined ? { completions: 1 } : {}),
    backoffLimit: spec['backoffLimit'] ?? (perIndex ? 2 ** 31 - 1 : 6),
    completionMode: spec['completionMode'] ?? 'NonIndexed',
    suspend: spec['suspend'] ?? false,
    podReplacementPolicy:
      spec['podReplacementPolicy'] ?? (spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed'),
    manualSelector: spec['manualSelector'] ?? false,
  };
}

/** A Job without labels gets the labels of its pod template. */
function withLabels(object: KubeObject): KubeObject {
  if (Object.keys(object.metadata.labels ?? {}).length > 0) return object;
  const labels = labelsOf(recordOf(recordOf(object['spec'])['template']));
  return Object.keys(labels).length === 0 ? object : { ...object, metadata: { ...object.metadata, labels } };
}

/** Adds labels to the pods and a selector of them, unless the author has chosen both. */
function withGeneratedSelector(object: KubeObject): KubeObject {
  const spec = recordOf(object['spec']);
  if (spec['manualSelector'] === true) return object;
  const template = recordOf(spec['template']);
  const { uid = '', name = '' } = object.metadata;
  const labels = {
    [OLD_NAME_LABEL]: name,
    [NAME_LABEL]: name,
    [OLD_UID_LABEL]: uid,
    [UID_LABEL]: uid,
    ...labelsOf(template),
  };
  const selector = recordOf(spec['selector']);
  const matchLabels = { [UID_LABEL]: uid, ...recordOf(selector['matchLabels']) };
  return {
    ...object,
    spec: {
      ...spec,
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...recordOf(template['metadata']), labels } },
    },
  };
}

function validateGeneratedSelector(object: KubeObject): Errors {
  const spec = recordOf(object['spec']);
  const { selector } = spec;
  if (spec['manualSelector'] === true || selector === undefined) return [];
  const { uid = '', name = '' } = object.metadata;
  const labels = labelsOf(recordOf(spec['template']));
  const expected = { [OLD_UID_LABEL]: uid, [OLD_NAME_LABEL]: name, [UID_LABEL]: uid, [NAME_LABEL]: name };
  return [
    ...Object.entries(expected).flatMap(([key, value]) => hasLabel(labels, key, value)),
    ...(selectsLabels(recordOf(selector), expected) !== false
      ? []
      : [fieldInvalid('spec.selector', selector, '`selector` not auto-generated')]),
  ];
}

function hasLabel(labels: Readonly<Record<string, string>>, key: string, value: string): Errors {
  const field = 'spec.template.metadata.labels';
  if (labels[key] === undefined) return [fieldRequired(`${field}[${key}]`, `must be '${value}'`)];
  return labels[key] === value ? [] : [fieldInvalid(`${field}[${key}]`, labels, `must be '${value}'`)];
}

function validateSelector(spec: JsonRecord): Errors {
  const { selector } = spec;
  const template = recordOf(spec['template']);
  if (selector === undefined) return [fieldRequired('spec.selector'), labelMismatch(template)];
  return [
    ...validateLabelSelector(selector, 'spec.selector'),
    ...(selectsLabels(recordOf(selector), labelsOf(template)) === false ? [labelMismatch(template)] : []),
  ];
}

/** The host name of a pod of an indexed Job contains its index. */
function validateHostnames(object: KubeObject): Errors {
  const { completionMode, completions } = recordOf(object['spec']);
  if (completionMode !== 'Indexed' || numberOf(completions) <= 0) return [];
  const name = object.metadata.name ?? '';
  const longest = `${name}-${numberOf(completions) - 1}`;
  if (checkDnsLabel(longest).length === 0) return [];
  return [fieldInvalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${longest}`)];
}

const IMMUTABLE = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const;

function validateSpecChange(object: KubeObject, old: KubeObject): Errors {
  const spec = recordOf(object['spec']);
  const before = recordOf(old['spec']);
  return [
    ...validateCompletions(spec, before),
    ...immutable('spec.selector', spec['selector'], before['selector']),
    ...validateTemplateChange(recordOf(spec['template']), old),
    ...IMMUTABLE.flatMap((name) => immutable(`spec.${name}`, spec[name], before[name])),
  ];
}

/** An indexed job may be scaled: completions and parallelism together. */
function validateCompletions({ completionMode, completions, parallelism }: JsonRecord, old: JsonRecord): Errors {
  const field = 'spec.completions';
  if (completionMode !== 'Indexed') return immutable(field, completions, old['completions']);
  if (completions === undefined || sameJson(completions, old['completions'])) return [];
  if (completions === parallelism) return [];
  return [fieldInvalid(field, completions, 'can only be modified in tandem with spec.parallelism')];
}

function cells(object: KubeObject, now: number): readonly unknown[] {
  const spec = recordOf(object['spec']);
  return [
    nameCell(object),
    statusWord(object),
    completionsCell(spec, numberOf(recordOf(object['status'])['succeeded'])),
    durationCell(recordOf(object['status']), now),
    ageCell(object, now),
    ...workloadCells(spec),
  ];
}

function statusWord(object: KubeObject): string {
  const conditions = recordsOf(recordOf(object['status'])['conditions']);
  const first = (types: readonly string[]): string | undefined =>
    types.find((type) => conditions.some((one) => one['type'] === type && one['status'] === 'True'));
  const ended = first(['Complete', 'Failed']);
  if (ended !== undefined) return ended;
  if (object.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return first(['Suspended', 'FailureTarget', 'SuccessCriteriaMet']) ?? 'Running';
}

function completionsCell({ completions, parallelism }: JsonRecord, succeeded: number): string {
  if (completions !== undefined) return `${succeeded}/${numberOf(completions)}`;
  return numberOf(parallelism) > 1 ? `${succeeded}/1 of ${numberOf(parallelism)}` : `${succeeded}/1`;
}

function durationCell({ startTime, completionTime }: JsonRecord, now: number): string {
  if (startTime === undefined) return '';
  return ageOf(startTime, completionTime === undefined ? now : Date.parse(textOf(completionTime)));
}
