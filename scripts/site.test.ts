import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { deadLinks } from '../site/dead-links.ts';
import { guideNames, navigation } from '../site/navigation.ts';
import { anchorOf, pagePath, relativeLink } from '../site/page-paths.ts';

// The site itself is built by npm run docs: what it is built with is no part of the workspace.
const root = fileURLToPath(new URL('..', import.meta.url));

it('every page of docs and every package is in the sidebar once', () => {
  const sources = navigation(root)
    .filter(({ title }) => title !== 'Start')
    .flatMap((group) => group.sources);
  expect(new Set(sources).size).toBe(sources.length);
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.replaceAll('\\', '/')}`);
  expect(docs.filter((file) => !sources.includes(file))).toEqual(['docs/guarantees.md']);
  expect(sources).toContain('packages/client/README.md');
});

it('the sidebar has the guides in the order of their index, by short names', () => {
  const names = guideNames(root);
  expect([...names][0]).toEqual(['docs/guide/first-informer.md', 'Your first informer']);
  expect(Math.max(...[...names.values()].map((name) => name.length))).toBeLessThan(32);
});

it.each([
  ['README.md', 'index.html'],
  ['docs/guide/README.md', 'guide/index.html'],
  ['docs/guide/testing.md', 'guide/testing.html'],
  ['packages/client/README.md', 'packages/client/index.html'],
  ['examples/quickstart.ts', 'source/examples/quickstart.ts.html'],
  ['examples/website', 'source/examples/website/index.html'],
])('%s becomes %s', (source, page) => {
  expect(pagePath(source)).toBe(page);
});

it('links between pages are relative, and anchors are those of GitHub', () => {
  expect(relativeLink('guide/testing.html', 'api/client.html')).toBe('../api/client.html');
  expect(relativeLink('guide/testing.html', 'guide/testing.html')).toBe('testing.html');
  expect(anchorOf('What `connect()` takes, and why')).toBe('what-connect-takes-and-why');
});

it('a link to a page or an anchor that is not there is found', () => {
  const out = mkdtempSync(join(tmpdir(), 'listwatch-site-'));
  try {
    writeFileSync(
      join(out, 'a.html'),
      '<a href="b.html#here"></a><a href="#top"></a><p id="top"></p><a href="https://example.org/x"></a>',
    );
    writeFileSync(join(out, 'b.html'), '<p id="here"></p><img src="a.html">');
    expect(deadLinks(out)).toEqual([]);
    writeFileSync(join(out, 'b.html'), '<p id="there"></p><img src="none.png"><a href="c.html">');
    expect(deadLinks(out)).toEqual(['a.html: b.html#here', 'b.html: none.png', 'b.html: c.html']);
  } finally {
    rmSync(out, { recursive: true });
  }
});
