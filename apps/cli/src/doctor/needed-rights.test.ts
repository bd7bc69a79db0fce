import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '@listwatch/client';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeHost, fakeHost } from '../fake-host.fixture.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { doctor } from './doctor-command.ts';
import type { DoctorFlags } from './doctor-flags.ts';
import { summariesOf, verdictsOf } from './doctor-report.fixture.ts';

const newFolder = temporaryFolders();
const serviceAccount = 'shop/robot';
const ROBOT = 'system:serviceaccount:shop:robot';
let env: TestEnvironment;
let folder: string;

beforeEach(async () => {
  folder = newFolder();
  env = await startTestServer({ client: { maxRetries: 0 }, controllers: [] });
  await env.apply(`
{ apiVersion: v1, kind: Namespace, metadata: { name: shop } }
---
{ apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: { name: robot, namespace: shop }, rules: [
  { apiGroups: [""], resources: [pods], verbs: [list, watch] }, { apiGroups: [""], resources: [services], verbs: [list] },
  { apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [web], verbs: [get] } ] }
---
{ apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: { name: robot, namespace: shop },
  roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: robot },
  subjects: [{ kind: Group, apiGroup: rbac.authorization.k8s.io, name: "system:serviceaccounts:shop" }] }`);
});

afterEach(() => env.close());

async function examined(flags: DoctorFlags, cluster: Cluster = env.as('admin', ['system:masters'])): Promise<FakeHost> {
  const host = fakeHost({ folder });
  await doctor({ only: 'permissions', output: 'json', ...flags }, host, async () => cluster);
  return host;
}

function written(rights: readonly object[], paths: readonly string[] = []): string {
  writeFileSync(join(folder, 'rights.json'), JSON.stringify({ formatVersion: 1, rights, paths }));
  return 'rights.json';
}

describe('the rights that a service account needs', () => {
  it('are named where they are missing for its informers', async () => {
    const host = await examined({ serviceAccount, informers: 'pods,services', namespace: 'shop' });
    expect(verdictsOf(host)).toEqual({ permissions: 'fail' });
    expect(summariesOf(host, 'permissions')).toContain('shop/robot lacks 1 right of 4: watch services in shop.');
  });

  it('are asked for in all namespaces where none is given', async () => {
    const host = await examined({ serviceAccount, informers: 'pods' });
    expect(summariesOf(host, 'permissions')).toContain('shop/robot lacks 2 rights of 2: list pods, watch pods.');
  });

  it('are complete when the role has them all', async () => {
    const host = await examined({ serviceAccount, informers: 'pods', namespace: 'shop' });
    expect(verdictsOf(host)).toEqual({ permissions: 'ok' });
    expect(summariesOf(host, 'permissions')).toContain('shop/robot has all 2 rights that are needed.');
  });

  it('are those that a manager recorded: subresources, names and paths count', async () => {
    const leases = { group: 'coordination.k8s.io', resource: 'leases', namespace: 'shop' };
    const rights = written(
      [
        { verb: 'get', ...leases, names: ['web'] },
        { verb: 'get', ...leases, names: ['other'] },
        { verb: 'patch', group: '', resource: 'pods/status', namespace: 'shop', names: ['a', 'b'] },
      ],
      ['/metrics'],
    );
    const host = await examined({ serviceAccount, rights });
    expect(summariesOf(host, 'permissions')).toContain(
      'shop/robot lacks 3 rights of 5: get leases.coordination.k8s.io in shop, patch pods/status in shop, get /metrics.',
    );
  });

  it('are those of the user where no service account is named', async () => {
    const host = await examined({ informers: 'pods,services', namespace: 'shop' }, env.as(ROBOT));
    expect(summariesOf(host, 'permissions')).toContain('This user lacks 1 right of 4: watch services in shop.');
  });

  it('cannot be asked for by whoever may not create reviews, which is no verdict about them', async () => {
    const host = await examined({ serviceAccount, informers: 'pods' }, env.as(ROBOT));
    expect(verdictsOf(host)).toEqual({ permissions: 'skipped' });
    expect(verdictsOf(await examined({ serviceAccount }, env.as(ROBOT)))).toEqual({ permissions: 'skipped' });
  });

  it('are all that it has when nothing is named', async () => {
    const host = await examined({ serviceAccount, namespace: 'shop' });
    expect(summariesOf(host, 'permissions')).toContain(
      'shop/robot may list or watch in namespace shop, but not both: services',
    );
  });

  it('name a resource that the server does not have', async () => {
    const host = await examined({ serviceAccount, informers: 'websites' });
    expect(verdictsOf(host)).toEqual({ permissions: 'skipped' });
    expect(summariesOf(host, 'permissions')).toContain('websites');
  });

  it('are asked for at most 500 times', async () => {
    const names = Array.from({ length: 510 }, (_, index) => `n${index}`);
    const rights = written([{ verb: 'get', group: '', resource: 'pods', namespace: 'shop', names }]);
    const host = await examined({ serviceAccount, rights });
    expect(summariesOf(host, 'permissions')).toContain('lacks 1 right of 500, 10 rights left out: get pods in shop.');
  });

  it.each([
    [{ serviceAccount: 'robot' }, '--service-account must be NAMESPACE/NAME such as shop/robot, got "robot"'],
    [{ informers: 'pods/a' }, '--informers must be a resource such as pods, '],
    [{ rights: 'gone.json' }, 'gone.json cannot be read: there is no such file'],
  ])('refuses %j', async (flags, message) => {
    await expect(examined(flags)).rejects.toThrow(message);
  });
});
