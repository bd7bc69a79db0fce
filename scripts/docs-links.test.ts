import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The pages that people read: those of the root, of docs, and of each package. */
function pages(): readonly string[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((file) => join('docs', file));
  const packages = ['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(folder, name, 'README.md')),
  );
  const all = [...readdirSync(root), ...docs, ...packages];
  return all.filter((file) => file.endsWith('.md') && existsSync(join(root, file)));
}

describe('links between pages', () => {
  it.each(pages())('%s leads somewhere', (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/gu)].map(([, target = '']) => target);
    const missing = targets.filter((target) => !existsSync(join(root, dirname(page), target)));
    expect(missing).toEqual([]);
  });
});
