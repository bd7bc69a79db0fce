import { describe, expect, it, vi } from 'vitest';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { type Answer, ask, ListwatchProcess } from './serve-process.fixture.ts';

const newFolder = temporaryFolders();
const PATIENCE = { timeout: 30_000, interval: 50 };

async function post(kubeconfig: string, path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  return ask(kubeconfig, path, { method: 'POST', headers }, { apiVersion: 'v1', ...body });
}

const statusOf = async (kubeconfig: string, path: string) => (await ask(kubeconfig, path)).status;

describe('the controllers of the process listwatch serve', () => {
  it('fill and empty namespaces, and show their metrics', async () => {
    await using server = new ListwatchProcess(['serve', '--port', '0', '--storage', 'memory'], newFolder());
    const { kubeconfig } = await server.ready();
    expect(await post(kubeconfig, '/api/v1/namespaces', { metadata: { name: 'a' } })).toMatchObject({ status: 201 });
    const paths = ['/api/v1/namespaces/a/serviceaccounts/default', '/api/v1/namespaces/a/configmaps/kube-root-ca.crt'];
    for (const path of paths) {
      await vi.waitFor(async () => expect(await statusOf(kubeconfig, path)).toBe(200), PATIENCE);
    }
    expect(await ask(kubeconfig, '/api/v1/namespaces/a', { method: 'DELETE' })).toMatchObject({ status: 200 });
    await vi.waitFor(async () => expect(await statusOf(kubeconfig, '/api/v1/namespaces/a')).toBe(404), PATIENCE);
    const { body } = await ask(kubeconfig, '/metrics');
    expect(body).toMatch(
      /^controller_runtime_reconcile_total\{controller="namespace-controller",result="success"\} [1-9]/mu,
    );
    expect(body).toMatch(
      /^workqueue_depth\{name="serviceaccount-controller",controller="serviceaccount-controller"\} 0/mu,
    );
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  }, 60_000);

  it('go on with a namespace after the server was killed in the middle', async () => {
    const folder = newFolder();
    const args = ['serve', '--port', '0', '--controllers=namespace-controller'];
    const maps = '/api/v1/namespaces/a/configmaps';
    const count = async (kubeconfig: string) =>
      JSON.stringify((await ask(kubeconfig, maps)).body).split('"uid"').length - 1;
    {
      await using first = new ListwatchProcess(args, folder);
      const { kubeconfig } = await first.ready();
      await post(kubeconfig, '/api/v1/namespaces', { metadata: { name: 'a' } });
      const held = { name: 'held', finalizers: ['example.com/f'] };
      await post(kubeconfig, maps, { kind: 'ConfigMap', metadata: held });
      const names = Array.from({ length: 60 }, (_, index) => `c${index}`);
      await Promise.all(names.map((name) => post(kubeconfig, maps, { kind: 'ConfigMap', metadata: { name } })));
      await ask(kubeconfig, '/api/v1/namespaces/a', { method: 'DELETE' });
      await vi.waitFor(async () => expect(await count(kubeconfig)).toBeLessThan(61), { ...PATIENCE, interval: 1 });
      first.kill('SIGKILL');
      await first.ended;
    }
    await using second = new ListwatchProcess(args, folder);
    const { kubeconfig } = await second.ready();
    await vi.waitFor(async () => expect(await count(kubeconfig)).toBe(1), PATIENCE);
    const headers = { 'content-type': 'application/merge-patch+json' };
    await ask(kubeconfig, `${maps}/held`, { method: 'PATCH', headers }, { metadata: { finalizers: null } });
    await vi.waitFor(async () => expect(await statusOf(kubeconfig, '/api/v1/namespaces/a')).toBe(404), PATIENCE);
  }, 120_000);

  it('are refused by a name that does not exist, with the names that do', async () => {
    await using server = new ListwatchProcess(['serve', '--port', '0', '--controllers', '*,-nope'], newFolder());
    const { code, stderr } = await server.ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^listwatch: --controllers: "-nope" is not in the list of known controllers: namespace-controller, /u,
    );
  }, 60_000);
});
