// `npm run release:version`: turns the files of .changeset into a version and a section of CHANGELOG.md.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicPackages } from '../bundle.mjs';
import { changelogSection, nextVersion, parseChange } from './changes.ts';
import { setVersion } from './set-version.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.changeset');
const known = new Set(publicPackages().map(({ name }) => name));
const files = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'README.md');
const changes = files.toSorted().map((file) => parseChange(file, readFileSync(join(folder, file), 'utf8'), known));
const current = publicPackages()[0]?.manifest.version ?? '0.0.0';
const next = nextVersion(current, changes);
if (next === current) {
  console.error('.changeset has no change to release.');
  process.exit(1);
}
const changelog = join(root, 'CHANGELOG.md');
const section = changelogSection(next, new Date().toISOString().slice(0, 10), changes);
// Before the newest section that is there.
writeFileSync(
  changelog,
  readFileSync(changelog, 'utf8').replace(/^## /mu, () => `${section}\n## `),
);
setVersion(root, current, next);
for (const file of files) rmSync(join(folder, file));
spawnSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], { cwd: root, stdio: 'inherit' });
console.log(`${current} -> ${next}. Read CHANGELOG.md and the diff, then commit and tag v${next}.`);
