import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { publicPackages } from '../bundle.mjs';
import { type Change, nextVersion, parseChange, releaseChangelog } from './changes.ts';
import { releaseRefusals } from './release-refusals.ts';

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

const HEAD = '# Changelog\n\nText.\n\n';

it('a new section of the changelog has the changes that break first, with the packages that they concern', () => {
  const older = '## 0.9.0 (2026-01-02)\n\nOlder.\n';
  const changes = [change('patch', 'fix'), change('major', 'break\nmore')];
  const released = releaseChangelog(`${HEAD}${older}`, { current: '1.0.0', date: '2026-11-18', changes });
  expect(released).toEqual({
    version: '2.0.0',
    changelog: [
      `${HEAD}## 2.0.0 (2026-11-18)`,
      '',
      '### Changes that break',
      '',
      '- `@listwatch/client`: break\n  more',
      '',
      '### Fixed',
      '',
      '- `@listwatch/client`: fix',
      '',
      older,
    ].join('\n'),
  });
  expect(releaseChangelog(older, { current: '0.9.0', date: '2026-11-18', changes: [] })).toBeUndefined();
});

it('a version that is not released yet gets its date, and tells of the changes as well', () => {
  const options = { current: '0.2.0', date: '2026-11-18' };
  const older = '## 0.1.0 (2026-01-02)\n\nOlder.\n';
  const unreleased = `${HEAD}## 0.2.0 (unreleased)\n\nThe second.\n\n${older}`;
  expect(releaseChangelog(unreleased, { ...options, changes: [] })).toEqual({
    version: '0.2.0',
    changelog: `${HEAD}## 0.2.0 (2026-11-18)\n\nThe second.\n\n${older}`,
  });
  const changes = [change('major', 'break')];
  expect(releaseChangelog(unreleased, { ...options, changes })).toEqual({
    version: '0.2.0',
    changelog: `${HEAD}## 0.2.0 (2026-11-18)\n\nThe second.\n\n### Changes that break\n\n- \`@listwatch/client\`: break\n\n${older}`,
  });
});

it('what release:version writes is what a release asks of CHANGELOG.md', () => {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const current = publicPackages()[0]?.manifest.version ?? '';
  const released = releaseChangelog(changelog, { current, date: '2026-11-18', changes: [change('patch')] });
  const facts = { address: 'https://example.org/owner/name', changes: [], isClean: true };
  const version = released?.version ?? '';
  expect(
    releaseRefusals({
      ...facts,
      version,
      changelog: released?.changelog ?? '',
      tags: [`v${version}`],
      upgradeFixtures: [version],
    }),
  ).toEqual([]);
  expect(released?.changelog).not.toContain('(unreleased)');
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
