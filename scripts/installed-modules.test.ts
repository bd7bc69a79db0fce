import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isInstalled, type LockFile, thisMachine } from './installed-modules.mjs';

const MACHINE = { os: 'linux', cpu: 'x64', libc: 'glibc' };

function lockOf(packages: LockFile['packages']): LockFile {
  return { packages: { '': {}, 'packages/own': { version: '1.0.0' }, ...packages } };
}

const LOCK = lockOf({
  'node_modules/a': { version: '1.0.0', integrity: 'x' },
  'node_modules/a-linux': {
    version: '1.0.0',
    integrity: 'l',
    optional: true,
    os: ['linux'],
    cpu: ['x64'],
    libc: ['glibc'],
  },
  'node_modules/a-musl': {
    version: '1.0.0',
    integrity: 'm',
    optional: true,
    os: ['linux'],
    cpu: ['x64'],
    libc: ['musl'],
  },
  'node_modules/a-darwin': { version: '1.0.0', integrity: 'd', optional: true, os: ['darwin'], cpu: ['arm64'] },
});
const INSTALLED: LockFile['packages'] = {
  'node_modules/a': { version: '1.0.0', integrity: 'x' },
  'node_modules/a-linux': { version: '1.0.0', integrity: 'l' },
};

it('node_modules that npm ci has made is not made again', () => {
  expect(isInstalled(LOCK, { packages: INSTALLED }, MACHINE)).toBe(true);
});

it.each([
  ['a package less', { 'node_modules/a-linux': { version: '1.0.0', integrity: 'l' } }],
  ['another version', { ...INSTALLED, 'node_modules/a': { version: '1.0.1', integrity: 'x' } }],
  ['other content', { ...INSTALLED, 'node_modules/a': { version: '1.0.0', integrity: 'y' } }],
  ['a package more', { ...INSTALLED, 'node_modules/b': { version: '1.0.0', integrity: 'b' } }],
])('it is made again with %s', (_, packages) => {
  expect(isInstalled(LOCK, { packages }, MACHINE)).toBe(false);
});

it('it is made again on another machine', () => {
  expect(isInstalled(LOCK, { packages: INSTALLED }, { os: 'darwin', cpu: 'arm64', libc: undefined })).toBe(false);
  expect(isInstalled(LOCK, { packages: INSTALLED }, { ...MACHINE, libc: 'musl' })).toBe(false);
});

function read(url: URL): LockFile {
  return JSON.parse(readFileSync(url, 'utf8'));
}

const written = new URL('../node_modules/.package-lock.json', import.meta.url);

it.skipIf(!existsSync(written))('what npm has written of this repository is understood', () => {
  const lock = read(new URL('../package-lock.json', import.meta.url));
  expect(isInstalled(lock, read(written), thisMachine())).toBe(true);
});
