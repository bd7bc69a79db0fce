/** Where kubectl is; under CI it is installed when it is missing. No test itself, and not shipped. */

import { execFileSync, spawnSync } from 'node:child_process';

/** Is there a kubectl to try? Under CI there must be one: to go without it is a failure there. */
export function findKubectl(): boolean {
  if (isThere()) return true;
  if (process.env['CI'] !== 'true') {
    process.stderr.write('kubectl is not on the PATH: its tests are skipped\n');
    return false;
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'pipe', env });
  execFileSync('apt-get', ['install', '-y', '-qq', 'kubernetes-client'], { stdio: 'pipe', env });
  if (!isThere()) throw new Error('kubernetes-client was installed and there is still no kubectl');
  return true;
}

function isThere(): boolean {
  return spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;
}
