import { expect, it, vi } from 'vitest';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { ask, ListwatchProcess } from './serve-process.fixture.ts';

const newFolder = temporaryFolders();
const ARGS = ['serve', '--port', '0', '--controllers', '-*'];
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ENOUGH = 60;

const definition = (group: string): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Cluster',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

it('a server that was killed while it took definitions serves all that it acknowledged when it is ready', async () => {
  const folder = newFolder();
  const acknowledged: string[] = [];
  {
    await using first = new ListwatchProcess(ARGS, folder);
    const { kubeconfig } = await first.ready();
    const groups = Array.from({ length: 2 * ENOUGH }, (_, n) => `g${n}.killed.example.com`);
    const headers = { 'content-type': 'application/json' };
    const posts = groups.map(async (group) => {
      const { status } = await ask(kubeconfig, DEFINITIONS, { method: 'POST', headers }, definition(group));
      if (status !== 201) return;
      acknowledged.push(group);
      if (acknowledged.length === ENOUGH) first.kill('SIGKILL');
    });
    // Those that were under way when the server was killed have no answer.
    await Promise.allSettled(posts);
    await first.ended;
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(ENOUGH);
  await using second = new ListwatchProcess(ARGS, folder);
  const { kubeconfig } = await second.ready();
  await vi.waitFor(async () => expect((await ask(kubeconfig, '/readyz')).status).toBe(200), {
    timeout: 60_000,
    interval: 5,
  });
  const statuses = await Promise.all(
    acknowledged.map(async (group) => (await ask(kubeconfig, `/apis/${group}/v1/widgets`)).status),
  );
  expect(statuses).toEqual(acknowledged.map(() => 200));
}, 180_000);
