import { describe, expect, test } from 'vitest';
import { type AccessAttempt, accessDenied } from './access-denied.ts';

const configMaps = { group: '', plural: 'configmaps' };

describe('a refusal says who cannot do what and where', () => {
  test.each<[AccessAttempt, string, string, object]>([
    [
      { user: 'system:anonymous', verb: 'list', resource: configMaps, namespace: 'default' },
      '',
      'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"',
      { kind: 'configmaps' },
    ],
    [
      { user: 'jo', verb: 'get', resource: { group: 'apps', plural: 'deployments' }, subresource: 'scale', name: 'x' },
      'no role',
      'deployments.apps "x" is forbidden: User "jo" cannot get resource "deployments/scale" in API group "apps" at the cluster scope: no role',
      { name: 'x', group: 'apps', kind: 'deployments' },
    ],
    [{ user: '', verb: 'get', path: '/metrics' }, '', 'forbidden: User "" cannot get path "/metrics"', {}],
    [{ user: '<b>&', verb: 'get', path: '/' }, '', 'forbidden: User "&lt;b&gt;&amp;" cannot get path "/"', {}],
  ])('%j', (attempt, why, message, details) => {
    const { status } = accessDenied(attempt, why);
    expect(status).toMatchObject({ code: 403, reason: 'Forbidden', message });
    expect(status.details).toEqual(details);
  });
});
