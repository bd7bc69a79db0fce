/** The rules that both kinds of webhook configurations share. */

import {
  checkDns1035Label,
  checkDnsSubdomain,
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldRequired,
} from '@listwatch/api';
import {
  extended,
  isJsonNumber,
  isRecord,
  type JsonRecord,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  sameJson,
  textOf,
} from '@listwatch/api/values';
import { filled } from '../../columns/filled-record.ts';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { validateLabelSelector } from '../../validation/label-selector-rules.ts';
import { AdmissionExpressions } from './admission-expressions.ts';
import {
  FAILURE_POLICIES,
  MATCH_POLICIES,
  REINVOCATION_POLICIES,
  supported,
  validateAdmissionRule,
  validateMatchConditions,
} from './admission-rule-validation.ts';
import { validateServiceReference, validateUrl } from './webhook-client-validation.ts';

type Errors = readonly FieldError[];

/** The rules of a webhook configuration; `defaults`: defaults of one kind in addition to the common ones. */
export function webhookRules(defaults: JsonRecord): KindRules {
  return {
    columns: namedTable([column('Webhooks', 'How many webhooks it has.', { type: 'integer' })], ({ webhooks }) => [
      listOf(webhooks).length,
    ]),
    applyDefaults: (object) => applyDefaults(object, defaults),
    validate: (object) => validate(object, newExpressions()),
    validateUpdate: (object, old) => validate(object, sameConditions(object, old) ? undefined : newExpressions()),
    strategy: { allowsUnconditionalUpdate: false },
  };
}

const COMMON_DEFAULTS = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

function applyDefaults(object: KubeObject, defaults: JsonRecord): KubeObject {
  if (object['webhooks'] === undefined) return object;
  const webhooks = recordsOf(object['webhooks']).map((hook) =>
    extended(filled({ ...COMMON_DEFAULTS, ...defaults }, hook), {
      clientConfig: withPort(recordOf(hook['clientConfig'])),
      ...(hook['rules'] === undefined ? {} : { rules: withScopes(hook['rules']) }),
    }),
  );
  return extended(object, { webhooks });
}

/** The port of a service defaults to 443. */
function withPort(client: JsonRecord): JsonRecord {
  const { service } = client;
  return isRecord(service) ? extended(client, { service: filled({ port: 443 }, service) }) : client;
}

/** The scope of a rule defaults to `*`: namespaced and cluster-scoped objects. */
export function withScopes(rules: unknown): readonly JsonRecord[] {
  return recordsOf(rules).map((rule) => filled({ scope: '*' }, rule));
}

function newExpressions(): AdmissionExpressions {
  return new AdmissionExpressions({ hasParams: false, hasVariables: false });
}

function sameConditions(object: KubeObject, old: KubeObject): boolean {
  return sameJson(conditionsOf(object), conditionsOf(old));
}

function conditionsOf({ webhooks }: KubeObject): readonly unknown[] {
  return recordsOf(webhooks).map((hook) => listOf(hook['matchConditions']));
}

/** `expressions` is undefined when the match conditions are unchanged: they were accepted before. */
function validate(object: KubeObject, expressions: AdmissionExpressions | undefined): Errors {
  const seen = new Set<string>();
  return itemErrors(recordsOf(object['webhooks']), (hook, index) => {
    const field = `webhooks[${index}]`;
    const name = textOf(hook['name']);
    const versions = listOf(hook['admissionReviewVersions']).map(textOf);
    const errors = [
      ...validateWebhook(hook, expressions, field),
      ...validateReviewVersions(versions, `${field}.admissionReviewVersions`),
    ];
    const again = name !== '' && seen.has(name);
    seen.add(name);
    return again ? [...errors, fieldDuplicate(`${field}.name`, name)] : errors;
  });
}

const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];

function validateWebhook(hook: JsonRecord, expressions: AdmissionExpressions | undefined, field: string): Errors {
  const { sideEffects, timeoutSeconds: seconds } = hook;
  const late = isJsonNumber(seconds) && (numberOf(seconds) > 30 || numberOf(seconds) < 1);
  return [
    ...validateName(textOf(hook['name']), `${field}.name`),
    ...itemErrors(recordsOf(hook['rules']), (rule, index) => validateAdmissionRule(rule, `${field}.rules[${index}]`)),
    ...supported(hook['failurePolicy'], FAILURE_POLICIES, `${field}.failurePolicy`),
    ...supported(hook['matchPolicy'], MATCH_POLICIES, `${field}.matchPolicy`),
    ...(typeof sideEffects === 'string'
      ? supported(sideEffects, SIDE_EFFECTS, `${field}.sideEffects`)
      : [fieldRequired(`${field}.sideEffects`, `must specify one of ${SIDE_EFFECTS.join(', ')}`)]),
    ...(late
      ? [fieldInvalid(`${field}.timeoutSeconds`, seconds, 'the timeout value must be between 1 and 30 seconds')]
      : []),
    ...validateLabelSelector(hook['namespaceSelector'], `${field}.namespaceSelector`),
    ...validateLabelSelector(hook['objectSelector'], `${field}.objectSelector`),
    ...supported(hook['reinvocationPolicy'], REINVOCATION_POLICIES, `${field}.reinvocationPolicy`),
    ...validateClient(recordOf(hook['clientConfig']), `${field}.clientConfig`),
    ...(expressions === undefined
      ? []
      : validateMatchConditions(hook['matchConditions'], expressions, `${field}.matchConditions`)),
  ];
}

function validateClient({ url, service }: JsonRecord, field: string): Errors {
  if ((typeof url === 'string') === isRecord(service)) {
    return [fieldRequired(field, 'exactly one of url or service is required')];
  }
  return typeof url === 'string'
    ? validateUrl(url, `${field}.url`)
    : validateServiceReference(recordOf(service), `${field}.service`);
}

function validateName(name: string, field: string): Errors {
  if (name === '') return [fieldRequired(field)];
  const complaints = checkDnsSubdomain(name);
  if (complaints.length > 0) return [fieldInvalid(field, name, complaints.join(','))];
  const detail = 'should be a domain with at least three segments separated by dots';
  return name.split('.').length < 3 ? [fieldInvalid(field, name, detail)] : [];
}

const REVIEW_VERSIONS = ['v1', 'v1beta1'];

function validateReviewVersions(versions: readonly string[], field: string): Errors {
  const known = REVIEW_VERSIONS.join(', ');
  if (versions.length === 0) return [fieldRequired(field, `must specify one of ${known}`)];
  const seen = new Set<string>();
  const errors = itemErrors(versions, (version, index) => {
    if (seen.has(version)) return [fieldInvalid(`${field}[${index}]`, version, 'duplicate version')];
    seen.add(version);
    return checkDns1035Label(version).map((complaint) => fieldInvalid(`${field}[${index}]`, version, complaint));
  });
  return versions.some((version) => REVIEW_VERSIONS.includes(version))
    ? errors
    : [...errors, fieldInvalid(field, versions, `must include at least one of ${known}`)];
}
