import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const role = builtInKind('rbac/v1.Role');
const clusterRole = builtInKind('rbac/v1.ClusterRole');
const roleBinding = builtInKind('rbac/v1.RoleBinding');
const clusterRoleBinding = builtInKind('rbac/v1.ClusterRoleBinding');
const apiGroup = 'rbac.authorization.k8s.io';
const roleRef = { apiGroup, kind: 'Role', name: 'r' };

describe('a Role', () => {
  it.each([
    [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }, ''],
    [
      { apiGroups: [''], resources: ['pods'], verbs: [] },
      'rules[0].verbs: Required value: verbs must contain at least one value',
    ],
    [
      { verbs: ['get'] },
      '[rules[0].apiGroups: Required value: resource rules must supply at least one api group, rules[0].resources: Required value: resource rules must supply at least one resource]',
    ],
    [
      { verbs: ['get'], nonResourceURLs: ['/x'] },
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
    ],
  ])('with the rule %j is validated', (rule, expected) => {
    expect(complaints(role, { rules: [rule] })).toBe(expected);
  });

  it('may have any name that fits into a path, and is made by a PUT', () => {
    expect(role.strategy.checkName('system:x', false)).toEqual([]);
    expect(role.strategy.checkName('a%b', false)).toEqual(["may not contain '%'"]);
    expect(role.strategy).toMatchObject({ allowsCreateOnUpdate: true, allowsUnconditionalUpdate: true });
  });

  it('has a table with the time of its creation', () => {
    expect(role.columns.definitions.map(({ name }) => name)).toEqual(['Name', 'Created At']);
  });
});

describe('a ClusterRole', () => {
  it.each([
    [{ rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] }, ''],
    [{ aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }, ''],
    [
      { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'], resources: ['x'] }] },
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
    [
      { aggregationRule: {} },
      'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
    ],
    [
      { aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'X' }] }] } },
      '[aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "X": not a valid selector operator, aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.]',
    ],
  ])('%j is validated', (fields, expected) => {
    expect(complaints(clusterRole, fields)).toBe(expected);
  });
});

describe('a RoleBinding', () => {
  it('gets the group of roles where it says none', () => {
    const subjects = ['User', 'Group', 'ServiceAccount'].map((kind) => ({ kind, name: 'x' }));
    expect(created(roleBinding, { roleRef: { kind: 'Role', name: 'r' }, subjects })).toMatchObject({
      roleRef,
      subjects: [
        { kind: 'User', apiGroup, name: 'x' },
        { kind: 'Group', apiGroup, name: 'x' },
        { kind: 'ServiceAccount', name: 'x' },
      ],
    });
  });

  it.each([
    [{ roleRef, subjects: [{ kind: 'ServiceAccount', name: 'x' }] }, ''],
    [{ roleRef: { ...roleRef, name: '' } }, 'roleRef.name: Required value'],
    [
      { roleRef: { ...roleRef, kind: 'X' } },
      'roleRef.kind: Unsupported value: "X": supported values: "Role", "ClusterRole"',
    ],
    [
      { roleRef, subjects: [{ kind: 'X', name: 'y' }] },
      'subjects[0].kind: Unsupported value: "X": supported values: "ServiceAccount", "User", "Group"',
    ],
    [
      { roleRef, subjects: [{ kind: 'User', name: 'y', apiGroup: 'z' }] },
      `subjects[0].apiGroup: Unsupported value: "z": supported values: "${apiGroup}"`,
    ],
    [{ roleRef, subjects: [{ kind: 'Group', name: '' }] }, 'subjects[0].name: Required value'],
  ])('%j is validated', (fields, expected) => {
    expect(complaints(roleBinding, fields)).toBe(expected);
  });

  it('keeps its role', () => {
    const old = created(roleBinding, { roleRef });
    expect(changeComplaints(roleBinding, old, { roleRef: { ...roleRef, name: 'q' } })).toBe(
      `roleRef: Invalid value: {"APIGroup":"${apiGroup}","Kind":"Role","Name":"q"}: cannot change roleRef`,
    );
  });

  it('shows its role, and in wide tables its subjects', () => {
    const subjects = [
      { kind: 'User', name: 'u' },
      { kind: 'User', name: 'v' },
      { kind: 'ServiceAccount', name: 's', namespace: 'n' },
    ];
    expect(roleBinding.columns.cells(created(roleBinding, { roleRef, subjects }), 0)).toEqual([
      'a',
      'Role/r',
      '<unknown>',
      'u, v',
      '',
      'n/s',
    ]);
    expect(roleBinding.columns.definitions.map(({ priority }) => priority)).toEqual([0, 0, 0, 1, 1, 1]);
  });
});

describe('a ClusterRoleBinding', () => {
  it('binds roles of the cluster, and service accounts with their namespaces', () => {
    expect(complaints(clusterRoleBinding, { roleRef, subjects: [{ kind: 'ServiceAccount', name: 's' }] })).toBe(
      '[roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole", subjects[0].namespace: Required value]',
    );
  });
});
