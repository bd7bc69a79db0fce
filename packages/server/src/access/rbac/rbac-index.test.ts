import { describe, expect, it, vi } from 'vitest';
import type { UserInfo } from '../../contract/api-request.ts';
import type { AccessDecision } from '../../contract/authorization.ts';
import { rbacAuthorizer } from './rbac-authorizer.ts';
import { RbacIndex } from './rbac-index.ts';
import { attributes, binding, type RuleParts, role, type SubjectParts } from './rbac-objects.fixture.ts';
import { RuleIndex } from './rule-index.ts';

const U: SubjectParts = { kind: 'User', name: 'u' };

function granted(rules: readonly RuleParts[], subjects: readonly SubjectParts[] = [U], namespace?: string): RbacIndex {
  const index = new RbacIndex();
  index.setRole(role('r', rules));
  index.setBinding(binding('b', { kind: 'ClusterRole', name: 'r' }, subjects, namespace));
  return index;
}

function decide(index: RbacIndex, question: string, user?: UserInfo): AccessDecision {
  return rbacAuthorizer(index).authorize(attributes(question, user));
}

const get = (resources: readonly string[], more: RuleParts = {}): RuleParts => ({
  verbs: ['get'],
  apiGroups: [''],
  resources,
  ...more,
});
const account = (namespace: string): UserInfo => ({ name: `system:serviceaccount:${namespace}:a`, groups: [] });
const paths = (...nonResourceURLs: readonly string[]): RuleParts => ({ verbs: ['get'], nonResourceURLs });

describe('a rule allows', () => {
  it.each<[string, RuleParts, readonly string[], readonly string[]]>([
    ['its verb in its case', get(['pods']), ['get pods'], ['GET pods', 'list pods', 'get Pods']],
    ['its group', get(['x'], { apiGroups: ['apps', ''] }), ['get x', 'get x.apps'], ['get x.batch', 'get x.*']],
    ['any group', get(['x'], { apiGroups: ['*'] }), ['get x', 'get x.a.b'], ['get y']],
    ['a resource without its subresources', get(['pods']), ['get pods'], ['get pods/log']],
    ['a subresource without its resource', get(['pods/log']), ['get pods/log'], ['get pods', 'get services/log']],
    ['all resources with their subresources', get(['*']), ['get pods', 'get pods/log', 'get */x'], ['get x.apps']],
    ['a subresource of all resources', get(['*/scale']), ['get a/scale', 'get */scale'], ['get a', 'get a/status']],
    ['no pattern in a resource', get(['pods/*', '*/*']), ['get pods/*'], ['get pods', 'get pods/log']],
    [
      'its names only',
      get(['x'], { verbs: ['get', 'list', 'create'], resourceNames: ['a'] }),
      ['get x:a', 'list x:a'],
      ['get x:b', 'get x', 'list x', 'create x'],
    ],
    ['requests without a name by an empty one', get(['x'], { resourceNames: ['', 'a'] }), ['get x'], ['get x:b']],
    ['a path', paths('/a', '/b/*'), ['get /a', 'get /b/', 'get /b/x'], ['get /a/', 'get /b', 'post /a', 'get a']],
    ['all paths', paths('*'), ['get /', 'get /x/y'], ['post /x', 'get pods']],
    ['stars of a path at its end', paths('/a*b', '/c**'), ['get /a*b', 'get /c', 'get /cx'], ['get /axb']],
    ['resources, and no paths', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, ['get x'], ['get /x']],
  ])('%s', (_, rule, allowed, refused) => {
    const index = granted([rule]);
    expect(allowed.filter((question) => !decide(index, question).allowed)).toEqual([]);
    expect(refused.filter((question) => decide(index, question).allowed)).toEqual([]);
  });

  it('not what two rules allow together', () => {
    const index = granted([get(['pods']), { verbs: ['list'], apiGroups: [''], resources: ['services'] }]);
    expect(decide(index, 'list pods').allowed).toBe(false);
    expect(decide(index, 'list services').allowed).toBe(true);
  });
});

