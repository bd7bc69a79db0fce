import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** The files that the reader of an example writes. */
const TO_BE_WRITTEN = [
  'packages/controllers/src/finished-jobs.ts',
  'packages/controllers/test/finished-jobs.test.ts',
  'packages/rules/src/admission/always-pull-images.ts',
  'packages/server/src/write/admission/always-pull-images.test.ts',
];

/** Whole paths, in sentences and in commands. */
function namedPaths(): readonly string[] {
  const found = [...text.matchAll(/(?<![\w./-])(?:apps|docs|packages|scripts|tools)\/[\w.@/-]*[\w]/gu)];
  return [...new Set(found.map(([path]) => path))];
}

it('the paths that CONTRIBUTING names are there, but for those that its examples write', () => {
  const paths = namedPaths();
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(root, path))).toSorted()).toEqual(TO_BE_WRITTEN);
});

it('each example ends with a command that says how long it takes', () => {
  const [, examples = ''] = /^## Five worked examples\n(.*?)^## /msu.exec(text) ?? [];
  const parts = examples.split(/^### /mu).slice(1);
  expect(parts.map((part) => part.split('\n')[0])).toEqual([
    'A new rule of a kind',
    'A new field of a kind',
    'A new admission plugin',
    'A new flag of `listwatch serve`',
    'A new controller',
  ]);
  for (const part of parts) expect(part).toMatch(/^npx vitest run .* # .*\d+ (?:s|min)/mu);
});
