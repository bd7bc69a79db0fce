// Installs what the lock file asks for, unless that is installed already. Node built-ins only: nothing else is here yet.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isInstalled, thisMachine } from './installed-modules.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}node_modules/.listwatch-setup`;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`listwatch needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

// A change of platform or Node's ABI needs other prebuilt binaries than the ones in node_modules.
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .update(`${process.platform} ${process.arch} ${process.versions.modules}`)
  .digest('hex');

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** By what npm has written: who has run npm ci by hand, as CI does, need not wait for another one, which would also throw away what was built into .cache. */
function isInstalledAlready() {
  const written = `${root}node_modules/.package-lock.json`;
  if (!existsSync(written)) return false;
  return isInstalled(readJson(`${root}package-lock.json`), readJson(written), thisMachine());
}

if (!existsSync(stamp) && isInstalledAlready()) writeFileSync(stamp, wanted);
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.log('Installing dependencies (npm ci) ...');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error('npm ci failed; nothing else was run.');
    process.exit(status ?? 1);
  }
  writeFileSync(stamp, wanted);
}
