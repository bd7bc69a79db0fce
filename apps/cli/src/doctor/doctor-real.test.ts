import { type ApiObject, resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';
import { fakeHost } from '../fake-host.fixture.ts';
import { run } from '../main.ts';
import { summariesOf, verdictsOf } from './doctor-report.fixture.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}
const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: true };
const roles = resource<ApiObject & { readonly rules: readonly object[] }>({ ...rbac, plural: 'roles', kind: 'Role' });
const roleBindings = resource<ApiObject & { readonly roleRef: object; readonly subjects: readonly object[] }>({
  ...rbac,
  plural: 'rolebindings',
  kind: 'RoleBinding',
});

describe('listwatch doctor of a real server', needs('kube-apiserver'), () => {
  it('finds nothing wrong, sees bookmarks, watch-list, the 410 window, HTTP/2 and gzip, and leaves nothing behind', async () => {
    await using server = await startKubeApiserver();
    await using cluster = await connect({ kubeconfig: server.kubeconfig });
    const data = { filler: 'x'.repeat(100_000) };
    for (const name of ['a', 'b', 'c']) {
      await cluster.create(configMaps, { metadata: { name, namespace: 'default' }, data });
    }
    const args = ['doctor', '--kubeconfig', server.kubeconfig, '--write', '--duration', '15s', '-o', 'json'];
    const host = fakeHost({ args });
    const code = await run(host);
    const verdicts = verdictsOf(host);
    expect({ code, verdicts }).toEqual({
      code: 0,
      verdicts: {
        server: 'ok',
        rtt: 'ok',
        clock: 'ok',
        discovery: 'ok',
        permissions: 'ok',
        http2: 'ok',
        paging: 'ok',
        versions: 'ok',
        history: 'ok',
        'watch-list': 'ok',
        bookmarks: 'ok',
        quiet: 'ok',
        latency: 'ok',
        fairness: 'skipped',
        cost: 'ok',
        compression: 'ok',
      },
    });
    const names = (await cluster.list(configMaps)).items.map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name.startsWith('listwatch-doctor'))).toEqual([]);
  }, 180_000);

  it('examines a user of one namespace there, and finds that what may be listed and not watched is wrong', async () => {
    await using server = await startKubeApiserver();
    await using cluster = await connect({ kubeconfig: server.kubeconfig });
    const metadata = { name: 'reader', namespace: 'default' };
    const rules = [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
    ];
    await cluster.create(roles, { metadata, rules });
    await cluster.create(roleBindings, {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
    });
    const only = 'permissions,versions,history,watch-list,latency,cost';
    const args = ['doctor', '--kubeconfig', server.kubeconfig, '--as', 'bob', '--only', only, '--write', '-o', 'json'];
    const host = fakeHost({ args });
    expect(await run(host)).toBe(1);
    expect(verdictsOf(host)).toEqual({
      permissions: 'warn',
      versions: 'ok',
      history: 'ok',
      'watch-list': 'ok',
      latency: 'skipped',
      cost: 'ok',
    });
    expect(summariesOf(host, 'permissions')).toContain('may list or watch in namespace default, but not both: pods.');
    expect(summariesOf(host, 'cost')).toMatch(/^2 lists of \d+ have 0 objects/u);
  }, 180_000);
});
