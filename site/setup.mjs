// Installs what the site is built with, unless that is installed: these packages are no part of the workspace.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const stamp = `${folder}node_modules/.listwatch-setup`;
const wanted = readFileSync(`${folder}package-lock.json`, 'utf8');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, wanted);
}
