import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { publicPackages } from '../bundle.mjs';
import { type Change, changelogSection, nextVersion, parseChange } from './changes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const known: ReadonlySet<string> = new Set(publicPackages().map(({ name }) => name));

function change(size: 'patch' | 'minor' | 'major', text = 'x'): Change {
  return { packages: { '@listwatch/client': size }, text };
}

it('the largest change decides the version of all, and before 1.0.0 a breaking one raises the second number', () => {
  expect(nextVersion('1.2.3', [])).toBe('1.2.3');
  expect(nextVersion('1.2.3', [change('patch')])).toBe('1.2.4');
  expect(nextVersion('1.2.3', [change('patch'), change('minor')])).toBe('1.3.0');
  expect(nextVersion('1.2.3', [change('major'), change('minor')])).toBe('2.0.0');
  expect(nextVersion('0.2.3', [change('major')])).toBe('0.3.0');
  expect(() => nextVersion('1.2', [])).toThrow(TypeError);
});

it('a change names packages that exist, a size, and says something', () => {
  const text = "---\n'@listwatch/client': minor\nlistwatch: patch\n---\n\nSeveral servers.\nIn two lines.\n";
  expect(parseChange('a.md', text, known)).toEqual({
    packages: { '@listwatch/client': 'minor', listwatch: 'patch' },
    text: 'Several servers.\nIn two lines.',
  });
  for (const wrong of [
    'no head',
    "---\n'@listwatch/nothing': minor\n---\n\nx\n",
    "---\n'@listwatch/client': huge\n---\n\nx\n",
    "---\n'@listwatch/client': minor\n---\n\n",
    '---\n---\n\nx\n',
  ]) {
    expect(() => parseChange('a.md', wrong, known), wrong).toThrow(/^a\.md/u);
  }
});

it('a section of the changelog has the changes that break first, with the packages that they concern', () => {
  const section = changelogSection('1.0.0', '2026-11-18', [change('patch', 'fix'), change('major', 'break\nmore')]);
  expect(section).toBe(
    [
      '## 1.0.0 (2026-11-18)',
      '',
      '### Changes that break',
      '',
      '- `@listwatch/client`: break\n  more',
      '',
      '### Fixed',
      '',
      '- `@listwatch/client`: fix',
      '',
    ].join('\n'),
  );
});

it('every file of .changeset can be released', () => {
  const folder = join(root, '.changeset');
  const files = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'README.md');
  for (const file of files) parseChange(file, readFileSync(join(folder, file), 'utf8'), known);
});

it('CHANGELOG.md tells of the current version', () => {
  const version = publicPackages()[0]?.manifest.version ?? '';
  expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toMatch(
    new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(`, 'mu'),
  );
});
