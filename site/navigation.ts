import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface NavigationGroup {
  readonly title: string;
  /** Files of the repository. */
  readonly sources: readonly string[];
}

/** The order of the sidebar. Folders are read, so that a new page is in it without being named. */
export function navigation(root: string): readonly NavigationGroup[] {
  const within = (folder: string): readonly string[] =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith('.md') && file !== 'README.md')
      .toSorted()
      .map((file) => `${folder}/${file}`);
  const packages = ['packages', 'apps'].flatMap((area) =>
    readdirSync(join(root, area))
      .toSorted()
      .map((name) => `${area}/${name}/README.md`),
  );
  return [
    {
      title: 'Start',
      sources: [
        'README.md',
        'docs/guide/first-informer.md',
        'docs/guide/first-controller.md',
        'docs/guarantees.md',
        'examples/README.md',
      ],
    },
    { title: 'Guides', sources: ['docs/guide/README.md', ...guideNames(root).keys()] },
    { title: 'Reference', sources: [...within('docs/reference'), 'docs/interop.md'] },
    { title: 'API', sources: ['docs/api/README.md', ...within('docs/api')] },
    { title: 'Packages', sources: packages },
    { title: 'Design', sources: ['docs/design/README.md', ...within('docs/design')] },
    { title: 'Project', sources: ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'interop/README.md'] },
  ];
}

/** The names of the guides, by file, as their index has them and in its order: their headings are whole questions, too long for a sidebar. */
export function guideNames(root: string): ReadonlyMap<string, string> {
  const index = readFileSync(join(root, 'docs/guide/README.md'), 'utf8');
  const rows = index.matchAll(/^\| .* \| \[([^\]]+)\]\(([\w-]+\.md)\) +\|$/gmu);
  return new Map([...rows].map(([, name = '', file = '']) => [`docs/guide/${file}`, name]));
}
