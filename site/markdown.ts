import hljs from 'highlight.js/lib/common';
import MarkdownIt from 'markdown-it';
import { anchorOf } from './page-paths.ts';

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

export interface RenderedMarkdown {
  readonly html: string;
  readonly headings: readonly Heading[];
  /** The text below each heading, for the search. */
  readonly sections: readonly { readonly heading: Heading; readonly text: string }[];
}

/** Code with the colours of its language. Unknown languages stay as they are. */
export function highlighted(code: string, language: string): string {
  const known = hljs.getLanguage(language) === undefined ? undefined : language;
  const html =
    known === undefined ? escapeHtml(code) : hljs.highlight(code, { language: known, ignoreIllegals: true }).value;
  return `<pre tabindex="0"><code class="hljs">${html}</code></pre>`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Renders a page. HTML in the source is shown as text; `link` gives the address of a link or an image of this page. */
export function renderMarkdown(text: string, link: (target: string) => string): RenderedMarkdown {
  const headings: Heading[] = [];
  const sections: { heading: Heading; text: string }[] = [];
  const md = new MarkdownIt({ html: false, linkify: false });
  const tokens = md.parse(text, {});
  const taken = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const inner = tokens[at + 1];
      const plain = (inner?.children ?? []).map(({ content }) => content).join('');
      const base = anchorOf(plain);
      const before = taken.get(base) ?? 0;
      taken.set(base, before + 1);
      const anchor = before === 0 ? base : `${base}-${before}`;
      const heading = { level: Number(token.tag.slice(1)), text: plain, anchor };
      token.attrSet('id', anchor);
      headings.push(heading);
      sections.push({ heading, text: '' });
    }
    const section = sections.at(-1);
    const isHeading = tokens[at - 1]?.type === 'heading_open';
    if (section !== undefined && !isHeading && (token.type === 'inline' || token.type === 'fence'))
      section.text += `${token.content} `;
    for (const child of token.children ?? []) {
      const name = child.type === 'image' ? 'src' : child.type === 'link_open' ? 'href' : undefined;
      if (name !== undefined) child.attrSet(name, link(child.attrGet(name) ?? ''));
    }
  }
  md.renderer.rules['fence'] = (list, at) => {
    const token = list[at];
    return highlighted(token?.content ?? '', token?.info.trim() ?? '');
  };
  // A wide table scrolls by itself, and not the page.
  md.renderer.rules['table_open'] = () => '<div class="wide" tabindex="0"><table>\n';
  md.renderer.rules['table_close'] = () => '</table></div>\n';
  return { html: md.renderer.render(tokens, md.options, {}), headings, sections };
}
