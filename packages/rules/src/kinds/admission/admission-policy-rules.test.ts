import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { complaints, created } from '../../strategy/kind.fixture.ts';

const policy = builtInKind('admissionregistration/v1.ValidatingAdmissionPolicy');
const binding = builtInKind('admissionregistration/v1.ValidatingAdmissionPolicyBinding');
const mutatingPolicy = builtInKind('admissionregistration/v1.MutatingAdmissionPolicy');
const mutatingBinding = builtInKind('admissionregistration/v1.MutatingAdmissionPolicyBinding');
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
const matchConstraints = { resourceRules: [rule] };
const validations = [{ expression: 'true' }];
const DEFAULT_MATCH = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} };

describe('a ValidatingAdmissionPolicy', () => {
  it('gets all defaults', () => {
    expect(created(policy, { spec: { matchConstraints, validations } })['spec']).toEqual({
      failurePolicy: 'Fail',
      matchConstraints: { ...DEFAULT_MATCH, resourceRules: [{ ...rule, scope: '*' }] },
      validations,
    });
  });

  it.each([
    [{}, ''],
    [{ matchConstraints: undefined }, 'spec.matchConstraints: Required value'],
    [{ matchConstraints: {} }, 'spec.matchConstraints.resourceRules: Required value'],
    [{ failurePolicy: 'X' }, 'spec.failurePolicy: Unsupported value: "X": supported values: "Fail", "Ignore"'],
    [
      { validations: [] },
      '[spec.validations: Required value: validations or auditAnnotations must contain at least one item, spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item]',
    ],
    [
      { validations: [{ expression: '' }] },
      'spec.validations[0].expression: Required value: expression is not specified',
    ],
    [
      { validations: [{ expression: 'true', message: 'a\nb' }] },
      'spec.validations[0].message: Invalid value: "a\\nb": must not contain line breaks',
    ],
    [
      { validations: [{ expression: 'true', reason: 'X' }] },
      'spec.validations[0].reason: Unsupported value: "X": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
    ],
    [
      { paramKind: { apiVersion: 'a/b/c', kind: 'K' } },
      'spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    ],
    [{ paramKind: { apiVersion: 'v1', kind: '' } }, 'spec.paramKind.kind: Required value'],
    [
      { variables: [{ name: 'in', expression: '1' }] },
      'spec.variables[0].name: Invalid value: "in": must be a valid CEL identifier',
    ],
    [
      { auditAnnotations: [{ key: 'k', valueExpression: '' }] },
      'spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified',
    ],
  ])('with %j is validated', (fields, expected) => {
    expect(complaints(policy, { spec: { matchConstraints, validations, ...fields } })).toBe(expected);
  });

  it('shows what it checks', () => {
    const spec = { matchConstraints, validations, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };
    expect(policy.columns.cells(created(policy, { spec }), 0)).toEqual(['a', 1, 'v1/ConfigMap', '<unknown>']);
  });
});

describe('a ValidatingAdmissionPolicyBinding', () => {
  it.each([
    [{}, ''],
    [{ policyName: '' }, 'spec.policyName: Required value'],
    [{ validationActions: [] }, 'spec.validationActions: Required value: at least one validation action is required'],
    [
      { validationActions: ['Deny', 'Warn'] },
      'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    ],
    [
      { validationActions: ['X'] },
      'spec.validationActions[0]: Unsupported value: "X": supported values: "Audit", "Deny", "Warn"',
    ],
    [
      { paramRef: {} },
      '[spec.paramRef: Required value: one of name or selector must be specified, spec.paramRef.parameterNotFoundAction: Required value]',
    ],
    [
      { paramRef: { name: 'a', selector: {}, parameterNotFoundAction: 'Deny' } },
      '[spec.paramRef.name: Forbidden: name and selector are mutually exclusive, spec.paramRef.selector: Forbidden: name and selector are mutually exclusive]',
    ],
  ])('with %j is validated', (fields, expected) => {
    expect(complaints(binding, { spec: { policyName: 'p', validationActions: ['Deny'], ...fields } })).toBe(expected);
  });

  it('fills the requests that it is about', () => {
    const spec = { policyName: 'p', validationActions: ['Deny'], matchResources: { resourceRules: [rule] } };
    expect(created(binding, { spec })).toMatchObject({
      spec: { matchResources: { ...DEFAULT_MATCH, resourceRules: [{ scope: '*' }] } },
    });
  });

  it.each([
    [undefined, '<unset>'],
    [{ name: 'x' }, '*/x'],
    [{ name: 'x', namespace: 'n' }, 'n/x'],
    [
      { selector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'In', values: ['d', 'e'] }] } },
      '&LabelSelector{MatchLabels:map[string]string{a: b,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:c,Operator:In,Values:[d e],},},}',
    ],
  ])('shows the parameters %j', (paramRef, expected) => {
    const object = created(binding, { spec: { policyName: 'p', paramRef } });
    expect(binding.columns.cells(object, 0)).toEqual(['a', 'p', expected, '<unknown>']);
  });
});

describe('a MutatingAdmissionPolicy', () => {
  const mutations = [{ patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{}]' } }];

  it.each([
    [{}, ''],
    [{ reinvocationPolicy: undefined }, 'spec.reinvocationPolicy: Required value'],
    [{ mutations: [] }, 'spec.mutations: Required value: mutations must contain at least one item'],
    [{ mutations: [{}] }, 'spec.mutations[0].patchType: Required value'],
    [
      { mutations: [{ patchType: 'X' }] },
      'spec.mutations[0].patchType: Unsupported value: "X": supported values: "ApplyConfiguration", "JSONPatch"',
    ],
    [
      { mutations: [{ patchType: 'JSONPatch', applyConfiguration: { expression: 'x' } }] },
      '[spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch, spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch]',
    ],
    [
      { matchConstraints: { resourceRules: [{ ...rule, operations: ['DELETE'] }] } },
      'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
    ],
  ])('with %j is validated', (fields, expected) => {
    const spec = { matchConstraints, mutations, reinvocationPolicy: 'Never', ...fields };
    expect(complaints(mutatingPolicy, { spec })).toBe(expected);
  });

  it('has bindings that are never about deletions', () => {
    const matchResources = { resourceRules: [{ ...rule, operations: ['DELETE'] }] };
    expect(complaints(mutatingBinding, { spec: { policyName: 'p' } })).toBe('');
    expect(complaints(mutatingBinding, { spec: { policyName: 'p', matchResources } })).toBe(
      'spec.matchResources.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
    );
  });
});
