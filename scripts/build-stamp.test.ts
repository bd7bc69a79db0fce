import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeStamp, sourcesOf, staleness, writeStamp } from './build-stamp.mjs';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'listwatch-stamp-'));
  for (const path of ['package-lock.json', 'packages/a/src/one.ts', 'packages/a/dist/one.js', 'apps/b/page/main.tsx'])
    put(path, '1');
});

afterEach(() => rmSync(root, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const stale = (): string | undefined => staleness(sourcesOf(root), [join(root, 'packages/a/dist/one.js')], root);

describe('a build', () => {
  it('is missing at first, and current after it was made', () => {
    rmSync(join(root, 'packages/a/dist/one.js'));
    expect(stale()).toBe('there is no build yet');
    put('packages/a/dist/one.js', '1');
    writeStamp(sourcesOf(root), root);
    expect(stale()).toBeUndefined();
  });

  it.each([
    ['a changed source', 'packages/a/src/one.ts', 'changed since the last build: packages/a/src/one.ts'],
    ['a new source', 'packages/a/src/two.ts', 'changed since the last build: packages/a/src/two.ts'],
    ['other dependencies', 'package-lock.json', 'changed since the last build: package-lock.json'],
  ])('is made anew after %s, and says why', (_, path, reason) => {
    writeStamp(sourcesOf(root), root);
    put(path, '2');
    expect(stale()).toBe(reason);
  });

  it('names one of several changes, and counts the others', () => {
    writeStamp(sourcesOf(root), root);
    rmSync(join(root, 'packages/a/src/one.ts'));
    put('apps/b/page/main.tsx', '2');
    expect(stale()).toMatch(/^changed since the last build: .* and 1 more$/u);
  });

  it('is made anew when a file of it is gone', () => {
    writeStamp(sourcesOf(root), root);
    rmSync(join(root, 'packages/a/dist/one.js'));
    expect(stale()).toBe('packages/a/dist/one.js is missing');
  });

  it('is made anew when one after it was interrupted, also if the sources are again as they were', () => {
    const first = sourcesOf(root);
    writeStamp(first, root);
    put('packages/a/src/one.ts', '2');
    removeStamp(root);
    put('packages/a/src/one.ts', '1');
    expect(sourcesOf(root)).toEqual(first);
    expect(stale()).toBe('the last build did not end');
  });

  it.each(['', '{"packages/a/src/one', 'null'])('is made anew when its stamp is %j', (text) => {
    writeStamp(sourcesOf(root), root);
    put('node_modules/.cache/listwatch-build.json', text);
    expect(stale()).toBe('the last build did not end');
  });

  it('stays current when a test changes, or only the time of a source', () => {
    writeStamp(sourcesOf(root), root);
    put('packages/a/src/one.test.ts', '2');
    utimesSync(join(root, 'packages/a/src/one.ts'), new Date(0), new Date(0));
    expect(stale()).toBeUndefined();
  });
});
