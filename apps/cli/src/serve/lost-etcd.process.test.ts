import { type EtcdProcess, needs, startEtcd } from '@listwatch/conformance/parts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { ask, ListwatchProcess } from './serve-process.fixture.ts';

const newFolder = temporaryFolders();
const WAIT = { timeout: 60_000, interval: 200 };
const MAPS = '/api/v1/namespaces/default/configmaps';
const BODY = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

describe('listwatch serve whose etcd is gone', needs('etcd'), () => {
  let etcd: EtcdProcess;

  beforeAll(async () => {
    etcd = await startEtcd();
  }, 60_000);
  afterAll(() => etcd.stop());

  it('says so on /readyz, serves what may be old, refuses the rest with 504, and ends in time', async () => {
    const flags = ['--port', '0', '--storage', 'etcd', '--etcd-servers', etcd.endpoint];
    await using server = new ListwatchProcess(['serve', ...flags], newFolder());
    const { kubeconfig } = await server.ready();
    const post = (): ReturnType<typeof ask> =>
      ask(kubeconfig, MAPS, { method: 'POST', headers: { 'content-type': 'application/json' } }, BODY);
    expect((await post()).status).toBe(201);
    expect((await ask(kubeconfig, '/readyz')).status).toBe(200);
    await vi.waitFor(
      async () => expect(String((await ask(kubeconfig, '/metrics')).body)).toMatch(/master_status\{.*\} 1$/mu),
      WAIT,
    );
    await etcd.kill();
    const asking = Promise.all([post(), ask(kubeconfig, MAPS), ask(kubeconfig, `${MAPS}?resourceVersion=0`)]);
    await vi.waitFor(async () => {
      const { status, body } = await ask(kubeconfig, '/readyz');
      expect(status).toBe(500);
      expect(body).toMatch(/\[-\]etcd-readiness failed: the storage/u);
    }, WAIT);
    expect((await ask(kubeconfig, '/livez')).status).toBe(200);
    expect(await server.line('no member of etcd serves')).toMatch(/"level":"error".*ECONNREFUSED/u);
    const [write, list, old] = await asking;
    expect([write.status, list.status, old.status]).toEqual([504, 504, 200]);
    expect(write.body).toMatchObject({ reason: 'Timeout' });
    server.kill('SIGTERM');
    // Far below the minutes that the retries of its controllers took before; on a busy machine it is well above 20 s.
    const late = new Promise((resolve) => setTimeout(() => resolve('it runs on'), 60_000));
    expect(await Promise.race([server.ended, late])).toMatchObject({ code: 0 });
    const { stderr } = await server.ended;
    expect(stderr).not.toMatch(/unhandled/iu);
  }, 240_000);
});
