import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

/** Links within a built site that lead to no page, or to no anchor of one. */
export function deadLinks(out: string): readonly string[] {
  const pages = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
  const texts = new Map(pages.map((page) => [page.split(sep).join('/'), readFileSync(join(out, page), 'utf8')]));
  const anchors = new Map(
    [...texts].map(([page, text]) => [page, new Set([...text.matchAll(/ id="([^"]*)"/gu)].map(([, id]) => id))]),
  );
  return [...texts].flatMap(([page, text]) =>
    [...text.matchAll(/ (?:href|src)="([^"]*)"/gu)]
      .map(([, link = '']) => decodeURI(link))
      .filter((link) => !/^[a-z]+:/iu.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? page : posix.join(posix.dirname(page), file);
        if (anchor !== undefined && anchor !== '') return anchors.get(target)?.has(anchor) !== true;
        return !existsSync(join(out, target));
      })
      .map((link) => `${page}: ${link}`),
  );
}
