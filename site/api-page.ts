import { posix } from 'node:path';
import { apiDoors } from '../scripts/api-reports.mjs';
import { type Heading, highlighted, type RenderedMarkdown, renderMarkdown } from './markdown.ts';

let doors: ReturnType<typeof apiDoors> | undefined;

/** A page of the API: the signatures of the report, one heading each, with their comments. */
export function apiPage(source: string, linked: (target: string) => string): RenderedMarkdown {
  doors ??= apiDoors();
  const name = posix.basename(source);
  const of = doors.find(({ file }) => file === name);
  if (of === undefined) throw new Error(`${source} is no API report: npm run api`);
  const intro = renderMarkdown(`# API of ${of.name}\n\n[What is stable](../reference/stability.md).`, linked);
  const taken = new Set<string>();
  const headings: Heading[] = [...intro.headings];
  const sections: { heading: Heading; text: string }[] = [];
  const parts: string[] = [];
  const add = (level: number, text: string, wanted: string, said: string): void => {
    let anchor = wanted;
    for (let again = 1; taken.has(anchor); again += 1) anchor = `${wanted}-${again}`;
    taken.add(anchor);
    const heading = { level, text, anchor };
    headings.push(heading);
    sections.push({ heading, text: said });
    parts.push(`<h${level} id="${anchor}"><code>${text}</code></h${level}>`);
  };
  for (const { title, missing, entries } of of.doors) {
    add(
      2,
      title,
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/gu, '-')
        .replaceAll(/^-|-$/gu, ''),
      '',
    );
    if (missing !== undefined)
      parts.push(
        `<p>The same as on Node, but for what follows. Missing: ${missing.map((one) => `<code>${one}</code>`).join(', ')}.</p>`,
      );
    for (const entry of entries) {
      add(3, entry.name, entry.name, entry.isExported ? entry.comment : '');
      parts.push(highlighted(entry.text, 'ts'));
    }
  }
  return { html: `${intro.html}${parts.join('\n')}`, headings, sections: [...intro.sections, ...sections] };
}
