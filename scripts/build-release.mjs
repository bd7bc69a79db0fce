// An earlier version of this repository, built in a folder of its own: what upgrades begin with.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const MODULES = join(root, 'node_modules');
const RELEASES = join(MODULES, '.cache', 'listwatch-releases');

/** Builds a commit or a tag, unless that was done before. The folder that it is in. */
export function buildRelease(ref) {
  const commit = run('git', ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], { stdout: true }).trim();
  const folder = join(RELEASES, commit);
  const stamp = join(folder, 'node_modules', '.listwatch-built');
  if (existsSync(stamp)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  console.error(`Building ${ref} (${commit.slice(0, 8)}) in ${folder} ...`);
  const archive = `${folder}.tar`;
  run('git', ['archive', '--output', archive, commit]);
  run('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
  if (sameLock(folder)) linkModules(folder);
  else run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], { cwd: folder });
  run(process.execPath, ['scripts/build.mjs'], { cwd: folder });
  writeFileSync(stamp, '');
  return folder;
}

function sameLock(folder) {
  const [here, there] = [root, folder].map((at) => readFileSync(join(at, 'package-lock.json'), 'utf8'));
  return here === there;
}

/** The same packages as here, but for our own: those are the ones of the folder. */
function linkModules(folder) {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@listwatch'), { recursive: true });
  for (const name of readdirSync(MODULES)) {
    if (name !== '.cache' && name !== '@listwatch' && name !== 'listwatch') {
      symlinkSync(join(MODULES, name), join(modules, name));
    }
  }
  for (const area of ['packages', 'apps', '.']) {
    for (const name of readdirSync(join(folder, area))) {
      const manifest = join(folder, area, name, 'package.json');
      if (!existsSync(manifest)) continue;
      const link = join(modules, JSON.parse(readFileSync(manifest, 'utf8')).name);
      mkdirSync(dirname(link), { recursive: true });
      if (!existsSync(link)) symlinkSync(join(folder, area, name), link);
      const nested = join(root, area, name, 'node_modules');
      if (existsSync(nested)) symlinkSync(nested, join(folder, area, name, 'node_modules'));
    }
  }
}

function run(command, args, { cwd = root, stdout = false } = {}) {
  const answer = spawnSync(command, args, { cwd, stdio: ['ignore', stdout ? 'pipe' : 2, 'inherit'], encoding: 'utf8' });
  if (answer.status === 0) return answer.stdout ?? '';
  throw new Error(`${command} ${args.join(' ')} failed in ${cwd} (${answer.error?.message ?? answer.status})`);
}
