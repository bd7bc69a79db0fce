/** Roles and bindings as large as a server stores them: no question may hold the event loop. Counts work instead of time. */

import { afterEach, expect, it, vi } from 'vitest';
import type { AccessDecision } from '../../contract/authorization.ts';
import { BoundRole } from './bound-role.ts';
import { GrantedRule } from './granted-rule.ts';
import { judgeGrant } from './held-rights.ts';
import { rbacAuthorizer } from './rbac-authorizer.ts';
import { RbacIndex } from './rbac-index.ts';
import { attributes, binding, type RuleParts, role, type SubjectParts } from './rbac-objects.fixture.ts';

/** About as many rules as a body of the largest size has. */
const RULES = 8000;
const USER = { name: 'u', groups: ['g'] };
const U: SubjectParts = { kind: 'User', name: 'u' };

const values = (letter: string, count = 1000): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${letter}${i}`);
const many = (rule: (i: number) => RuleParts): readonly RuleParts[] =>
  Array.from({ length: RULES }, (_, i) => ({ verbs: ['get'], apiGroups: [''], resources: ['x'], ...rule(i) }));

function granted(rules: readonly RuleParts[], subjects: readonly SubjectParts[] = [U]): RbacIndex {
  const index = new RbacIndex();
  index.setRole(role('r', rules));
  index.setBinding(binding('b', { kind: 'ClusterRole', name: 'r' }, subjects));
  return index;
}

function decide(index: RbacIndex, question: string, user = USER): AccessDecision {
  return rbacAuthorizer(index).authorize(attributes(question, user));
}

afterEach(() => {
  vi.restoreAllMocks();
});

it.each<[string, (i: number) => RuleParts, string, string]>([
  ['name', (i) => ({ resourceNames: [`n${i}`] }), 'get x:n7999', 'get x:n8000'],
  ['resource', (i) => ({ resources: [`r${i}`] }), 'get r7999', 'get r8000'],
  ['subresource', (i) => ({ resources: [`*/s${i}`] }), 'get x/s7999', 'get x/s8000'],
  ['group', (i) => ({ apiGroups: [`g${i}`] }), 'get x.g7999', 'get x.g8000'],
  ['verb', (i) => ({ verbs: [`v${i}`] }), 'v7999 x', 'v8000 x'],
  ['verb and name', (i) => ({ verbs: [`v${i % 90}`], resourceNames: [`n${i}`] }), 'v79 x:n7999', 'v79 x:n7998'],
])('finds the rule of a %s without comparing the others', (_, rule, allowed, refused) => {
  const index = granted(many(rule));
  const compared = vi.spyOn(GrantedRule.prototype, 'allows');
  expect(decide(index, allowed).allowed).toBe(true);
  expect(decide(index, refused).allowed).toBe(false);
  expect(compared.mock.calls.length).toBeLessThan(10);
});

it('finds a path among thousands, exact or as a prefix', () => {
  const paths = many((i) => ({ apiGroups: [], resources: [], nonResourceURLs: [`/e${i}`, `/p${i}/*`] }));
  const index = granted(paths);
  const compared = vi.spyOn(String.prototype, 'startsWith');
  for (const path of ['/e7999', '/p7999/x']) expect(decide(index, `get ${path}`).allowed).toBe(true);
  for (const path of ['/e8000', '/p7999', '/p8000/x']) expect(decide(index, `get ${path}`).allowed).toBe(false);
  expect(compared.mock.calls.length).toBeLessThan(10);
});

it('cuts the stars of a path once, in time that grows with their number', () => {
  // By a regular expression these were a trillion steps for each request.
  const stars = '*'.repeat(1_000_000);
  const index = granted([{ verbs: ['get'], nonResourceURLs: [`/${stars}a*`, `/b${stars}`] }]);
  expect(decide(index, 'get /a').allowed).toBe(false);
  expect(decide(index, 'get /bc').allowed).toBe(true);
});

it('takes the memory of the values of rules, not of their combinations', () => {
  const combined = (i: number): RuleParts => ({
    verbs: values(`v${i}`, 20),
    apiGroups: values('g', 20),
    resources: values('r', 20),
  });
  const index = new RbacIndex();
  const users = values('u', 20).map((name): SubjectParts => ({ kind: 'User', name }));
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 17; i += 1) {
    index.setRole(role(`r${i}`, [combined(i)]));
    index.setBinding(binding(`b${i}`, { kind: 'ClusterRole', name: `r${i}` }, users));
  }
  // These 20 questions took 1.1 GB when every subject had a table of combinations.
  for (const { name } of users) expect(decide(index, 'v169 r9.g9', { name, groups: [] }).allowed).toBe(true);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
});

it('answers the same when no memory is left for merged roles', () => {
  const index = new RbacIndex();
  const users = values('u', 60).map((name): SubjectParts => ({ kind: 'User', name }));
  for (let i = 0; i < 30; i += 1) {
    index.setRole(role(`r${i}`, [{ verbs: values('v', 900), apiGroups: [''], resources: [`x${i}`] }]));
    index.setBinding(binding(`b${i}`, { kind: 'ClusterRole', name: `r${i}` }, users));
  }
  // 60 users with 30 roles of weight 900: more than the million of all of them.
  for (const { name } of users) {
    expect(decide(index, 'v899 x29', { name, groups: [] }).allowed).toBe(true);
    expect(decide(index, 'v899 x30', { name, groups: [] }).allowed).toBe(false);
  }
  index.setRole(role('r29', []));
  for (const { name } of users) expect(decide(index, 'v899 x29', { name, groups: [] }).allowed).toBe(false);
});

it('names the first of 10 000 subjects without looking at the others', () => {
  const subjects = values('s', 10_000).map((name): SubjectParts => ({ kind: 'ServiceAccount', name, namespace: 'n' }));
  const index = granted(
    many(() => ({})),
    [...subjects, U, { kind: 'Group', name: 'g' }, U],
  );
  const named = vi.spyOn(BoundRole.prototype, 'userName');
  expect(decide(index, 'get x').reason).toContain('to User "u"');
  expect(decide(index, 'get x', { name: 'v', groups: ['h', 'g'] }).reason).toContain('to Group "g"');
  named.mockClear();
  const account = { name: 'system:serviceaccount:n:s9999', groups: ['g'] };
  expect(decide(index, 'get x', account).reason).toContain('to ServiceAccount "s9999/n"');
  expect(named).not.toHaveBeenCalled();
});

it('lists no more rules than it can answer with, and says so', () => {
  const index = new RbacIndex();
  for (let i = 0; i < 4; i += 1) {
    index.setRole(
      role(
        `r${i}`,
        many((n) => ({ resourceNames: [`n${n}`] })),
      ),
    );
    index.setBinding(binding(`b${i}`, { kind: 'ClusterRole', name: `r${i}` }, [U]));
  }
  const { resourceRules, incomplete, evaluationError } = rbacAuthorizer(index).rules(USER, '');
  expect(resourceRules.length).toBeLessThan(3 * RULES);
  expect({ incomplete, evaluationError }).toEqual({
    incomplete: true,
    evaluationError: 'the user has more rules than can be listed',
  });
});

it('compares a role that is granted with the rights of its author in turns, each right a few times', async () => {
  const rules = many((i) => ({ resources: [`r${i}`] }));
  const index = granted(rules);
  const holds = vi.spyOn(index, 'holds');
  // A millisecond passes between two looks at the clock.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now++);
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect(await judgeGrant(index, USER, '', { type: 'rules', rules })).toEqual({ type: 'held' });
  isOver = true;
  expect(turns).toBeGreaterThan(50);
  expect(holds.mock.calls.length).toBeLessThanOrEqual(2 * RULES);
});

it('refuses a role of more combinations than it can compare, unless the author has it whole', async () => {
  const billion = { verbs: values('v'), apiGroups: values('g'), resources: values('r') };
  const rules = [billion];
  const why = 'the rules have too many combinations to compare them with those of the user: split the role';
  const ask = (index: RbacIndex): ReturnType<typeof judgeGrant> =>
    judgeGrant(index, USER, '', { type: 'rules', rules });
  expect(await ask(new RbacIndex())).toEqual({ type: 'refused', why });
  expect(await ask(granted([{ verbs: ['*'], apiGroups: ['*'], resources: ['x'] }]))).toEqual({ type: 'refused', why });
  for (const held of [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, billion]) {
    expect(await ask(granted([held]))).toEqual({ type: 'held' });
  }
});

it('counts what is held for all verbs: it stops after as many comparisons as for single verbs', async () => {
  const [groups, resources] = [values('g'), values('r')];
  const index = granted(groups.map((group) => ({ verbs: ['*'], apiGroups: [group], resources })));
  const holds = vi.spyOn(index, 'holds');
  const rules = [{ verbs: ['get', 'list'], apiGroups: groups, resources }];
  expect(await judgeGrant(index, USER, '', { type: 'rules', rules })).toMatchObject({ type: 'refused' });
  expect(holds.mock.calls.length).toBeLessThan(110_000);
});

it('refuses a role with a list of missing rights that is no longer than an answer may be', async () => {
  const long = [{ verbs: ['get'], apiGroups: values('g', 100), resources: values('r'.repeat(1000)) }];
  const verdict = await judgeGrant(new RbacIndex(), USER, '', { type: 'rules', rules: long });
  expect(verdict).toMatchObject({ type: 'refused', why: expect.stringContaining('split the role') });
});
