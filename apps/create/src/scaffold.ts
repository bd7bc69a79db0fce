import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const TEMPLATES = ['operator', 'dashboard'] as const;
export type TemplateName = (typeof TEMPLATES)[number];

export interface ScaffoldOptions {
  readonly template: TemplateName;
  /** Name of the package, of the Deployment and of its image. */
  readonly name: string;
  /** The kind that the operator is for. Default: `Website`. */
  readonly kind?: string | undefined;
  /** The API group of the kind. Default: `example.com`. */
  readonly group?: string | undefined;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** npm leaves files with these names out of packages. */
const RENAMED: Readonly<Record<string, string>> = { _gitignore: '.gitignore', _npmrc: '.npmrc' };

/** Writes a project into `folder`, which must be empty or not there; gives the files, relative to it. */
export function scaffold(folder: string, options: ScaffoldOptions): readonly string[] {
  const { template, name, kind = 'Website', group = 'example.com' } = options;
  if (!TEMPLATES.includes(template))
    throw new TypeError(`--template must be ${TEMPLATES.join(' or ')}, got ${JSON.stringify(template)}`);
  if (!/^[a-z0-9](?:[a-z0-9-]{0,60}[a-z0-9])?$/u.test(name))
    throw new TypeError(`the name must be of lower-case letters, digits and -, got ${JSON.stringify(name)}`);
  if (!/^[A-Z][A-Za-z0-9]{0,60}$/u.test(kind))
    throw new TypeError(`--kind must be a name such as Website, got ${JSON.stringify(kind)}`);
  if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/u.test(group))
    throw new TypeError(`--group must be a domain such as example.com, got ${JSON.stringify(group)}`);
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new TypeError(`${folder} is not empty`);
  const source = join(ROOT, 'templates', template);
  const { version }: { readonly version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const camel = `${kind.slice(0, 1).toLowerCase()}${kind.slice(1)}`;
  const words: readonly (readonly [string, string])[] = [
    ['LISTWATCH_VERSION', version],
    ['website-operator', name],
    ['live-dashboard', name],
    ['example.com', group],
    ['websites', pluralOf(kind)],
    ['Website', kind],
    ['website', camel],
  ];
  const files = readdirSync(source, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map((entry) => join(entry.parentPath, entry.name).slice(source.length + 1))
    .filter((file) => !file.split(sep).includes('node_modules'))
    .toSorted()
    .map((file) => {
      const renamed = replaceWords(
        join(dirname(file), RENAMED[file.split(sep).at(-1) ?? ''] ?? file.split(sep).at(-1) ?? ''),
        words,
      );
      const target = join(folder, renamed);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, replaceWords(readFileSync(join(source, file), 'utf8'), words));
      return renamed;
    });
}

/** One pass, so that a name that is put in is not changed again. */
function replaceWords(text: string, words: readonly (readonly [string, string])[]): string {
  const by = new Map(words);
  const any = new RegExp(words.map(([word]) => word.replaceAll('.', '\\.')).join('|'), 'gu');
  return text.replaceAll(any, (word) => by.get(word) ?? word);
}

/** As the authors of kinds get it by default. */
function pluralOf(kind: string): string {
  const lower = kind.toLowerCase();
  if (/(?:s|x|z|ch|sh)$/u.test(lower)) return `${lower}es`;
  if (/[^aeiou]y$/u.test(lower)) return `${lower.slice(0, -1)}ies`;
  return `${lower}s`;
}
