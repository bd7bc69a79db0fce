import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const policy = builtInKind('admissionregistration/v1.ValidatingAdmissionPolicy');
const mutatingPolicy = builtInKind('admissionregistration/v1.MutatingAdmissionPolicy');
const webhooks = builtInKind('admissionregistration/v1.ValidatingWebhookConfiguration');
const deviceClass = builtInKind('resource/v1.DeviceClass');

type Variables = readonly (readonly [name: string, expression: string])[];
type WithVariables = readonly [Variables, string];

const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
const named = (variables: Variables): object => variables.map(([name, expression]) => ({ name, expression }));
const applying = (expression: string): object => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});

function validating(fields: object): string {
  const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }], ...fields };
  return complaints(policy, { spec });
}

function mutating(fields: object): string {
  const spec = { matchConstraints: { resourceRules: [rule] }, reinvocationPolicy: 'Never', ...fields };
  return complaints(mutatingPolicy, { spec });
}

const hooks = (...expressions: readonly string[]): Readonly<Record<string, unknown>> => ({
  webhooks: [
    {
      name: 'a.b.c',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url: 'https://x.y/' },
      matchConditions: expressions.map((expression, index) => ({ name: `n${index}`, expression })),
    },
  ],
});

/** Objects with one expression, by what it is for. */
const PROBLEMS: Readonly<Record<string, (expression: string) => string>> = {
  validation: (expression) => validating({ validations: [{ expression }] }),
  'validation+params': (expression) => validating({ paramKind, validations: [{ expression }] }),
  message: (messageExpression) => validating({ validations: [{ expression: 'true', messageExpression }] }),
  'message+params': (messageExpression) =>
    validating({ paramKind, validations: [{ expression: 'true', messageExpression }] }),
  annotation: (valueExpression) => validating({ auditAnnotations: [{ key: 'k', valueExpression }] }),
  condition: (expression) => complaints(webhooks, hooks(expression)),
  'policy condition': (expression) => validating({ matchConditions: [{ name: 'a', expression }] }),
  'policy condition+params': (expression) => validating({ paramKind, matchConditions: [{ name: 'a', expression }] }),
  apply: (expression) => mutating({ mutations: [applying(expression)] }),
  patch: (expression) => mutating({ mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }] }),
  device: (expression) => complaints(deviceClass, { spec: { selectors: [{ cel: { expression } }] } }),
};

const VARIABLE_PROBLEMS: Readonly<Record<string, (given: WithVariables) => string>> = {
  variables: ([variables, expression]) => validating({ variables: named(variables), validations: [{ expression }] }),
  'apply variables': ([variables, expression]) =>
    mutating({ variables: named(variables), mutations: [applying(expression)] }),
};

/** What kube-apiserver 1.36.3 answered: what the expression is for, the expression, and the error. */
const ANSWERS: readonly (readonly [use: string, given: string | WithVariables, error: string])[] = JSON.parse(
  readFileSync(new URL('../../../test/data/judged-expressions.json', import.meta.url), 'utf8'),
);

describe('an expression', () => {
  it.each(ANSWERS)('for a %s, %j, is validated as by kube-apiserver', (use, given, error) => {
    const validated = typeof given === 'string' ? PROBLEMS[use]?.(given) : VARIABLE_PROBLEMS[use]?.(given);
    expect(validated).toBe(error);
  });
});

describe('match conditions that were taken before', () => {
  it('are not validated again when a webhook changes', () => {
    const old = created(webhooks, hooks('object.'));
    expect(changeComplaints(webhooks, old, { metadata: { ...old.metadata, labels: { a: 'b' } } })).toBe('');
  });

  it('are validated when one of them changes', () => {
    const old = created(webhooks, hooks('object.', 'true'));
    expect(changeComplaints(webhooks, old, hooks('object.', 'false'))).toContain(
      'matchConditions[0].expression: Invalid value',
    );
  });

  it('are validated when the parameters of a policy go away', () => {
    const conditions = { matchConditions: [{ name: 'a', expression: 'params.x == 1' }] };
    const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }], ...conditions };
    const old = created(policy, { spec: { ...spec, paramKind } });
    expect(changeComplaints(policy, old, { metadata: { ...old.metadata, labels: { a: 'b' } } })).toBe('');
    expect(changeComplaints(policy, old, { spec })).toContain("undeclared reference to 'params'");
  });
});
