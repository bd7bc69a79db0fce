import { resource } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { startTestServer } from './start-test-server.ts';
import { testUserInfo } from './test-user.ts';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const robot = { metadata: { name: 'robot', namespace: 'default' } };
const inDefault = { namespace: 'default' };

const bound = (subject: string): string => `
{ apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: { name: reader },
  rules: [{ apiGroups: [""], resources: [configmaps], verbs: [list] }] }
---
{ apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: { name: reader, namespace: default },
  roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader }, subjects: [${subject}] }`;

describe('the user of a test', () => {
  it('has the rights that its roles give it, and no others', async () => {
    await using env = await startTestServer({ as: robot });
    await expect(env.cluster.list(configMaps, inDefault)).rejects.toThrow(
      'User "system:serviceaccount:default:robot" cannot list resource "configmaps"',
    );
    await env.apply(bound('{ kind: ServiceAccount, name: robot, namespace: default }'));
    await env.cluster.list(configMaps, inDefault);
    await expect(env.cluster.list(configMaps)).rejects.toThrow('is forbidden');
    await expect(env.cluster.create(configMaps, { metadata: { ...inDefault, name: 'a' } })).rejects.toThrow(
      'is forbidden',
    );
  });

  it('can be another one for each client, with groups', async () => {
    await using env = await startTestServer();
    await env.apply(bound('{ kind: Group, apiGroup: rbac.authorization.k8s.io, name: readers }'));
    await env.as('ann', ['readers']).list(configMaps, inDefault);
    await expect(env.as('ann').list(configMaps, inDefault)).rejects.toThrow('User "ann" cannot list');
    await env.as(robot, ['system:masters']).list(configMaps);
  });

  it('may do everything where nobody is asked for rights', async () => {
    await using env = await startTestServer({ as: robot, authorization: 'AlwaysAllow' });
    await env.cluster.create(configMaps, { metadata: { ...inDefault, name: 'a' } });
    expect((await env.as('ann').list(configMaps)).items).toHaveLength(1);
  });

  it('is in the groups that the server gives to such a user, each once', () => {
    expect(testUserInfo(robot, ['system:serviceaccounts', 'a'])).toEqual({
      name: 'system:serviceaccount:default:robot',
      groups: ['system:serviceaccounts', 'a', 'system:serviceaccounts:default', 'system:authenticated'],
    });
    expect(testUserInfo('system:serviceaccount:a:b:c').groups).toEqual(['system:authenticated']);
    expect(() => testUserInfo('')).toThrow('a user must have a name');
  });
});
