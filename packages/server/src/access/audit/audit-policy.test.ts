import { describe, expect, it } from 'vitest';
import { readAuditPolicy } from './audit-policy.ts';

const policy = (fields: object): object => ({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...fields });
const refusal = (rule: object): string => {
  try {
    readAuditPolicy(policy({ rules: [rule] }));
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
};

describe('a policy file', () => {
  it('is read with what it leaves open', () => {
    const read = readAuditPolicy(
      policy({
        omitStages: ['RequestReceived'],
        rules: [{ level: 'Request', resources: [{ resources: ['pods/*'] }], omitManagedFields: true }],
      }),
    );
    expect(read).toMatchObject({
      omitStages: ['RequestReceived'],
      omitManagedFields: false,
      warnings: [],
      rules: [
        {
          level: 'Request',
          users: [],
          resources: [{ group: '', resources: ['pods/*'], resourceNames: [] }],
          omitManagedFields: true,
        },
      ],
    });
  });

  it('with unknown fields is used, and they are told', () => {
    const { warnings } = readAuditPolicy(policy({ rules: [{ level: 'None', verb: ['get'] }], more: 1 }));
    expect(warnings).toEqual(['unknown field "more"', 'unknown field "rules[0].verb"']);
  });

  it.each([
    [{}, 'rules[0].level: Required value'],
    [
      { level: 'All' },
      'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"',
    ],
    [
      { level: 'None', omitStages: ['Foo'] },
      'rules[0].omitStages[0]: Invalid value: "Foo": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
    ],
    [
      { level: 'None', nonResourceURLs: ['x'] },
      'rules[0].nonResourceURLs[0]: Invalid value: "x": non-resource URL rules must begin with a \'/\' character',
    ],
    [
      { level: 'None', nonResourceURLs: ['/a*b'] },
      'rules[0].nonResourceURLs[0]: Invalid value: "/a*b": non-resource URL wildcards \'*\' must be the final character of the rule',
    ],
    [
      { level: 'None', nonResourceURLs: ['/a'], namespaces: ['n'] },
      'rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
    [
      { level: 'None', resources: [{ resourceNames: ['n'] }] },
      'rules[0].resources.resourceNames: Invalid value: ["n"]: using resourceNames requires at least one resource',
    ],
    [{ level: 'None', users: 'ann' }, 'rules[0].users: Invalid value: "ann": must be a list'],
  ])('with a wrong rule %j is refused', (rule, text) => {
    expect(refusal(rule)).toBe(text);
  });

  it('with several errors names all of them', () => {
    expect(refusal({ omitStages: [1] })).toBe(
      '[rules[0].level: Required value, rules[0].omitStages[0]: Invalid value: 1: must be a string]',
    );
  });

  it('without rules, of another kind, or of no kind is refused', () => {
    expect(() => readAuditPolicy(policy({ rules: [] }))).toThrow('loaded illegal policy with 0 rules');
    expect(() => readAuditPolicy({ apiVersion: 'audit.k8s.io/v1beta1', kind: 'Policy' })).toThrow(
      'unknown group version field audit.k8s.io/v1beta1, Kind=Policy in policy',
    );
    expect(() => readAuditPolicy('rules')).toThrow('the file holds no object');
  });
});
