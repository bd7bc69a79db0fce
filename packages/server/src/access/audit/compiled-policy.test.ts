import { describe, expect, it } from 'vitest';
import { readAuditPolicy } from './audit-policy.ts';
import type { AuditedRequest } from './audited-request.ts';
import { CompiledPolicy } from './compiled-policy.ts';

const compiled = (rules: readonly object[], fields: object = {}): CompiledPolicy =>
  new CompiledPolicy(readAuditPolicy({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules, ...fields }));

const GET: AuditedRequest = {
  user: { name: 'ann', groups: ['devs', 'system:authenticated'] },
  verb: 'get',
  isResource: true,
  group: '',
  resource: 'pods',
  subresource: '',
  namespace: 'a',
  name: 'x',
  path: '',
};
const PATH: AuditedRequest = { ...GET, isResource: false, resource: '', namespace: '', name: '', path: '/version' };
const LOG: AuditedRequest = { ...GET, subresource: 'log' };

/** Does a rule with these fields match? Enough others make the policy look rules up by their keys. */
const matches = (rule: object, request: AuditedRequest, others: number): boolean => {
  const more = Array.from({ length: others }, (_, i) => ({ level: 'Request', users: [`other-${i}`] }));
  return compiled([...more, { level: 'Metadata', ...rule }]).rule(request).level === 'Metadata';
};

const resources = (group: string, list: readonly string[], resourceNames: readonly string[] = []): object => ({
  resources: [{ group, resources: list, resourceNames }],
});

describe.each([0, 40])('a rule behind %i others', (others) => {
  it.each<[string, object, AuditedRequest, boolean]>([
    ['without fields, everything', {}, PATH, true],
    ['of users, those', { users: ['ann'] }, GET, true],
    ['of users, no others', { users: ['bob'] }, GET, false],
    ['of users, nobody who is unknown', { users: ['ann'] }, { ...GET, user: undefined }, false],
    ['of groups, any of them', { userGroups: ['ops', 'devs'] }, GET, true],
    ['of groups, nobody who is unknown', { userGroups: ['devs'] }, { ...GET, user: undefined }, false],
    ['without users, those who are unknown', { verbs: ['get'] }, { ...GET, user: undefined }, true],
    ['of verbs, those', { verbs: ['list'] }, GET, false],
    ['of namespaces, those', { namespaces: ['a'] }, GET, true],
    ['of the cluster scope, nothing in a namespace', { namespaces: [''] }, GET, false],
    ['of the cluster scope, objects without a namespace', { namespaces: [''] }, { ...GET, namespace: '' }, true],
    ['of namespaces, no paths', { namespaces: [''] }, PATH, false],
    ['of a resource, that', resources('', ['pods']), GET, true],
    ['of a resource, not its subresources', resources('', ['pods']), LOG, false],
    ['of a subresource, that', resources('', ['pods/log']), LOG, true],
    ['of pods/*, the pods', resources('', ['pods/*']), GET, true],
    ['of pods/*, their subresources', resources('', ['pods/*']), LOG, true],
    ['of */log, that of every kind', resources('', ['*/log']), LOG, true],
    ['of */log, no objects', resources('', ['*/log']), GET, false],
    ['of *, everything of the group', resources('', ['*']), LOG, true],
    ['of a group, all its resources', resources('', []), LOG, true],
    ['of another group, nothing', resources('apps', []), GET, false],
    ['of every group, all resources', resources('*', []), LOG, true],
    ['of every group, one resource', resources('*', ['pods']), GET, true],
    ['of names, those', resources('', ['pods'], ['x']), GET, true],
    ['of names, no others', resources('', ['pods'], ['y']), GET, false],
    ['of names, no request without one', resources('', ['pods'], ['x']), { ...GET, name: '' }, false],
    ['of paths, those', { nonResourceURLs: ['/version'] }, PATH, true],
    ['of paths, what begins with them', { nonResourceURLs: ['/ver*'] }, PATH, true],
    ['of paths, not what only begins alike', { nonResourceURLs: ['/ver'] }, PATH, false],
    ['of all paths, no resources', { nonResourceURLs: ['*'] }, GET, false],
  ])('%s matches as it should', (_what, rule, request, expected) => {
    expect(matches(rule, request, others)).toBe(expected);
  });
});

describe('a policy', () => {
  it('is decided by its first rule that matches, and records nothing without one', () => {
    const policy = compiled([
      { level: 'None', verbs: ['get'] },
      { level: 'Request', users: ['ann'] },
    ]);
    expect(policy.rule(GET).level).toBe('None');
    expect(policy.rule({ ...GET, verb: 'list' }).level).toBe('Request');
    expect(policy.rule({ ...GET, verb: 'list', user: undefined }).level).toBe('None');
  });

  it('adds the stages of a rule to its own, and lets a rule decide about managed fields', () => {
    const policy = compiled(
      [{ level: 'Request', verbs: ['get'], omitStages: ['Panic'], omitManagedFields: false }, { level: 'Request' }],
      { omitStages: ['RequestReceived'], omitManagedFields: true },
    );
    const { omitStages, omitManagedFields } = policy.rule(GET);
    expect([[...omitStages], omitManagedFields]).toEqual([['RequestReceived', 'Panic'], false]);
    expect(policy.rule(PATH).omitManagedFields).toBe(false);
    expect(policy.rule({ ...PATH, verb: 'post' }).omitManagedFields).toBe(true);
  });

  it('of 10 000 rules looks at the few that can match', () => {
    const rules = Array.from({ length: 10_000 }, (_, i) => ({
      level: 'Metadata',
      verbs: ['get', 'list'],
      namespaces: [`n-${i % 5000}`],
      users: ['ann', `u-${i}`],
    }));
    const policy = compiled([...rules, { level: 'Request', userGroups: ['devs'] }]);
    const tried: number[] = [];
    expect(policy.rule({ ...GET, namespace: 'n-4999' }, (index) => tried.push(index)).level).toBe('Metadata');
    expect(policy.rule({ ...GET, namespace: 'other' }, (index) => tried.push(index)).level).toBe('Request');
    expect(tried.length).toBeLessThan(10);
  });
});
