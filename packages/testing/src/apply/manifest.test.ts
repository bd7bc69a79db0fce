import { describe, expect, it } from 'vitest';
import { readManifests } from './manifest.ts';

const names = (source: Parameters<typeof readManifests>[0]) =>
  readManifests(source).map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`);

const pod = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } });

describe('manifests', () => {
  it('are the documents of a YAML text; empty ones and comments are none', () => {
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
    expect(names(yaml)).toEqual(['v1 Pod a', 'apps/v1 Deployment b']);
    expect(names('')).toEqual([]);
  });

  it('may be JSON, one object, several, or lists of them', () => {
    expect(names(JSON.stringify(pod('a')))).toEqual(['v1 Pod a']);
    expect(names(pod('a'))).toEqual(['v1 Pod a']);
    const list = { apiVersion: 'v1', kind: 'List', items: [pod('b'), { kind: 'PodList', items: [pod('c')] }] };
    expect(names([pod('a'), list])).toEqual(['v1 Pod a', 'v1 Pod b', 'v1 Pod c']);
  });

  it('keep everything they say', () => {
    const [manifest] = readManifests({ ...pod('a'), spec: { x: 1 }, metadata: { name: 'a', labels: { b: 'c' } } });
    expect(manifest).toMatchObject({ spec: { x: 1 }, metadata: { labels: { b: 'c' } } });
  });

  it.each([
    [{ apiVersion: 'v1', metadata: { name: 'a' } }, 'object 1 has no kind'],
    [{ kind: 'Pod', metadata: { name: 'a' } }, 'object 1, a Pod, has no apiVersion'],
    [[pod('a'), { apiVersion: 'v1', kind: 'Pod' }], 'object 2, a Pod, has no metadata.name'],
    [{ kind: 'List', items: [{}] }, 'item 1 of object 1 has no kind'],
    [{ kind: 'List' }, 'object 1, a List, has no items'],
    ['just text', 'object 1 is no object but "just text"'],
  ] as const)('%j is refused with its place', (source, message) => {
    expect(() => readManifests(source)).toThrow(new TypeError(message));
  });

  it('a text that is no YAML is refused with its line', () => {
    expect(() => readManifests('a: 1\n---\na: [1\nb: 2')).toThrow(/^the manifests are not YAML at line 4: /u);
    expect(() => readManifests('a: *nothing')).toThrow(/^the manifests are not YAML at line 1: unidentified alias/u);
  });
});
