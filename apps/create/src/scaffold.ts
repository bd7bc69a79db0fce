import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constantOf, isTypeTaken, type TemplateFile } from './kind-names.ts';

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
  // It is also the name of a Service, with `-webhooks` behind it.
  if (!/^[a-z](?:[a-z0-9-]{0,52}[a-z0-9])?$/u.test(name))
    throw new TypeError(
      `the name must be of lower-case letters, digits and -, begin with a letter and have at most 54 of them, got ${JSON.stringify(name)}`,
    );
  if (!/^[A-Z][A-Za-z0-9]{0,60}$/u.test(kind))
    throw new TypeError(`--kind must be a name such as Website, got ${JSON.stringify(kind)}`);
  const labels = group.split('.');
  if (
    labels.length < 2 ||
    group.length > 100 ||
    !labels.every((label) => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/u.test(label))
  )
    throw new TypeError(`--group must be a domain such as example.com, got ${JSON.stringify(group)}`);
  if (/(?:^|\.)(?:k8s|kubernetes)\.io$/u.test(group))
    throw new TypeError(
      `--group ${group} belongs to Kubernetes, which refuses CRDs in it: take a domain of yours, such as example.com`,
    );
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new TypeError(`${folder} is not empty`);
  const source = join(ROOT, 'templates', template);
  const { version }: { readonly version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.slice(source.length).split(sep).includes('node_modules'))
    .toSorted()
    .map((file) => ({ path: file.slice(source.length + 1), text: readFileSync(file, 'utf8') }));
  if (isTypeTaken(kind, files))
    throw new TypeError(`--kind ${kind} is the name of a type that the project imports: take another one`);
  if (dependenciesOf(files).includes(name))
    throw new TypeError(`the project would have the name of a package that it needs, ${name}: take another one`);
  const constant = constantOf(kind, files);
  const camel = `${kind.slice(0, 1).toLowerCase()}${kind.slice(1)}`;
  const words: readonly (readonly [string, string])[] = [
    ['LISTWATCH_VERSION', version],
    ['website-operator', name],
    ['websiteOperator', `${camel}Operator`],
    ['websiteWebhooks', `${camel}Webhooks`],
    ['live-dashboard', name],
    ['example.com', group],
    ['websites', pluralOf(kind)],
    ['Website', kind],
    ['website', constant],
  ];
  return files.map(({ path, text }) => {
    const file = path.split(sep).at(-1) ?? '';
    const renamed = replaceWords(join(dirname(path), RENAMED[file] ?? file), words);
    const target = join(folder, renamed);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, replaceWords(text, words));
    return renamed;
  });
}

/** npm does not install a package into a project that has its name. */
function dependenciesOf(files: readonly TemplateFile[]): readonly string[] {
  const manifest: { readonly dependencies?: object; readonly devDependencies?: object } = JSON.parse(
    files.find(({ path }) => path === 'package.json')?.text ?? '{}',
  );
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
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
