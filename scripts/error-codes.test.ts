import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const table = readFileSync(join(root, 'docs/reference/errors.md'), 'utf8');

/** Every code that a class of ours declares, as a literal or as the members of a union. */
function declaredCodes(): readonly string[] {
  const codes = new Set<string>();
  for (const folder of readdirSync(join(root, 'packages'))) {
    const sources = join(root, 'packages', folder, 'src');
    for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
      const text = readFileSync(join(sources, file), 'utf8');
      for (const [, code] of text.matchAll(/override readonly code = '([A-Z_]+)'/g)) codes.add(code ?? '');
      for (const [, union] of text.matchAll(/export type \w+ErrorCode =([^;]+);/g)) {
        for (const [, code] of (union ?? '').matchAll(/'([A-Z_]+)'/g)) codes.add(code ?? '');
      }
    }
  }
  return [...codes].toSorted();
}

it('docs/reference/errors.md has a row for every error code, and no row for a code that is gone', () => {
  const rows = [...table.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, code]) => code ?? '');
  // STATUS has a section of its own, because its reasons matter and not its code.
  expect([...new Set([...rows, 'STATUS'])].toSorted()).toEqual(declaredCodes());
});
