/** What is wrong with an `AuthorizationConfiguration`, in the words of kube-apiserver. */

import { isAbsolute } from 'node:path';
import {
  checkDnsSubdomain,
  type FieldError,
  fieldDuplicate,
  fieldErrorsText,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooMany,
} from '@listwatch/api';
import { canonicalDuration, durationProblem, parseDuration } from '@listwatch/api/values';
import { CelCompileError } from '@listwatch/cel';
import { goErrors } from '../go-errors.ts';
import type { AuthorizationConfiguration, AuthorizerConfig, WebhookConfig } from './authorization-configuration.ts';
import { compileCondition } from './match-conditions.ts';

const TYPES = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'];
const TIMEOUT_MAX_NANOS = 30_000_000_000n;
const CONDITIONS_MAX = 64;

/** Throws a `TypeError` that names every problem. */
export function checkAuthorizationConfiguration({ authorizers }: AuthorizationConfiguration): void {
  const problems = [...problemsOf(authorizers)];
  if (problems.length > 0) throw new TypeError(fieldErrorsText(problems));
  const names = authorizers.flatMap(({ type, name }) => {
    const expected = type.toLowerCase();
    if (type === 'Webhook' || name === expected) return [];
    return [`expected name ${expected} for authorizer ${type} instead of ${name}`];
  });
  if (names.length > 0) throw new TypeError(goErrors(names));
}

function* problemsOf(authorizers: readonly AuthorizerConfig[]): Generator<FieldError> {
  if (authorizers.length === 0) yield fieldRequired('authorizers', 'at least one authorization mode must be defined');
  const types = new Set<string>();
  const names = new Set<string>();
  for (const [index, authorizer] of authorizers.entries()) {
    const { type, name } = authorizer;
    const path = `authorizers[${index}]`;
    const wrong = typeProblem(type, types, `${path}.type`);
    if (wrong !== undefined) {
      yield wrong;
      continue;
    }
    types.add(type);
    yield* nameProblems(name, names, `${path}.name`);
    names.add(name);
    yield* webhookOf(authorizer, path);
  }
}

function typeProblem(type: string, seen: ReadonlySet<string>, path: string): FieldError | undefined {
  if (type === '') return fieldRequired(path);
  if (!TYPES.includes(type)) return fieldNotSupported(path, type, TYPES);
  if (type === 'ABAC') return fieldInvalid(path, type, 'this server has no ABAC: use RBAC, or a webhook');
  return seen.has(type) && type !== 'Webhook' ? fieldDuplicate(path, type) : undefined;
}

function* nameProblems(name: string, seen: ReadonlySet<string>, path: string): Generator<FieldError> {
  if (name === '') yield fieldRequired(path);
  else if (seen.has(name)) yield fieldDuplicate(path, name);
  else {
    const reasons = checkDnsSubdomain(name);
    if (reasons.length > 0) yield fieldInvalid(path, name, `authorizer name is invalid: ${reasons.join(', ')}`);
  }
}

function* webhookOf({ type, webhook }: AuthorizerConfig, path: string): Generator<FieldError> {
  // `webhook: null` in a file is none.
  const isGiven = webhook !== undefined && webhook !== null;
  if (type === 'Webhook') {
    if (isGiven) yield* webhookProblems(webhook, path);
    else yield fieldRequired(`${path}.webhook`, 'required when type=Webhook');
  } else if (isGiven) {
    yield fieldInvalid(`${path}.webhook`, 'non-null', 'may only be specified when type=Webhook');
  }
}

