import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const validating = builtInKind('admissionregistration/v1.ValidatingWebhookConfiguration');
const mutating = builtInKind('admissionregistration/v1.MutatingWebhookConfiguration');
const hook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://h/' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };

describe('a webhook configuration', () => {
  it('gets all defaults', () => {
    const clientConfig = { service: { name: 's', namespace: 'n' } };
    expect(created(mutating, { webhooks: [{ ...hook, clientConfig, rules: [rule] }] })['webhooks']).toEqual([
      {
        ...hook,
        clientConfig: { service: { name: 's', namespace: 'n', port: 443 } },
        rules: [{ ...rule, scope: '*' }],
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
        reinvocationPolicy: 'Never',
      },
    ]);
    expect(created(validating, { webhooks: [hook] })).not.toHaveProperty('webhooks.0.reinvocationPolicy');
  });

  it.each([
    [{}, ''],
    [{ rules: [rule] }, ''],
    [{ name: '' }, 'webhooks[0].name: Required value'],
    [
      { name: 'a.b' },
      'webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots',
    ],
    [{ sideEffects: undefined }, 'webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun'],
    [
      { sideEffects: 'Some' },
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    ],
    [{ failurePolicy: 'X' }, 'webhooks[0].failurePolicy: Unsupported value: "X": supported values: "Fail", "Ignore"'],
    [
      { timeoutSeconds: 31 },
      'webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
    ],
    [{ clientConfig: {} }, 'webhooks[0].clientConfig: Required value: exactly one of url or service is required'],
    [
      { admissionReviewVersions: [] },
      'webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1',
    ],
    [
      { admissionReviewVersions: ['v2'] },
      'webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
    ],
    [
      { rules: [{ ...rule, operations: ['*', 'CREATE'] }] },
      `webhooks[0].rules[0].operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`,
    ],
    [
      { rules: [{ ...rule, resources: ['a/*', 'a/b'] }] },
      `webhooks[0].rules[0].resources[1]: Invalid value: "a/b": if 'a/*' is present, must not specify a/b`,
    ],
    [
      { rules: [{ ...rule, resources: ['*', 'pods'] }] },
      `webhooks[0].rules[0].resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources without subresources`,
    ],
    [
      { matchConditions: [{ name: 'a', expression: ' ' }] },
      'webhooks[0].matchConditions[0].expression: Required value',
    ],
  ])('with %j is validated', (fields, expected) => {
    expect(complaints(validating, { webhooks: [{ ...hook, ...fields }] })).toBe(expected);
  });

  it.each([
    ['https://h:1/p', ''],
    ['http://h', `Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`],
    ['https://', 'Invalid value: "": host must be specified; desired format: https://host[/path]'],
    ['https://u:p@h/', 'Invalid value: "u:p": user information is not permitted in the URL'],
    ['https://h/?a=b', 'Invalid value: "a=b": query parameters are not permitted in the URL'],
    ['https://h/#f', 'Invalid value: "f": fragments are not permitted in the URL'],
  ])('at %s is validated', (url, expected) => {
    const found = complaints(validating, { webhooks: [{ ...hook, clientConfig: { url } }] });
    expect(found.replace('webhooks[0].clientConfig.url: ', '')).toBe(expected);
  });

  it.each([
    [{ name: 's', namespace: 'n', path: '/a/b' }, ''],
    // Kubernetes mixes up the two names.
    [{ namespace: 'n' }, 'webhooks[0].clientConfig.service.namespace: Required value'],
    [
      { name: 's', namespace: 'n', path: '//' },
      'webhooks[0].clientConfig.service.path: Invalid value: "//": segment[0] may not be empty',
    ],
    [
      { name: 's', namespace: 'n', port: 70_000 },
      'webhooks[0].clientConfig.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
    ],
  ])('at the service %j is validated', (service, expected) => {
    expect(complaints(validating, { webhooks: [{ ...hook, clientConfig: { service } }] })).toBe(expected);
  });

  it('has webhooks of different names', () => {
    expect(complaints(mutating, { webhooks: [hook, hook] })).toBe('webhooks[1].name: Duplicate value: "a.example.com"');
  });

  it('is of a new generation when its webhooks change, and shows how many it has', () => {
    const old = created(validating, { webhooks: [hook] });
    expect(validating.strategy.raisesGeneration?.({ ...old, webhooks: [] }, old)).toBe(true);
    expect(validating.columns.cells(old, 0)).toEqual(['a', 1, '<unknown>']);
    expect(changeComplaints(validating, old, { webhooks: [] })).toBe('');
    expect(validating.strategy.allowsUnconditionalUpdate).toBe(false);
  });
});
