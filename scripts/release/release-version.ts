// `npm run release:version`: turns the files of .changeset into a version and a section of CHANGELOG.md, or dates the unreleased one.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicPackages } from '../bundle.mjs';
import { parseChange, releaseChangelog } from './changes.ts';
import { setVersion } from './set-version.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.changeset');
const known = new Set(publicPackages().map(({ name }) => name));
const files = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'README.md');
const changes = files.toSorted().map((file) => parseChange(file, readFileSync(join(folder, file), 'utf8'), known));
const current = publicPackages()[0]?.manifest.version ?? '0.0.0';
const changelog = join(root, 'CHANGELOG.md');
const date = new Date().toISOString().slice(0, 10);
const released = releaseChangelog(readFileSync(changelog, 'utf8'), { current, date, changes });
if (released === undefined) {
  console.error(`.changeset has no change to release, and CHANGELOG.md has no section "## ${current} (unreleased)".`);
  process.exit(1);
}
const { version } = released;
writeFileSync(changelog, released.changelog);
setVersion(root, current, version);
for (const file of files) rmSync(join(folder, file));
spawnSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], { cwd: root, stdio: 'inherit' });
console.log(`${version === current ? version : `${current} -> ${version}`}, ${date}. Next:
  npm run upgrade:fixture       # what this version leaves on a disk and in an etcd (needs etcd), for the tests of later ones
  read CHANGELOG.md and the diff
  git commit --all --message 'Release ${version}' && git tag v${version}`);
