import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { PROJECT_ADDRESS } from '../scripts/release/project-address.ts';
import { apiPage } from './api-page.ts';
import { type Heading, highlighted, type RenderedMarkdown, renderMarkdown } from './markdown.ts';
import { guideNames, type NavigationGroup, navigation } from './navigation.ts';
import { pageHtml } from './page-html.ts';
import { pagePath, relativeLink } from './page-paths.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const PICTURES: ReadonlySet<string> = new Set(['.png', '.svg', '.jpg']);

interface SearchedSection {
  readonly id: number;
  readonly page: string;
  readonly title: string;
  readonly path: string;
  readonly text: string;
}

/** Writes the site into `out`, which is emptied first; gives the number of its pages. */
export function buildSite(out: string): number {
  rmSync(out, { recursive: true, force: true });
  const groups = navigation(root).map((group) => ({
    ...group,
    sources: group.sources.filter((source) => existsSync(join(root, source))),
  }));
  const waiting = [...new Set(groups.flatMap(({ sources }) => sources))];
  const listed: ReadonlySet<string> = new Set(waiting);
  const titles = new Map(waiting.map((source) => [source, titleOf(source)]));
  const names = new Map([...titles, ...guideNames(root)]);
  const seen = new Set(waiting);
  const searched: SearchedSection[] = [];
  let pages = 0;
  for (let source = waiting.shift(); source !== undefined; source = waiting.shift()) {
    const path = pagePath(source);
    const from = source;
    const linked = (target: string): string => {
      const [file = '', anchor] = target.split('#');
      if (/^[a-z]+:|^\/\//iu.test(target) || file === '') return target;
      const found = linkedFile(posix.join(posix.dirname(from), file), from);
      if (PICTURES.has(extname(found))) {
        const place = found.replace(/^docs\//u, '');
        cp(join(root, found), join(out, place));
        return relativeLink(path, place);
      }
      if (!seen.has(found)) {
        seen.add(found);
        waiting.push(found);
      }
      return `${relativeLink(path, pagePath(found))}${anchor === undefined ? '' : `#${anchor}`}`;
    };
    const rendered = render(source, linked);
    const title = titles.get(source) ?? source;
    write(
      join(out, path),
      pageHtml({ title, path, groups: groupLinks(groups, names, path), source, rendered, address: PROJECT_ADDRESS }),
    );
    pages += 1;
    if (!listed.has(source)) continue;
    for (const { heading, text } of rendered.sections) {
      const anchor = heading.level === 1 ? '' : `#${heading.anchor}`;
      // Enough to be found by; the page itself has the rest.
      searched.push({
        id: searched.length,
        page: title,
        title: heading.text,
        path: `${path}${anchor}`,
        text: text.slice(0, 1500),
      });
    }
  }
  writeSearch(out, searched);
  for (const file of readdirSync(join(root, 'site/static')))
    cp(join(root, 'site/static', file), join(out, 'site', file));
  return pages;
}

function render(source: string, linked: (target: string) => string): RenderedMarkdown {
  if (source.startsWith('docs/api/') && source !== 'docs/api/README.md') return apiPage(source, linked);
  if (source.endsWith('.md')) return renderMarkdown(readFileSync(join(root, source), 'utf8'), linked);
  const headings: readonly Heading[] = [{ level: 1, text: source, anchor: '' }];
  if (statSync(join(root, source)).isDirectory()) {
    const entries = readdirSync(join(root, source)).filter((entry) => entry !== 'node_modules' && entry !== 'dist');
    const items = entries.map((entry) => `<li><code>${entry}</code></li>`);
    return { html: `<h1><code>${source}</code></h1><ul>${items.join('')}</ul>`, headings, sections: [] };
  }
  const code = highlighted(readFileSync(join(root, source), 'utf8'), extname(source).slice(1));
  return { html: `<h1><code>${source}</code></h1>${code}`, headings, sections: [] };
}

/** A folder is shown by its README, where it has one. */
function linkedFile(path: string, from: string): string {
  const clean = path.replace(/\/$/u, '');
  if (!existsSync(join(root, clean))) throw new Error(`${from} links to ${clean}, which does not exist`);
  if (!statSync(join(root, clean)).isDirectory()) return clean;
  const readme = posix.join(clean, 'README.md');
  return existsSync(join(root, readme)) ? readme : clean;
}

function titleOf(source: string): string {
  const [, title = source] = /^# (.+)$/mu.exec(readFileSync(join(root, source), 'utf8')) ?? [];
  return title.replaceAll('`', '').replace(/^API of /u, '');
}

function groupLinks(groups: readonly NavigationGroup[], names: ReadonlyMap<string, string>, path: string) {
  return groups.map(({ title, sources }) => ({
    title,
    links: sources.map((source) => ({
      title: names.get(source) ?? source,
      href: relativeLink(path, pagePath(source)),
      isCurrent: pagePath(source) === path,
    })),
  }));
}

function writeSearch(out: string, sections: readonly SearchedSection[]): void {
  const index = new MiniSearch<SearchedSection>({
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'path'],
  });
  index.addAll(sections);
  write(join(out, 'site/search-index.json'), JSON.stringify(index));
  cp(join(root, 'site/node_modules/minisearch/dist/es/index.js'), join(out, 'site/minisearch.js'));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function cp(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}