/** Paths lack `.webhook`, as kube-apiserver's. */
function* webhookProblems(webhook: WebhookConfig, path: string): Generator<FieldError> {
  const { timeout, authorizedTTL, unauthorizedTTL, failurePolicy = '' } = webhook;
  const { subjectAccessReviewVersion: version = '', matchConditionSubjectAccessReviewVersion: conditionVersion = '' } =
    webhook;
  yield* timeProblems(timeout, `${path}.timeout`, { isRequired: true, max: TIMEOUT_MAX_NANOS });
  yield* timeProblems(authorizedTTL, `${path}.authorizedTTL`, {});
  yield* timeProblems(unauthorizedTTL, `${path}.unauthorizedTTL`, {});
  yield* oneOf(version, `${path}.subjectAccessReviewVersion`, ['v1', 'v1beta1']);
  const conditions = webhook.matchConditions ?? [];
  if (conditionVersion !== '') {
    yield* oneOf(conditionVersion, `${path}.matchConditionSubjectAccessReviewVersion`, ['v1']);
  } else if (conditions.length > 0) {
    const detail = 'required if match conditions are specified';
    yield fieldRequired(`${path}.matchConditionSubjectAccessReviewVersion`, detail);
  }
  yield* oneOf(failurePolicy, `${path}.failurePolicy`, ['NoOpinion', 'Deny']);
  yield* connectionProblems(webhook.connectionInfo ?? {}, `${path}.connectionInfo`);
  yield* conditionProblems(conditions, `${path}.matchConditions`);
}

function* oneOf(value: string, path: string, supported: readonly string[]): Generator<FieldError> {
  if (value === '') yield fieldRequired(path);
  else if (!supported.includes(value)) yield fieldNotSupported(path, value, supported);
}

/** A time of zero counts as none: Go cannot tell them apart. */
function* timeProblems(
  text: string | undefined,
  path: string,
  { isRequired = false, max }: { readonly isRequired?: boolean; readonly max?: bigint },
): Generator<FieldError> {
  const problem = text === undefined ? undefined : durationProblem(text);
  if (problem !== undefined) yield fieldInvalid(path, text, problem);
  else if (text === undefined || parseDuration(text) === 0n) {
    if (isRequired) yield fieldRequired(path);
  } else {
    const nanos = parseDuration(text);
    if (nanos < 0n || (max !== undefined && nanos > max)) {
      yield fieldInvalid(path, canonicalDuration(text), max === undefined ? 'must be > 0s' : 'must be > 0s and <= 30s');
    }
  }
}

function* connectionProblems(
  { type = '', kubeConfigFile = '' }: NonNullable<WebhookConfig['connectionInfo']>,
  path: string,
): Generator<FieldError> {
  if (type === 'InClusterConfig') {
    yield fieldInvalid(`${path}.type`, type, 'this server does not run in a cluster of its own: use KubeConfigFile');
  } else if (type !== 'KubeConfigFile') {
    // kube-apiserver shows all of it as the wrong value.
    const shown = { Type: type, KubeConfigFile: kubeConfigFile === '' ? null : kubeConfigFile };
    const supported = ['InClusterConfig', 'KubeConfigFile'];
    yield type === '' ? fieldRequired(`${path}.type`) : fieldNotSupported(`${path}.type`, shown, supported);
  } else if (kubeConfigFile === '') yield fieldRequired(`${path}.kubeConfigFile`);
  else if (!isAbsolute(kubeConfigFile)) {
    yield fieldInvalid(`${path}.kubeConfigFile`, kubeConfigFile, 'must be an absolute path');
  }
}

function* conditionProblems(
  conditions: NonNullable<WebhookConfig['matchConditions']>,
  path: string,
): Generator<FieldError> {
  if (conditions.length > CONDITIONS_MAX) {
    yield fieldTooMany(path, conditions.length, CONDITIONS_MAX);
    return;
  }
  const seen = new Set<string>();
  for (const [index, { expression = '' }] of conditions.entries()) {
    const at = `${path}[${index}].expression`;
    if (expression.trim() === '') yield fieldRequired(at);
    else if (seen.has(expression)) yield fieldDuplicate(at, expression);
    else yield* expressionProblems(expression, at);
    seen.add(expression);
  }
}

function* expressionProblems(expression: string, path: string): Generator<FieldError> {
  try {
    compileCondition(expression);
  } catch (error) {
    if (error instanceof CelCompileError) {
      yield fieldInvalid(path, expression, `compilation failed: ${error.message}`);
    } else if (error instanceof TypeError) yield fieldInvalid(path, expression, error.message);
    else throw error;
  }
}
