import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resource } from '@listwatch/api';
import { silentLogger } from '@listwatch/runtime';
import { manager } from '@listwatch/runtime/manager';
import { startTestServer } from '@listwatch/testing';
import { loadAll } from 'js-yaml';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeHost } from '../fake-host.fixture.ts';
import { run } from '../main.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const newFolder = temporaryFolders();
let folder: string;

beforeEach(() => {
  folder = newFolder();
});

async function rbac(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const host = fakeHost({ args: ['rbac', ...args], folder });
  return { code: await run(host), ...host.written };
}

async function refused(name: string): Promise<string> {
  return (await rbac('--from', name)).stderr;
}

/** A manager that leads by a Lease, follows the ConfigMaps of a namespace and writes to one of them. */
async function record(file: string): Promise<void> {
  await using env = await startTestServer();
  const stop = new AbortController();
  const program = manager(env.cluster, {
    health: false,
    logger: silentLogger,
    leaderElection: { lease: { namespace: 'default', name: 'web' } },
    recordRights: join(folder, file),
  });
  program.add({ name: 'web', for: configMaps, selection: { namespace: 'default' }, reconcile: () => {} });
  program.add({
    name: 'once',
    run: async ({ cluster }) => {
      await cluster.create(configMaps, { metadata: { namespace: 'default', name: 'a' } });
      await cluster.delete(configMaps, { namespace: 'default', name: 'a' });
      stop.abort();
    },
  });
  await program.run({ signal: stop.signal });
}

describe('listwatch rbac', () => {
  it('prints the role for what a manager did, with its Lease by name, and the binding', async () => {
    await record('rights.json');
    const { code, stdout } = await rbac('--from', 'rights.json', '--name', 'web', '--service-account', 'shop/robot');
    expect(code).toBe(0);
    const metadata = { name: 'web', namespace: 'default' };
    expect(loadAll(stdout)).toEqual([
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata,
        rules: [
          { apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch', 'create', 'delete'] },
          {
            apiGroups: ['coordination.k8s.io'],
            resources: ['leases'],
            resourceNames: ['web'],
            verbs: ['get', 'update'],
          },
          { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
        ],
      },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'web' },
        subjects: [{ kind: 'ServiceAccount', namespace: 'shop', name: 'robot' }],
      },
    ]);
  });

  it('takes several files together', async () => {
    for (const verb of ['watch', 'list']) {
      const text = JSON.stringify({ formatVersion: 1, rights: [{ verb, group: '', resource: 'pods' }] });
      writeFileSync(join(folder, `${verb}.json`), text);
    }
    const { stdout } = await rbac('--from', 'watch.json', 'list.json');
    expect(loadAll(stdout)).toMatchObject([
      { kind: 'ClusterRole', metadata: { name: 'operator' }, rules: [{ verbs: ['list', 'watch'] }] },
    ]);
  });

  it('says what is wrong with a file', async () => {
    writeFileSync(join(folder, 'bad.json'), '{}');
    writeFileSync(join(folder, 'none.json'), '{"formatVersion":1,"rights":[]}');
    writeFileSync(join(folder, 'huge.json'), '');
    truncateSync(join(folder, 'huge.json'), 17 * 1024 * 1024);
    mkdirSync(join(folder, 'folder'));
    expect(await refused('bad.json')).toBe(
      'listwatch: bad.json cannot be read: it is not a record of rights of format 1\n',
    );
    expect(await refused('gone.json')).toBe('listwatch: gone.json cannot be read: there is no such file\n');
    expect(await refused('huge.json')).toBe('listwatch: huge.json cannot be read: it is larger than 16 MiB\n');
    expect(await refused('folder')).toBe('listwatch: folder cannot be read: it is a folder\n');
    expect(await refused('none.json')).toBe('listwatch: no right was used: there is no role to print\n');
  });

  it.each([
    [[], 'rbac needs --from FILE'],
    [['--from', 'a.json', '--name', 'a b'], '--name must be a name such as operator, got "a b"'],
    [['--from', 'a.json', '--service-account', 'robot'], '--service-account must be NAMESPACE/NAME'],
  ])('refuses %j: %s', async (args, message) => {
    const { code, stderr } = await rbac(...args);
    expect([code, stderr.startsWith(`listwatch: ${message}`)]).toEqual([2, true]);
  });
});