describe('a binding', () => {
  it('names the first subject that matches', () => {
    const index = granted([get(['x'])], [{ kind: 'Group', name: 'g' }, U]);
    const reason = (user: UserInfo): unknown => decide(index, 'get x', user).reason;
    expect(reason({ name: 'u', groups: ['g'] })).toBe(
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to Group "g"',
    );
    expect(reason({ name: 'u', groups: [] })).toBe(
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to User "u"',
    );
  });

  it('of a namespace gives a ClusterRole there: no paths, nothing of the cluster', () => {
    const index = granted([get(['x', 'namespaces']), paths('/x')], [U], 'n');
    expect(decide(index, 'get x@n').reason).toBe('RBAC: allowed by RoleBinding "b/n" of ClusterRole "r" to User "u"');
    expect(decide(index, 'get namespaces:n@n').allowed).toBe(true);
    for (const question of ['get x', 'get x@m', 'get /x']) expect(decide(index, question).allowed).toBe(false);
  });

  it('takes an account without a namespace for one of its own', () => {
    const index = granted([get(['x'])], [{ kind: 'ServiceAccount', name: 'a' }], 'n');
    expect(decide(index, 'get x@n', account('n')).reason).toContain('to ServiceAccount "a/n"');
    expect(decide(index, 'get x@n', account('m')).allowed).toBe(false);
  });

  it('waits for its role, follows it, and says when it is missing', () => {
    const index = new RbacIndex();
    index.setBinding(binding('b', { kind: 'ClusterRole', name: 'r' }, [U]));
    index.setBinding(binding('b', { kind: 'Role', name: 'q' }, [U], 'n'));
    expect(decide(index, 'get x')).toEqual({
      allowed: false,
      reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "r" not found',
    });
    expect(decide(index, 'get x@n').reason).toBe(
      'RBAC: [clusterrole.rbac.authorization.k8s.io "r" not found, role.rbac.authorization.k8s.io "q" not found]',
    );
    index.setRole(role('r', [get(['x'])]));
    expect(decide(index, 'get x').allowed).toBe(true);
    index.setRole(role('r', [get(['y'])]));
    expect(decide(index, 'get x')).toEqual({ allowed: false });
    index.removeRole('', 'r');
    expect(decide(index, 'get y').allowed).toBe(false);
  });

  it('and everything it brought goes with it', () => {
    const index = granted([get(['x'])], [U, { kind: 'Group', name: 'g' }], 'n');
    index.removeBinding('n', 'b');
    index.removeRole('', 'r');
    expect(decide(index, 'get x@n').allowed).toBe(false);
    expect(index.counts).toEqual({ roles: 0, bindings: 0 });
  });
});

describe('a subject with thousands of roles', () => {
  const COUNT = 5000;
  const many = (): RbacIndex => {
    const index = new RbacIndex();
    for (let i = 0; i < COUNT; i += 1) {
      index.setRole(role(`r${i}`, [get(['x'], { resourceNames: [`n${i}`] }), paths(`/p${i}`)]));
      index.setBinding(binding(`b${i}`, { kind: 'ClusterRole', name: `r${i}` }, [U]));
    }
    return index;
  };

  it('merges some of them for each question, and has the rights of all from the first on', () => {
    const index = many();
    const added = vi.spyOn(RuleIndex.prototype, 'add');
    expect(decide(index, 'get x:n4999').reason).toContain('"b4999"');
    expect(added.mock.calls.length).toBeLessThan(COUNT);
    for (let i = 0; i < 10; i += 1) expect(decide(index, `get x:n${i * 500}`).reason).toContain(`"b${i * 500}"`);
    expect(added.mock.calls.length).toBe(2 * COUNT);
    added.mockRestore();
  });

  it('has the rights of each, also after one of them changed', () => {
    const index = many();
    expect(decide(index, 'get x:n4999').reason).toContain('"b4999"');
    expect(decide(index, 'get /p77').reason).toContain('"b77"');
    index.setRole(role('r7', [get(['y'])]));
    expect(decide(index, 'get x:n7').allowed).toBe(false);
    expect(decide(index, 'get y').reason).toContain('"b7"');
    index.removeRole('', 'r8');
    expect(decide(index, 'get x:n8').reason).toContain('"r8" not found');
    index.removeBinding('', 'b8');
    expect(decide(index, 'get x:n8')).toEqual({ allowed: false });
    index.setBinding(binding('late', { kind: 'ClusterRole', name: 'r7' }, [U]));
    index.removeBinding('', 'b7');
    expect(decide(index, 'get y').reason).toContain('"late"');
  });
});
