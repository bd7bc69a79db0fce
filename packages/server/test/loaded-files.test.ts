import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadedFiles } from './loaded-files.ts';

const SOURCE = 'packages/server/src';

function within(files: readonly string[], folder: string): readonly string[] {
  return files.filter((file) => file.startsWith(`${folder}/`));
}

/** These numbers may only shrink: a larger one is a file that a reader has to open. */
const FEED_FILES = 6;
const WATCH_FILES = 42;
const CREATE_FILES = 91;
const SERVER_LINES = 27_000;

describe('the files that a reader opens', () => {
  it('for the feed of the storage are few, and none of them is a rule or a schema', async () => {
    const files = await loadedFiles(`${SOURCE}/cache/storage-feed.ts`);
    for (const name of ['rules', 'kinds', 'schema', 'cel']) expect(within(files, `packages/${name}`)).toEqual([]);
    expect(within(files, SOURCE).length, within(files, SOURCE).join('\n')).toBeLessThanOrEqual(FEED_FILES);
  });

  it('for the caches and the watches on them are few, and none of them is a rule', async () => {
    const files = await loadedFiles(`${SOURCE}/watch/cache-set.ts`, `${SOURCE}/watch/watch-hub.ts`);
    expect(within(files, 'packages/rules')).toEqual([]);
    expect(within(files, SOURCE).length, within(files, SOURCE).join('\n')).toBeLessThanOrEqual(WATCH_FILES);
  });

  // The way of the request, the stages of the write, and what admission and quotas do with it.
  it('for a POST do not become more', async () => {
    const parts = ['route/pipeline', 'write/pipeline', 'write/admission/server-admission'];
    const files = await loadedFiles(...parts.map((part) => `${SOURCE}/${part}.ts`));
    expect(within(files, SOURCE).length, within(files, SOURCE).join('\n')).toBeLessThanOrEqual(CREATE_FILES);
  });
});

it('the server does not become longer than it has to be: rules and schemas have packages of their own', () => {
  const folder = fileURLToPath(new URL('../src/', import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.(?:test|test-d|fixture)\.ts$/u.test(file),
  );
  const lines = sources.map((file) => readFileSync(`${folder}${file}`, 'utf8').split('\n').length - 1);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(SERVER_LINES);
});
