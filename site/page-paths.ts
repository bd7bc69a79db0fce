import { posix } from 'node:path';

/** Where the page of a file of the repository stands within the site. */
export function pagePath(source: string): string {
  if (source === 'README.md') return 'index.html';
  if (source === '.') return 'source/index.html';
  if (source.endsWith('.md')) {
    const inner = source.startsWith('docs/') ? source.slice('docs/'.length) : source;
    return inner.replace(/README\.md$/u, 'index.md').replace(/\.md$/u, '.html');
  }
  return posix.extname(source) === '' ? `source/${source}/index.html` : `source/${source}.html`;
}

/** The link from one page of the site to another, both as paths within it: relative, so that the site may stand in any folder. */
export function relativeLink(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to) || posix.basename(to);
}

/** The anchor of a heading, as GitHub makes it: links in the sources count on it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
