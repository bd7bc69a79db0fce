import { type ApiObject, type Resource, resource } from '@listwatch/api';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

interface ClusterRole extends ApiObject {
  readonly rules: readonly object[] | null;
  readonly aggregationRule?: object;
}

const roles: Resource<ClusterRole> = resource({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural: 'clusterroles',
  kind: 'ClusterRole',
  namespaced: false,
});
const rule = (name: string): object => ({ verbs: ['get'], apiGroups: ['x'], resources: [name] });
const united = (name: string, ...values: readonly string[]): ClusterRole => ({
  metadata: { name },
  rules: null,
  aggregationRule: { clusterRoleSelectors: values.map((value) => ({ matchLabels: { part: value } })) },
});
const part = (name: string, of: string, ...rules: readonly string[]): ClusterRole => ({
  metadata: { name, labels: { part: of } },
  rules: rules.map(rule),
});

let env: TestEnvironment;
beforeAll(async () => {
  env = await startTestServer({ controllers: ['clusterrole-aggregation-controller'] });
});
afterAll(() => env.close());

async function rulesBecome(name: string, rules: readonly object[] | null): Promise<void> {
  await vi.waitFor(async () => expect((await env.cluster.get(roles, { name })).rules).toEqual(rules), 20_000);
}

it('a role has the rules of those that its selectors select, by selector and name, each once, and follows them', async () => {
  await env.cluster.create(roles, part('b', 'one', 'b', 'shared'));
  await env.cluster.create(roles, part('a', 'one', 'a', 'shared'));
  await env.cluster.create(roles, part('c', 'two', 'c'));
  await env.cluster.create(roles, united('all', 'two', 'one'));
  await rulesBecome('all', [rule('c'), rule('a'), rule('shared'), rule('b')]);
  await env.cluster.patch(roles, { name: 'c' }, { type: 'merge', body: { metadata: { labels: { part: 'other' } } } });
  await rulesBecome('all', [rule('a'), rule('shared'), rule('b')]);
  await env.cluster.delete(roles, { name: 'a' });
  await rulesBecome('all', [rule('b'), rule('shared')]);
  await env.cluster.delete(roles, { name: 'b' });
  await rulesBecome('all', null);
});

it('rules that others write into it are undone', async () => {
  await env.cluster.create(roles, part('p', 'mine', 'p'));
  await env.cluster.create(roles, united('u', 'mine'));
  await rulesBecome('u', [rule('p')]);
  const { metadata } = await env.cluster.get(roles, { name: 'u' });
  expect(metadata.managedFields).toContainEqual(
    expect.objectContaining({ manager: 'clusterrole-aggregation-controller', operation: 'Apply' }),
  );
  await env.cluster.patch(roles, { name: 'u' }, { type: 'merge', body: { rules: [rule('foreign')] } });
  await rulesBecome('u', [rule('p')]);
});

it('what is part of view is part of edit and admin, too', async () => {
  const label = 'rbac.authorization.k8s.io/aggregate-to-view';
  await env.cluster.create(roles, { metadata: { name: 'more', labels: { [label]: 'true' } }, rules: [rule('more')] });
  for (const name of ['view', 'edit', 'admin']) {
    await vi.waitFor(
      async () => expect((await env.cluster.get(roles, { name })).rules).toContainEqual(rule('more')),
      20_000,
    );
  }
});
