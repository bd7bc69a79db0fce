import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resource } from '@listwatch/api';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExampleProcess } from './example-process.fixture.ts';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

let folder = '';
let env: TestEnvironment;
let kubeconfig = '';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-example-'));
  env = await startTestServer({ listen: true });
  kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, env.kubeconfig);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await env.close();
  rmSync(folder, { recursive: true });
});

function configMap(name: string, data: Readonly<Record<string, string>> = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

function pod(name: string, nodeName: string, phase: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'web' } },
    spec: { nodeName, containers: [{ name: 'main', image: 'web' }] },
    status: { phase },
  };
}

async function remove(name: string): Promise<void> {
  await env.cluster.delete(configMaps, { namespace: 'default', name });
}

describe('the examples of the runtime', () => {
  it('quickstart.ts prints what exists and what changes', async () => {
    await env.apply(configMap('a'));
    await using example = new ExampleProcess('quickstart.ts', kubeconfig);
    await example.says('add default/a\n');
    await env.apply(configMap('b'));
    await example.says('add default/b\n');
    await remove('a');
    await example.says('delete default/a\n');
  });

  it('quickstart.ts is the program that README.md shows', () => {
    const [, readme = ''] =
      /```ts\n(.*?)```/su.exec(readFileSync(new URL('../README.md', import.meta.url), 'utf8')) ?? [];
    const example = readFileSync(new URL('quickstart.ts', import.meta.url), 'utf8');
    expect(example.slice(example.indexOf('import'))).toBe(readme);
  });

  it('first-watcher.ts tells what is there and what changes, and ends on Ctrl-C', async () => {
    await env.apply(configMap('a'));
    await using example = new ExampleProcess('first-watcher.ts', kubeconfig);
    await example.says('there is a\n');
    await example.says('that was all; from now on each change\n');
    await env.apply(configMap('b', { colour: 'green' }));
    await example.says('b is now {"colour":"green"}\n');
    await remove('b');
    await example.says('default/b is gone\n');
    expect(await example.interrupt()).toBe(0);
    expect(example.output).toMatch(/^watching configmaps in default of https:.*\nended\n$/su);
  });

  it('first-informer.ts shows its index and the changes of the pods that it selects', async () => {
    await env.apply([pod('one', 'n1', 'Pending'), pod('two', 'n2', 'Running')]);
    await using example = new ExampleProcess('first-informer.ts', kubeconfig);
    await example.says('2 pods\non n1: default/one\non n2: default/two\n');
    await env.apply(pod('one', 'n1', 'Running'));
    await example.says('~ default/one (Pending -> Running)\n');
    await env.apply(pod('three', 'n1', 'Pending'));
    await example.says('+ default/three (Pending)\n');
    expect(await example.interrupt()).toBe(0);
    expect(example.output).toMatch(/ended with 3 pods\n$/u);
  });

  it('pod-informer.ts follows the pods of its namespace, is ready when its cache is, and ends on a signal', async () => {
    vi.stubEnv('PORT', '0');
    await env.apply(pod('one', 'n1', 'Running'));
    await using example = new ExampleProcess('pod-informer.ts', kubeconfig);
    await example.says('add default/one\n');
    const [, port] = /port: (\d+)/u.exec(example.output) ?? [];
    for (const path of ['readyz', 'livez']) {
      const answer = await fetch(`http://127.0.0.1:${port}/${path}`);
      expect([answer.status, await answer.text()]).toEqual([200, 'live \n']);
    }
    expect(await example.interrupt()).toBe(0);
  });

  it('browser-proxy.ts lets those who have logged in list and watch, and nobody write', async () => {
    vi.stubEnv('PORT', '0');
    await env.apply(configMap('a'));
    await using example = new ExampleProcess('browser-proxy.ts', kubeconfig);
    await example.says('the page is at');
    await example.says('port: ');
    const [, port] = /port: (\d+)/u.exec(example.output) ?? [];
    const maps = `http://127.0.0.1:${port}/cluster/api/v1/namespaces/default/configmaps`;
    const headers = { cookie: 'session=session-1' };
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('<!doctype html>');
    expect((await fetch(maps)).status).toBe(401);
    expect((await fetch(maps, { method: 'POST', headers })).status).toBe(405);
    expect(await (await fetch(maps, { headers })).json()).toMatchObject({ items: [{ metadata: { name: 'a' } }] });
    const watch = await fetch(`${maps}?watch=1&resourceVersion=0`, { headers });
    const reader = watch.body?.getReader() ?? expect.unreachable();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toContain('"ADDED"');
    await reader.cancel();
    expect(await example.interrupt()).toBe(0);
  });

  it('checkpointed-informer.ts is ready from its file, and tells of what it missed', async () => {
    const path = join(folder, 'saved', 'configmaps.checkpoint');
    await env.apply([configMap('kept'), configMap('doomed')]);
    {
      await using first = new ExampleProcess('checkpointed-informer.ts', kubeconfig, path);
      await first.says('ready with 2 objects: listed\n');
      expect(await first.interrupt()).toBe(0);
      expect(first.output).toMatch(/saved at version \d+\n$/u);
      expect(existsSync(path)).toBe(true);
    }
    await remove('doomed');
    await env.apply(configMap('young'));
    await using second = new ExampleProcess('checkpointed-informer.ts', kubeconfig, path);
    await second.says('ready with 2 objects: filled from a checkpoint');
    await second.says('delete default/doomed\n');
    await second.says('add default/young\n');
    expect(await second.interrupt()).toBe(0);
  });
});
