// Other people's programs, in exact versions, in a folder that `npm test` never touches: they are 500 MB.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/listwatch-runtimes', import.meta.url));

/** The packages, by the name that they are installed under. */
export const TOOLS = {
  bun: '1.4.4',
  deno: '2.9.6',
  jest: '30.5.2',
  'node-22': 'npm:node@22.23.3',
  'node-24': 'npm:node@24.9.0',
  'typescript-5.4': 'npm:typescript@5.4.5',
  'typescript-5.5': 'npm:typescript@5.5.4',
  'typescript-5.6': 'npm:typescript@5.6.3',
  'typescript-5.7': 'npm:typescript@5.7.3',
  'typescript-5.8': 'npm:typescript@5.8.3',
  'typescript-5.9': 'npm:typescript@5.9.3',
  'typescript-6.0': 'npm:typescript@6.0.3',
};

/** Installs them, unless that was done before. */
export function installTools() {
  const manifest = JSON.stringify({ private: true, dependencies: TOOLS });
  const stamp = join(FOLDER, 'installed.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === manifest) return;
  console.log(`Installing ${Object.keys(TOOLS).length} runtimes and tools in ${FOLDER} ...`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'package.json'), manifest);
  const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--foreground-scripts', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...flags], {
    cwd: FOLDER,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('the runtimes cannot be installed');
  writeFileSync(stamp, manifest);
}

/** A file of a tool. */
export function toolFile(path) {
  return join(FOLDER, 'node_modules', path);
}
