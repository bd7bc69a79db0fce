// An earlier version of this repository, built in a folder of its own: what upgrades begin with.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
// Not in `node_modules`: Vite would take the sources of the console for those of a dependency.
const RELEASES = join(root, '.listwatch', 'releases');

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
  run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], { cwd: folder });
  run(process.execPath, ['scripts/build.mjs'], { cwd: folder });
  writeFileSync(stamp, '');
  return folder;
}

function run(command, args, { cwd = root, stdout = false } = {}) {
  const answer = spawnSync(command, args, { cwd, stdio: ['ignore', stdout ? 'pipe' : 2, 'inherit'], encoding: 'utf8' });
  if (answer.status === 0) return answer.stdout ?? '';
  throw new Error(`${command} ${args.join(' ')} failed in ${cwd} (${answer.error?.message ?? answer.status})`);
}
