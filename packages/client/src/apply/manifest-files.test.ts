import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readManifestFiles } from './manifest-files.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-manifests-'));
  mkdirSync(join(folder, 'config', 'deep', 'er'), { recursive: true });
  const write = (path: string, ...names: readonly string[]): void =>
    writeFileSync(
      join(folder, path),
      names.map((name) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`).join('---\n'),
    );
  write('config/b.yaml', 'b', 'b2');
  write('config/a.yml', 'a');
  write('config/notes.txt', 'notes');
  write('config/deep/er/c.json', 'c');
  writeFileSync(join(folder, 'bad.yaml'), 'apiVersion: v1\nkind: ConfigMap\n');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the manifests of files', () => {
  it.each([
    ['config/b.yaml', ['b', 'b2']],
    ['config/notes.txt', ['notes']],
    ['config', ['a', 'b', 'b2', 'c']],
    ['config/*.yaml', ['b', 'b2']],
    ['config/?.y*ml', ['a', 'b', 'b2']],
    ['config/**/*.json', ['c']],
    ['**/[ab].yaml', 'no file matches **/[ab].yaml'],
    ['config/*.toml', 'no file matches config/*.toml'],
    ['nowhere/*.yaml', 'nowhere cannot be read: there is no such file'],
    ['config/missing.yaml', 'missing.yaml cannot be read: there is no such file'],
    ['bad.yaml', 'bad.yaml cannot be read: object 1, a ConfigMap, has no metadata.name'],
  ])('%s', async (source, expected) => {
    const reading = readManifestFiles(source, folder);
    if (typeof expected === 'string') await expect(reading).rejects.toThrow(expected);
    else expect((await reading).map(({ object }) => object.metadata.name)).toEqual(expected);
  });
});
