/** Runs what pages of the guide and READMEs of packages show, as a reader would who copies it. */

import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExampleProcess } from './example-process.fixture.ts';

// Each test starts a server and a program that loads the packages.
vi.setConfig({ testTimeout: 60_000 });

const ROOT = fileURLToPath(new URL('..', import.meta.url));

let folder = '';
let env: TestEnvironment;
let kubeconfig = '';
let program: ExampleProcess | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-page-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  env = await startTestServer({ listen: true });
  kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, env.kubeconfig);
});

afterEach(async () => {
  // A test that has timed out has not ended it.
  await program?.[Symbol.asyncDispose]();
  program = undefined;
  await env.close();
  rmSync(folder, { recursive: true });
});

function blocksOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gmsu)].map(([, code = '']) => code);
}

/** The blocks as one program. What a reader must change is changed: a text that the page does not have is an error. */
function programOf(
  page: string,
  indexes: readonly number[],
  changes: Readonly<Record<string, string>> = {},
): ExampleProcess {
  const blocks = blocksOf(page);
  let code = indexes.map((index) => blocks[index] ?? expect.unreachable(`${page} has no block ${index}`)).join('\n');
  for (const [from, to] of Object.entries(changes)) {
    expect(code, page).toContain(from);
    code = code.replace(from, () => to);
  }
  const file = join(folder, 'app.ts');
  writeFileSync(file, code);
  program = new ExampleProcess(file, kubeconfig, folder);
  return program;
}

/** A port that the system chooses, said by the program. */
const SAYS_ITS_PORT = `.listen(0, '127.0.0.1', function () { console.log(\`port \${this.address().port}.\`); })`;

async function portOf(shown: ExampleProcess): Promise<string> {
  await shown.says('.\n');
  const [, port = ''] = /^port (\d+)\.$/mu.exec(shown.output) ?? [];
  return port;
}

const web = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1', labels: { app: 'web' } },
  spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'web' }] },
  status: { phase: 'Pending' },
};

describe('docs/guide/first-informer.md', () => {
  const PAGE = 'docs/guide/first-informer.md';
  const changed = { ...web, metadata: { ...web.metadata, labels: { app: 'web', seen: 'no' } } };

  it('reads the cache and its own write', async () => {
    await env.apply(web);
    await using shown = programOf(PAGE, [0, 1, 2]);
    expect(await shown.ended()).toBe(0);
    expect(shown.output).toBe('1 pods 1 of them on node-1\nweb-1\n');
  });

  it('reacts to changes in a loop and by callbacks', async () => {
    await env.apply(web);
    await using shown = programOf(PAGE, [0, 4, 3], { 'await off();': '' });
    await shown.says('+ default/web-1\n');
    await env.apply(changed);
    await shown.says('~ default/web-1\n');
    await shown.says('default/web-1 Pending -> Pending\n');
  });

  it('shares a watch, and starts from a checkpoint', async () => {
    await env.apply(web);
    await using shown = programOf(PAGE, [0, 5, 6], { '/var/lib/web/pods.checkpoint': join(folder, 'checkpoint') });
    expect(await shown.ended()).toBe(0);
    expect(shown.output).toBe('1 pods 1 of them on node-1\n1 true\n');
  });
});

it('docs/guide/first-watcher.md shows what changes', async () => {
  await using shown = programOf('docs/guide/first-watcher.md', [0]);
  let writes = 0;
  // It says nothing when it has begun to watch.
  await vi.waitFor(
    async () => {
      writes += 1;
      const metadata = { name: 'settings', labels: { app: 'web' } };
      await env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { writes: String(writes) } });
      expect(shown.output).toMatch(/^settings \{ writes: '\d+' \}$/mu);
    },
    { timeout: 20_000, interval: 200 },
  );
});

describe('programs that serve until Ctrl-C', () => {
  it('docs/guide/embed-the-server.md: the users of the application, and nobody else', async () => {
    await using shown = programOf('docs/guide/embed-the-server.md', [0], { '.listen(3000)': SAYS_ITS_PORT });
    const url = `http://127.0.0.1:${await portOf(shown)}/cluster/api/v1/namespaces`;
    const answers = [await fetch(url, { headers: { authorization: 'Bearer session-1' } }), await fetch(url)];
    expect(answers.map(({ status }) => status)).toEqual([200, 403]);
    expect(await shown.interrupt()).toBe(0);
  });

  it('packages/server/README.md: everybody', async () => {
    await using shown = programOf('packages/server/README.md', [0], { ".listen(8001, '127.0.0.1')": SAYS_ITS_PORT });
    expect((await fetch(`http://127.0.0.1:${await portOf(shown)}/api/v1/namespaces`)).status).toBe(200);
  });

  it('packages/controllers/README.md: a new server has its namespaces', async () => {
    await using shown = programOf('packages/controllers/README.md', [0], {
      'await controllers.ready;': "await controllers.ready;\nsetImmediate(() => console.log('ready'));",
    });
    await shown.says('ready\n');
    expect(await shown.interrupt()).toBe(0);
  });
});

describe('the first program of a README', () => {
  it.each([
    ['packages/client/README.md', 'settings\n'],
    ['packages/kinds/README.md', "[ 'web' ] 1\n"],
    ['packages/cel/README.md', 'true 17\n'],
    ['packages/rules/README.md', 'must be greater than or equal to 0'],
    ['packages/storage/README.md', "key: '/pods/a'"],
    ['packages/storage-lmdb/README.md', 'n\n'],
    ['packages/testing/README.md', ''],
  ])('%s ends by itself', async (page, output) => {
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };
    await env.apply(page === 'packages/kinds/README.md' ? web : settings);
    await using shown = programOf(page, [0]);
    expect({ code: await shown.ended(), output: shown.output }).toEqual({
      code: 0,
      output: expect.stringContaining(output),
    });
  });

  it('packages/runtime/README.md follows a namespace', async () => {
    await using shown = programOf('packages/runtime/README.md', [0]);
    await shown.says('0 undefined\n');
    await env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } });
    await shown.says('add default/settings\n');
  });
});

it('no program of a page serves and ends at once: `await using` would close what it has just opened', () => {
  const pages = ['docs/guide/embed-the-server.md', 'packages/relay/README.md', 'packages/controllers/README.md'];
  for (const page of pages) expect(blocksOf(page)[0], page).toContain("await once(process, 'SIGINT');");
});
