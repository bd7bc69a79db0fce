// `npm run release`: packs, checks and installs what would be published, then says the commands. `-- --publish` runs them.
// `-- --publish --first` publishes, with a token, only the packages that npm has never seen: the workflow cannot.
// `-- --rehearse` does all but publishing while the address of the project is undecided or the tree has changes.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicPackages } from '../bundle.mjs';
import { checkConsumers } from '../consumer-check.mjs';
import { checkTarballs } from './check-tarballs.ts';
import { checkInstallation } from './installed-packages.ts';
import { type PackedPackage, packPackages } from './pack-packages.ts';
import { PROJECT_ADDRESS, REHEARSAL_ADDRESS } from './project-address.ts';
import { publishOrder } from './publish-order.ts';
import { publishPackages } from './publish-packages.ts';
import { planPublishing, trustCommands } from './publish-plan.ts';
import { rehearsePublishing } from './rehearse-publishing.ts';
import { releaseRefusals } from './release-refusals.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const KNOWN = new Set(['--publish', '--first', '--rehearse']);
const given = process.argv.slice(2);
const unknown = given.filter((flag) => !KNOWN.has(flag));
const rehearse = given.includes('--rehearse');
const publish = given.includes('--publish');
const first = given.includes('--first');

function say(line: string): void {
  console.log(line);
}

function git(...args: readonly string[]): string {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim();
}

async function main(): Promise<readonly string[]> {
  if (unknown.length > 0 || (rehearse && publish) || (first && !publish))
    return [`usage: npm run release [-- --publish [--first] | --rehearse]`];
  const version = publicPackages()[0]?.manifest.version ?? '';
  const refusals = releaseRefusals({
    address: PROJECT_ADDRESS,
    version,
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    changes: git('ls-files', '.changeset')
      .split('\n')
      .filter((file) => file.endsWith('.md') && !file.endsWith('README.md')),
    isClean: git('status', '--porcelain') === '',
    tags: git('tag', '--points-at', 'HEAD').split('\n'),
    upgradeFixtures: readdirSync(join(root, 'scripts/upgrade/fixtures')),
  });
  if (refusals.length > 0 && !rehearse) return refusals.map((refusal) => `refused: ${refusal}`);
  for (const refusal of refusals) say(`would refuse: ${refusal}`);
  if (publish) {
    // Asked before the minutes of checks, not only after them.
    const packages = publicPackages().map(({ name }) => ({ name, version }));
    const plan = await planPublishing(packages, { first, registryArgs: [] });
    if (plan.refusals.length > 0) return plan.refusals;
  }

  const built = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
  if (built.status !== 0) return ['the build failed'];
  const scratch = mkdtempSync(join(tmpdir(), 'listwatch-release-'));
  try {
    const packed = packPackages(join(scratch, 'tarballs'), PROJECT_ADDRESS ?? REHEARSAL_ADDRESS);
    const failures = [
      ...checkTarballs(packed, say),
      ...(await checkConsumers(join(scratch, 'consumer'), packed, say)),
      ...checkInstallation(join(scratch, 'installed'), packed, say),
    ];
    if (failures.length > 0) return failures;
    const kept = join(root, '.listwatch', 'release', version);
    rmSync(kept, { recursive: true, force: true });
    mkdirSync(kept, { recursive: true });
    cpSync(join(scratch, 'installed', 'sbom.cdx.json'), join(kept, 'sbom.cdx.json'));
    for (const { tarball } of packed) cpSync(tarball, join(kept, tarball.split(/[/\\]/u).at(-1) ?? ''));
    say(`Tarballs and SBOM: ${kept}`);
    const ordered = publishOrder(packed, publicPackages());
    const rehearsed = await rehearsePublishing(join(scratch, 'rehearsal'), ordered, say);
    if (rehearsed.length > 0) return rehearsed;
    if (publish) return await publishAll(ordered);
    for (const { name } of ordered) say(`would publish ${name}@${version}`);
    return [];
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

async function publishAll(ordered: readonly PackedPackage[]): Promise<readonly string[]> {
  // A first version can come from another machine than the workflow, which could not sign where it was made.
  const canSign = process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] !== undefined;
  const publishArgs = first && !canSign ? ['--provenance=false'] : ['--provenance'];
  const problems = await publishPackages(ordered, { first, publishArgs, registryArgs: [], say });
  if (problems.length > 0 || !first || PROJECT_ADDRESS === undefined) return problems;
  say('From now on the release workflow publishes, without a token. Let npm trust it (npm 11.15, two-factor login):');
  const names = ordered.map(({ name }) => name);
  for (const command of trustCommands(names, PROJECT_ADDRESS)) say(`  ${command}`);
  return [];
}

const failures = await main();
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
