import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { customResourceDefinitions } from '@listwatch/kinds';
import { defineKind } from '@listwatch/kinds/author';
import { startTestServer } from '@listwatch/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeHost } from '../fake-host.fixture.ts';
import { run } from '../main.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const website = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Website',
  schema: { type: 'object', properties: { spec: { type: 'object', properties: { host: { type: 'string' } } } } },
});
const mirror = defineKind({ group: 'example.org', version: 'v1', kind: 'Mirror', schema: { type: 'object' } });

const newFolder = temporaryFolders();
let folder: string;

beforeEach(() => {
  folder = newFolder();
  mkdirSync(join(folder, 'crd', 'more'), { recursive: true });
  writeFileSync(join(folder, 'crd', 'website.json'), JSON.stringify(website.crd));
  const other = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n';
  writeFileSync(join(folder, 'crd', 'more', 'mirror.yaml'), other + JSON.stringify(mirror.crd));
  writeFileSync(join(folder, 'crd', 'README.md'), 'not a manifest');
});

async function types(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const host = fakeHost({ args: ['types', ...args], folder });
  return { code: await run(host), ...host.written };
}

describe('listwatch types', () => {
  it('writes the types of a file', async () => {
    const { code, stdout } = await types('crd/website.json');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('export interface WebsiteSpec {\n  readonly host?: string;\n}'),
    ]);
  });

  it('writes those of all CRDs in a folder, and what it writes compiles', async () => {
    expect(await types('crd', '-o', 'kinds.ts')).toMatchObject({ code: 0, stdout: '' });
    const text = readFileSync(join(folder, 'kinds.ts'), 'utf8');
    expect(text).toContain('export const mirrors = resource<Mirror>({');
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--customConditions', '@listwatch/source'];
    const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
    const allowed = ['--allowImportingTsExtensions', '--skipLibCheck', '--lib', 'esnext', '--types', 'node'];
    execFileSync(tsc, [...options, ...allowed, 'kinds.ts'], { cwd: folder, stdio: 'pipe', encoding: 'utf8' });
  });

  it('writes only those that are named', async () => {
    const { stdout } = await types('crd', '--only', 'mirrors.example.org');
    expect(stdout).toContain('Mirror');
    expect(stdout).not.toContain('Website');
  });

  it('reads the CRDs of a cluster', async () => {
    await using env = await startTestServer({ listen: true, controllers: [] });
    await env.cluster.create(customResourceDefinitions, website.crd);
    writeFileSync(join(folder, 'kubeconfig'), env.kubeconfig);
    const { code, stdout } = await types('--cluster', '--kubeconfig', 'kubeconfig');
    expect([code, stdout]).toEqual([0, expect.stringContaining('export const websites = resource<Website>({')]);
  });

  it.each([
    [[], 2, 'types needs a file or a folder with CRDs, or --cluster'],
    [['crd', '--cluster'], 2, '--cluster cannot be combined with files'],
    [['crd', '--only', 'nope.example.com'], 2, '--only names "nope.example.com", which is not there'],
    [['missing.yaml'], 1, 'missing.yaml cannot be read: there is no such file'],
    [['crd/README.md'], 1, 'crd/README.md cannot be read: '],
    [['crd', '-o', 'crd'], 1, 'crd cannot be written: it is a folder'],
  ])('%j ends with %d and one sentence', async (args, code, message) => {
    const result = await types(...args);
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(message)]);
    expect(result.stdout).toBe('');
  });
});
