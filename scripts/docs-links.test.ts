import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The pages that people read: those of the root, of docs, of interop and of each package. */
function pages(): readonly string[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((file) => join('docs', file));
  const packages = ['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(folder, name, 'README.md')),
  );
  const all = [...readdirSync(root), ...docs, ...packages, 'examples/README.md', 'interop/README.md'];
  return all.filter((file) => file.endsWith('.md') && existsSync(join(root, file)));
}

/** The anchors of a page, as GitHub makes them from its headings. */
function anchorsOf(path: string): ReadonlySet<string> {
  const headings = [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gmu)].map(([, text = '']) => text);
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function leadsSomewhere(page: string, link: string): boolean {
  const [target = '', anchor] = link.split('#');
  const path = target === '' ? join(root, page) : join(root, dirname(page), target);
  return existsSync(path) && (anchor === undefined || anchorsOf(path).has(anchor));
}

describe('links between pages', () => {
  it.each(pages())('%s leads somewhere', (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:)([^)\s]+)[^)]*\)/gu)].map(([, link = '']) => link);
    expect(links.filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  });
});

it('docs/guide/README.md lists every guide', () => {
  const index = readFileSync(join(root, 'docs/guide/README.md'), 'utf8');
  const guides = readdirSync(join(root, 'docs/guide')).filter((file) => file.endsWith('.md') && file !== 'README.md');
  expect(guides.filter((file) => !index.includes(`](${file})`))).toEqual([]);
});

it('examples/README.md lists every example', () => {
  const index = readFileSync(join(root, 'examples/README.md'), 'utf8');
  const examples = readdirSync(join(root, 'examples')).filter((file) => /^[^.]+\.(?:ts|mjs)$/u.test(file));
  expect(examples.filter((file) => !index.includes(`](${file})`))).toEqual([]);
});
