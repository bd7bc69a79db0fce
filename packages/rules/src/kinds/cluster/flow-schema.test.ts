import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { complaints, created } from '../../strategy/kind.fixture.ts';

const flowSchema = builtInKind('flowcontrol/v1.FlowSchema');
const priorityLevelConfiguration = { name: 'l' };
const subjects = [{ kind: 'User', user: { name: 'u' } }];
const nonResourceRules = [{ verbs: ['get'], nonResourceURLs: ['/x'] }];
const withRule = (fields: object): object => ({ rules: [{ subjects, nonResourceRules, ...fields }] });
const resource = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] };

describe('a FlowSchema', () => {
  it.each([
    [withRule({}), ''],
    [withRule({ resourceRules: [resource] }), ''],
    [
      { priorityLevelConfiguration: { name: '' } },
      'spec.priorityLevelConfiguration.name: Required value: must reference a priority level',
    ],
    [{ matchingPrecedence: -1 }, 'spec.matchingPrecedence: Invalid value: -1: must be a positive value'],
    [{ matchingPrecedence: 20_000 }, 'spec.matchingPrecedence: Invalid value: 20000: must not be greater than 10000'],
    [
      { matchingPrecedence: 1 },
      "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
    ],
    [
      { distinguisherMethod: { type: 'X' } },
      'spec.distinguisherMethod.type: Unsupported value: {"Type":"X"}: supported values: "ByNamespace", "ByUser"',
    ],
    [withRule({ subjects: [] }), 'spec.rules[0].subjects: Required value: subjects must contain at least one value'],
    [
      withRule({ nonResourceRules: [] }),
      'spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty',
    ],
    [
      withRule({ subjects: [{ kind: 'X' }] }),
      'spec.rules[0].subjects[0].kind: Unsupported value: "X": supported values: "Group", "ServiceAccount", "User"',
    ],
    [
      withRule({ subjects: [{ kind: 'Group', group: { name: 'g' }, user: { name: 'u' } }] }),
      "spec.rules[0].subjects[0].user: Forbidden: user is forbidden when subject kind is not 'User'",
    ],
    [
      withRule({ subjects: [{ kind: 'User' }] }),
      "spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User'",
    ],
    [
      withRule({ resourceRules: [{ ...resource, namespaces: [] }] }),
      'spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace',
    ],
    [
      withRule({ resourceRules: [{ ...resource, verbs: ['*', 'get'] }] }),
      `spec.rules[0].resourceRules[0].verbs: Invalid value: ["*","get"]: if '*' is present, must not specify other verbs`,
    ],
    [
      withRule({ nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/a*'] }] }),
      'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "/a*": wildcard can only do suffix matching',
    ],
  ])('with %j is validated', (fields, expected) => {
    expect(complaints(flowSchema, { spec: { priorityLevelConfiguration, ...fields } })).toBe(expected);
  });

  it('has a precedence of 1000 unless it says otherwise', () => {
    expect(created(flowSchema, { spec: { priorityLevelConfiguration } })).toMatchObject({
      spec: { matchingPrecedence: 1000 },
    });
  });

  it('stays as it is if every server needs it', () => {
    const spec = { priorityLevelConfiguration, matchingPrecedence: 1 };
    expect(complaints(flowSchema, { spec }, { name: 'exempt' })).toMatch(
      /spec of 'exempt' must equal the fixed value$/,
    );
  });

  it('shows its level, and whether that is missing', () => {
    const object = created(flowSchema, {
      spec: { priorityLevelConfiguration, distinguisherMethod: { type: 'ByUser' } },
    });
    expect(flowSchema.columns.cells(object, 0)).toEqual(['a', 'l', 1000, 'ByUser', '<unknown>', '?']);
    const status = { conditions: [{ type: 'Dangling', status: 'True' }] };
    expect(flowSchema.columns.cells({ ...object, status }, 0).at(-1)).toBe('True');
  });
});
