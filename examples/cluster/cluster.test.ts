import { connect } from '@listwatch/client';
import { needs } from '@listwatch/conformance/parts';
import { configMaps } from '@listwatch/kinds';
import { describe, expect, it, vi } from 'vitest';
import { ExampleProcess } from '../example-process.fixture.ts';

const WAIT = { timeout: 60_000, interval: 200 };

/** Both are needed: the missing one is named. */
const parts = [needs('etcd'), needs('openssl')].find(({ skip }) => skip === true) ?? {};

describe('the example of a cluster', parts, () => {
  it('starts, says who leads, goes on without one of its servers, and ends with nothing left', async () => {
    await using example = new ExampleProcess('cluster/main.ts', '');
    await example.says('export KUBECONFIG=');
    const [, kubeconfig = ''] = /KUBECONFIG=(\S+)/u.exec(example.output) ?? [];
    await using cluster = await connect({ kubeconfig });
    expect(cluster.server.split(',')).toHaveLength(3);
    await cluster.create(configMaps, { metadata: { name: 'a', namespace: 'default' } });
    await vi.waitFor(() => {
      const line = example.output.trim().split('\n').at(-1) ?? '';
      expect(line.match(/etcd-\d \(pid \d+\) LEADS/gu)).toHaveLength(1);
      expect(line.match(/server-\d \(pid \d+\) LEADS/gu)).toHaveLength(1);
    }, WAIT);
    const pids = [...example.output.matchAll(/pid (\d+)/gu)].map(([, pid]) => Number(pid));
    const [, leader] = /server-\d \(pid (\d+)\) LEADS/u.exec(example.output) ?? [];
    process.kill(Number(leader), 'SIGKILL');
    // Through another server, whichever was killed.
    const { metadata } = await cluster.get(configMaps, { name: 'a', namespace: 'default' });
    expect(metadata.name).toBe('a');
    await vi.waitFor(() => expect(example.output).toContain(`(pid ${leader}) down`), WAIT);
    expect(await example.interrupt()).toBe(0);
    for (const pid of new Set(pids)) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  }, 180_000);
});
