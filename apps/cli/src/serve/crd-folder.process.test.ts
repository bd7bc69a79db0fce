import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineKind } from '@listwatch/kinds/author';
import { describe, expect, it, vi } from 'vitest';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { ask, ListwatchProcess } from './serve-process.fixture.ts';

const newFolder = temporaryFolders();
const crdOf = (kind: string, field: string): string =>
  JSON.stringify(
    defineKind({
      group: 'example.com',
      version: 'v1',
      kind,
      schema: { type: 'object', properties: { [field]: { type: 'string' } } },
    }).crd,
  );
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const statusOf = async (kubeconfig: string, path: string): Promise<number> => (await ask(kubeconfig, path)).status;

describe('listwatch serve --crds', () => {
  it('serves the kinds of a folder once it is ready, follows its files, and keeps those whose files go', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'crd'));
    writeFileSync(join(folder, 'crd', 'website.yaml'), crdOf('Website', 'host'));
    const args = ['serve', '--port', '0', '--storage', 'memory', '--crds', 'crd', '--controllers=-*'];
    await using server = new ListwatchProcess(args, folder);
    const { kubeconfig } = await server.ready();
    expect(await statusOf(kubeconfig, '/apis/example.com/v1/websites')).toBe(200);

    writeFileSync(join(folder, 'crd', 'mirror.yaml'), crdOf('Mirror', 'of'));
    await vi.waitFor(async () => expect(await statusOf(kubeconfig, '/apis/example.com/v1/mirrors')).toBe(200), 30_000);

    writeFileSync(join(folder, 'crd', 'mirror.yaml'), '{ kind: CustomResourceDefinition');
    await server.line('cannot be read');
    writeFileSync(join(folder, 'crd', 'mirror.yaml'), crdOf('Mirror', 'from'));
    await vi.waitFor(async () => {
      const { body } = await ask(kubeconfig, `${DEFINITIONS}/mirrors.example.com`);
      expect(JSON.stringify(body)).toContain('from');
    }, 30_000);

    rmSync(join(folder, 'crd', 'mirror.yaml'));
    await server.line('it is still served');
    expect(await statusOf(kubeconfig, '/apis/example.com/v1/mirrors')).toBe(200);
  }, 120_000);

  it.each([
    ['missing', /--crds missing: .*missing cannot be read: there is no such file/u],
    ['bad.yaml', /--crds bad.yaml: .*spec.scope: Unsupported value/u],
  ])(
    'does not start with %s, and says why',
    async (path, message) => {
      const folder = newFolder();
      writeFileSync(join(folder, 'bad.yaml'), crdOf('Website', 'host').replace('Namespaced', 'Nowhere'));
      const args = ['serve', '--port', '0', '--storage', 'memory', '--crds', path];
      await using server = new ListwatchProcess(args, folder);
      const { code, stderr } = await server.ended;
      expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    },
    60_000,
  );
});
