import { describe, expect, it } from 'vitest';
import { readManifests } from './manifest.ts';

async function names(source: Parameters<typeof readManifests>[0]): Promise<readonly string[]> {
  const manifests = await readManifests(source);
  return manifests.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`);
}

const pod = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } });

describe('manifests', () => {
  it('are the documents of a YAML text; empty ones and comments are none', async () => {
    const yaml = [
      '# all of it',
      '---',
      'apiVersion: v1\nkind: Pod\nmetadata: { name: a }',
      '---',
      '# nothing here',
      '---',
      'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: b',
      '---',
      '',
    ].join('\n');
    expect(await names(yaml)).toEqual(['v1 Pod a', 'apps/v1 Deployment b']);
    expect(await names('')).toEqual([]);
  });

  it('may be JSON, one object, several, or lists of them', async () => {
    expect(await names(JSON.stringify(pod('a')))).toEqual(['v1 Pod a']);
    expect(await names(pod('a'))).toEqual(['v1 Pod a']);
    const list = { apiVersion: 'v1', kind: 'List', items: [pod('b'), { kind: 'PodList', items: [pod('c')] }] };
    expect(await names([pod('a'), list])).toEqual(['v1 Pod a', 'v1 Pod b', 'v1 Pod c']);
  });

  it('keep everything they say', async () => {
    const [manifest] = await readManifests({
      ...pod('a'),
      spec: { x: 1 },
      metadata: { name: 'a', labels: { b: 'c' } },
    });
    expect(manifest).toMatchObject({ spec: { x: 1 }, metadata: { labels: { b: 'c' } } });
  });

  it.each([
    [{ apiVersion: 'v1', metadata: { name: 'a' } }, 'object 1 has no kind'],
    [{ kind: 'Pod', metadata: { name: 'a' } }, 'object 1, a Pod, has no apiVersion'],
    [[pod('a'), { apiVersion: 'v1', kind: 'Pod' }], 'object 2, a Pod, has no metadata.name'],
    [{ kind: 'List', items: [{}] }, 'item 1 of object 1 has no kind'],
    [{ kind: 'List' }, 'object 1, a List, has no items'],
    ['just text', 'object 1 is no object but "just text"'],
  ] as const)('%j is refused with its place', async (source, message) => {
    await expect(readManifests(source)).rejects.toThrow(new TypeError(message));
  });

  it('a text that is no YAML is refused with its line', async () => {
    await expect(readManifests('a: 1\n---\na: [1\nb: 2')).rejects.toThrow(/^the manifests are not YAML at line 4: /u);
    await expect(readManifests('a: *nothing')).rejects.toThrow(
      /^the manifests are not YAML at line 1: unidentified alias/u,
    );
  });
});

describe('a YAML text that grows', () => {
  it('by aliases of aliases is refused', async () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const value = level === 0 ? '"lol"' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array.from({ length: 10 }, () => value).join(', ')}]`;
    });
    await expect(readManifests(levels.join('\n'))).rejects.toThrow(/^the YAML has more than 5000000 values/u);
  });

  it('by merges is refused', async () => {
    const map = Array.from({ length: 1000 }, (_, index) => `  k${index}: 1`).join('\n');
    const merges = Array.from({ length: 500 }, (_, index) => `m${index}:\n  <<: *base`).join('\n');
    await expect(readManifests(`base: &base\n${map}\n${merges}`)).rejects.toThrow(TypeError);
  });

  it('by nesting is refused', async () => {
    await expect(readManifests('['.repeat(100_000))).rejects.toThrow(TypeError);
    await expect(readManifests(`${'{a: '.repeat(101)}1${'}'.repeat(101)}`)).rejects.toThrow(TypeError);
  });

  it('is refused when it is too long to be read', async () => {
    await expect(readManifests(' '.repeat(64 * 1024 * 1024 + 1))).rejects.toThrow(/^the YAML has 67108865 characters/u);
  });
});
