import { FakeClock } from '@listwatch/api/fake-clock';
import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { DEFAULT_TYPES, defaultAccess } from '@listwatch/rules/internal';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import { InProcessServer, type Json } from './in-process-server.fixture.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const VIEW = `${RBAC}/clusterroles/system:aggregate-to-view`;
const DISCOVERY = `${RBAC}/clusterrolebindings/system:discovery`;
const AUTO_UPDATE = 'rbac.authorization.kubernetes.io/autoupdate';

/** What the server has after a start of another one, on the store as `change` left it. */
async function afterRestart(
  change: (server: InProcessServer) => Promise<unknown>,
  path: string,
): Promise<{ readonly before: Json; readonly after: Json }> {
  const clock = new FakeClock();
  const engine = createMemoryEngine({ clock });
  const start = (): Promise<InProcessServer> => InProcessServer.start({ engine, clock });
  let before: Json;
  {
    await using server = await start();
    before = await server.ok('GET', path);
    await change(server);
  }
  await using server = await start();
  return { before, after: (await server.ask('GET', path)).body };
}

/** ClusterRoles, their bindings, Roles and theirs, by a label: those of Kubernetes, or our own. */
const counts = async (server: InProcessServer, label: string): Promise<unknown> =>
  Promise.all(
    ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'].map(
      async (plural) => (await server.ok('GET', `${RBAC}/${plural}?labelSelector=${label}/bootstrapping`)).items.length,
    ),
  );

describe('the default roles and bindings', () => {
  it('are those of Kubernetes and our own, written in the stored form', async () => {
    await BUILT_IN_SCHEMAS.loadAll(DEFAULT_TYPES);
    for (const { definition, object } of defaultAccess()) {
      const full = definition.strategy.withDefaults(object, 0);
      expect(JSON.stringify(full)).toBe(JSON.stringify(object));
      expect(definition.strategy.validate(full, undefined, '').errors).toEqual([]);
    }
    await using server = await InProcessServer.start();
    expect(await counts(server, 'kubernetes.io')).toEqual([69, 50, 7, 7]);
    expect(await counts(server, 'listwatch.dev')).toEqual([3, 3, 2, 2]);
    expect(await server.ok('GET', DISCOVERY)).toMatchObject({
      metadata: {
        labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
        annotations: { [AUTO_UPDATE]: 'true' },
        managedFields: [
          {
            manager: 'kube-apiserver',
            operation: 'Update',
            fieldsV1: { 'f:roleRef': {}, 'f:subjects': {}, 'f:metadata': { 'f:labels': { '.': {} } } },
          },
        ],
      },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:discovery' },
      subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:authenticated' }],
    });
  });

  it('are not written again by the next start', async () => {
    const { before, after } = await afterRestart(async () => undefined, VIEW);
    expect(after).toEqual(before);
  });

  it('come back when they were deleted', async () => {
    const { before, after } = await afterRestart((server) => server.ok('DELETE', VIEW), VIEW);
    expect(after.rules).toEqual(before.rules);
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
  });

  it('get the rules that they lack, one for each resource, and keep those that others added', async () => {
    const own = { verbs: ['get'], apiGroups: ['x'], resources: ['y'] };
    const { before, after } = await afterRestart(async (server) => {
      const role = await server.ok('GET', VIEW);
      const [first, ...rest] = role.rules;
      const fewer = { ...first, verbs: ['get', 'list'], resources: first.resources.slice(1) };
      const metadata = { ...role.metadata, labels: { mine: 'yes' } };
      await server.ok('PUT', VIEW, { ...role, metadata, rules: [own, fewer, ...rest] });
    }, VIEW);
    const [first, ...rest] = before.rules;
    expect(after.rules.slice(0, 1)).toEqual([own]);
    expect(after.rules.slice(2, before.rules.length + 1)).toEqual(rest);
    const added = after.rules.slice(before.rules.length + 1);
    expect(added).toHaveLength(first.resources.length);
    expect(added[0]).toEqual({ verbs: first.verbs, apiGroups: [''], resources: [first.resources[0]] });
    expect(added[1]).toEqual({ verbs: ['watch'], apiGroups: [''], resources: [first.resources[1]] });
    expect(after.metadata.labels).toEqual({ ...before.metadata.labels, mine: 'yes' });
  });

  it('lose an aggregation rule that is not theirs', async () => {
    const selector = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    const { after } = await afterRestart(
      (server) => server.ok('PATCH', VIEW, { aggregationRule: selector }, { type: 'application/merge-patch+json' }),
      VIEW,
    );
    expect(after.aggregationRule).toBeUndefined();
  });

  it('stay as they are when they say so', async () => {
    const patch = { metadata: { annotations: { [AUTO_UPDATE]: 'false' } }, rules: null };
    const { after } = await afterRestart(
      (server) => server.ok('PATCH', VIEW, patch, { type: 'application/merge-patch+json' }),
      VIEW,
    );
    expect(after.rules).toBeNull();
  });

  it('of a binding get their subjects back, and keep others', async () => {
    const bob = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'bob' };
    const { before, after } = await afterRestart(
      (server) => server.ok('PATCH', DISCOVERY, { subjects: [bob] }, { type: 'application/merge-patch+json' }),
      DISCOVERY,
    );
    expect(after.subjects).toEqual([bob, ...before.subjects]);
  });

  it('of a binding to another role are made anew', async () => {
    const { before, after } = await afterRestart(async (server) => {
      const { roleRef, ...binding } = await server.ok('GET', DISCOVERY);
      await server.ok('DELETE', DISCOVERY);
      const { name } = binding.metadata;
      await server.ok('POST', `${RBAC}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { ...roleRef, name: 'view' },
      });
    }, DISCOVERY);
    expect(after.roleRef).toEqual(before.roleRef);
    expect(after.subjects).toEqual(before.subjects);
  });

  it('are complete when five servers start at once', async () => {
    const engine: StorageEngine = createMemoryEngine();
    const servers = await Promise.all(Array.from({ length: 5 }, () => InProcessServer.start({ engine })));
    for (const server of servers) expect(await counts(server, 'kubernetes.io')).toEqual([69, 50, 7, 7]);
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
  });
});
