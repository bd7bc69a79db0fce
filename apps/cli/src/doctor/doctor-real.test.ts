import { type ApiObject, resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';
import { fakeHost } from '../fake-host.test-d.ts';
import { run } from '../main.ts';
import { verdictsOf } from './doctor-report.test-d.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}
const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

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
        cost: 'ok',
        compression: 'ok',
      },
    });
    const names = (await cluster.list(configMaps)).items.map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name.startsWith('listwatch-doctor'))).toEqual([]);
  }, 180_000);
});
