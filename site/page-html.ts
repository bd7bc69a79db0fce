import { escapeHtml, type RenderedMarkdown } from './markdown.ts';
import { relativeLink } from './page-paths.ts';

export interface PageParts {
  readonly title: string;
  readonly path: string;
  readonly source: string;
  readonly rendered: RenderedMarkdown;
  readonly groups: readonly {
    readonly title: string;
    readonly links: readonly { readonly title: string; readonly href: string; readonly isCurrent: boolean }[];
  }[];
  readonly address: string | undefined;
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

/** A whole page: readable without JavaScript, which only adds the search. */
export function pageHtml({ title, path, source, rendered, groups, address }: PageParts): string {
  const to = (place: string): string => relativeLink(path, place);
  const toc = rendered.headings.filter(({ level }) => level === 2 || level === 3).slice(0, 60);
  const full = path === 'index.html' ? 'listwatch: Kubernetes list-watch in TypeScript' : `${title} - listwatch`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escapeHtml(full)}</title>
<link rel="stylesheet" href="${to('site/site.css')}">
<link rel="icon" href="${to('site/icon.svg')}">
<script type="module" src="${to('site/search.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="home" href="${to('index.html')}">listwatch</a>
<search hidden data-root="${to('site')}"><input type="search" placeholder="Search" aria-label="Search" aria-controls="results"><ol id="results" hidden></ol></search>
</header>
<div class="columns">
<nav aria-label="Pages">
${groups.map(groupHtml).join('\n')}
</nav>
<main id="content">
${rendered.html}
<footer>${sourceHtml(source, address)}Apache-2.0</footer>
</main>
${toc.length < 2 ? '' : `<nav class="toc" aria-label="On this page"><ul>${toc.map((one) => `<li class="l${one.level}"><a href="#${one.anchor}">${escapeHtml(one.text)}</a></li>`).join('')}</ul></nav>`}
</div>
</body>
</html>
`;
}

function groupHtml({ title, links }: PageParts['groups'][number]): string {
  const open = links.some(({ isCurrent }) => isCurrent) || title === 'Start' ? ' open' : '';
  const items = links.map(
    (link) =>
      `<li><a href="${link.href}"${link.isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(link.title)}</a></li>`,
  );
  return `<details${open}><summary>${title}</summary><ul>${items.join('')}</ul></details>`;
}

function sourceHtml(source: string, address: string | undefined): string {
  const name = `<code>${escapeHtml(source)}</code>`;
  return address === undefined ? `From ${name}. ` : `From <a href="${address}/blob/main/${source}">${name}</a>. `;
}
