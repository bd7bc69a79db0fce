/** The spec of a Job, alone or in the template of a CronJob. */

import { type FieldError, fieldInvalid, fieldNotSupported, fieldRequired, fieldTooLong } from '@listwatch/api';
import { defined, isJsonNumber, type JsonRecord, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { notNegative } from '../../validation/count-rules.ts';
import { defaultPodTemplate } from '../pods/pod-defaults.ts';
import { validatePodTemplate } from '../pods/pod-validation.ts';
import { validateFailurePolicy, validateSuccessPolicy } from './job-policies.ts';

type Errors = readonly FieldError[];

/** The defaults that both a Job and the template of a CronJob have. */
export function defaultJobParts(spec: JsonRecord): JsonRecord {
  const policy = spec['podFailurePolicy'];
  return defined({
    ...spec,
    template: defaultPodTemplate(recordOf(spec['template'])),
    podFailurePolicy: policy === undefined ? undefined : withConditionStatus(recordOf(policy)),
  });
}

function withConditionStatus(policy: JsonRecord): JsonRecord {
  const rules = recordsOf(policy['rules']).map((rule) => {
    const conditions = recordsOf(rule['onPodConditions']);
    if (conditions.length === 0) return rule;
    const complete = conditions.map((one) => ({ ...one, status: textOf(one['status']) || 'True' }));
    return { ...rule, onPodConditions: complete };
  });
  return { ...policy, rules };
}

const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;

/** The rules for the spec of a job at `field`, without its selector. */
export function validateJobSpec(spec: JsonRecord, field: string): Errors {
  const { podFailurePolicy, successPolicy } = spec;
  const isIndexed = spec['completionMode'] === 'Indexed';
  // As Go prints the struct.
  const shown = {
    Rules: recordsOf(recordOf(successPolicy)['rules']).map(({ succeededIndexes, succeededCount }) => ({
      SucceededIndexes: succeededIndexes ?? null,
      SucceededCount: succeededCount ?? null,
    })),
  };
  return [
    ...notNegative(spec, COUNTS, field),
    ...(spec['maxFailedIndexes'] !== undefined && spec['backoffLimitPerIndex'] === undefined
      ? [fieldRequired(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
    ...validateManager(spec['managedBy'], `${field}.managedBy`),
    ...validateMode(spec['completionMode'], `${field}.completionMode`),
    ...(isIndexed ? validateIndexed(spec, field) : validateNonIndexed(spec, field)),
    ...(podFailurePolicy === undefined ? [] : validateFailurePolicy(spec, `${field}.podFailurePolicy`)),
    ...(successPolicy !== undefined && !isIndexed
      ? [fieldInvalid(`${field}.successPolicy`, shown, 'requires indexed completion mode')]
      : []),
    ...(successPolicy !== undefined && isIndexed ? validateSuccessPolicy(spec, `${field}.successPolicy`) : []),
    ...validateReplacement(spec, `${field}.podReplacementPolicy`),
    ...validatePodTemplate(recordOf(spec['template']), `${field}.template`),
    ...validateRestart(spec, `${field}.template.spec.restartPolicy`),
  ];
}

const MANAGER_MAX = 63;

function validateManager(value: unknown, field: string): Errors {
  if (value === undefined) return [];
  const text = textOf(value);
  const [domain = '', path = ''] = text.split('/');
  const why = 'must be a domain-prefixed path (such as "acme.io/foo")';
  return [
    ...(domain === '' || path === '' ? [fieldInvalid(field, text, why)] : []),
    ...(text.length > MANAGER_MAX ? [fieldTooLong(field, MANAGER_MAX)] : []),
  ];
}

function validateMode(value: unknown, field: string): Errors {
  const modes = ['NonIndexed', 'Indexed'];
  return value === undefined || modes.includes(textOf(value)) ? [] : [fieldNotSupported(field, value, modes)];
}

const INDEXES_MAX = 100_000;
const HIGH_LIMIT = 10_000;

function validateIndexed(spec: JsonRecord, field: string): Errors {
  const { completions, parallelism, maxFailedIndexes } = spec;
  const tooMany = `must be less than or equal to ${INDEXES_MAX}`;
  const failed = numberOf(maxFailedIndexes);
  return [
    ...(completions === undefined ? [fieldRequired(`${field}.completions`, 'when completion mode is Indexed')] : []),
    ...(numberOf(parallelism) > INDEXES_MAX
      ? [fieldInvalid(`${field}.parallelism`, parallelism, `${tooMany} when completion mode is Indexed`)]
      : []),
    ...(completions !== undefined && failed > numberOf(completions)
      ? [fieldInvalid(`${field}.maxFailedIndexes`, maxFailedIndexes, 'must be less than or equal to completions')]
      : []),
    ...(failed > INDEXES_MAX ? [fieldInvalid(`${field}.maxFailedIndexes`, maxFailedIndexes, tooMany)] : []),
    ...(numberOf(completions) > INDEXES_MAX && spec['backoffLimitPerIndex'] !== undefined
      ? validateHighCompletions(spec, field)
      : []),
  ];
}

/** The status lists failed indexes as one string; these limits bound its length. */
function validateHighCompletions({ maxFailedIndexes, parallelism }: JsonRecord, field: string): Errors {
  const used = `when completions are above ${INDEXES_MAX} and used with backoff limit per index`;
  const why = `must be less than or equal to ${HIGH_LIMIT} ${used}`;
  const above = (name: string, value: unknown): Errors =>
    numberOf(value) > HIGH_LIMIT ? [fieldInvalid(`${field}.${name}`, value, why)] : [];
  return [
    ...(maxFailedIndexes === undefined
      ? [fieldRequired(`${field}.maxFailedIndexes`, `must be specified when completions is above ${INDEXES_MAX}`)]
      : []),
    ...above('parallelism', parallelism),
    ...above('maxFailedIndexes', maxFailedIndexes),
  ];
}

function validateNonIndexed(spec: JsonRecord, field: string): Errors {
  if (spec['completionMode'] !== undefined && spec['completionMode'] !== 'NonIndexed') return [];
  return ['backoffLimitPerIndex', 'maxFailedIndexes']
    .filter((name) => isJsonNumber(spec[name]))
    .map((name) => fieldInvalid(`${field}.${name}`, spec[name], 'requires indexed completion mode'));
}

function validateReplacement({ podReplacementPolicy, podFailurePolicy }: JsonRecord, field: string): Errors {
  if (podReplacementPolicy === undefined) return [];
  const policies = podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  return policies.includes(textOf(podReplacementPolicy))
    ? []
    : [fieldNotSupported(field, podReplacementPolicy, policies)];
}

function validateRestart(spec: JsonRecord, field: string): Errors {
  const policy = textOf(recordOf(recordOf(spec['template'])['spec'])['restartPolicy']);
  if (policy === 'Always' || policy === '') return [fieldRequired(field, 'valid values: "OnFailure", "Never"')];
  if (policy === 'Never') return [];
  if (policy !== 'OnFailure') return [fieldNotSupported(field, policy, ['OnFailure', 'Never'])];
  if (spec['podFailurePolicy'] === undefined) return [];
  return [fieldInvalid(field, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}
