// `npm run build`: tsc checks and writes the types, file by file; esbuild writes the code, in a few files a package; Vite builds
// the console's page.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPage, isPageCurrent, PAGE_FOLDER } from '../apps/console/build-page.mjs';
import { removeStamp, sourcesOf, writeStamp } from './build-stamp.mjs';
import { bundle, publicPackages } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

function buildTypes() {
  for (const { folder } of publicPackages()) {
    // Of a `dist` that somebody deleted tsc still remembers that it is up to date, and fails at what is missing.
    if (!existsSync(join(folder, 'dist'))) rmSync(join(folder, 'tsconfig.tsbuildinfo'), { force: true });
  }
  const { status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-b', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  return status === 0;
}

async function buildCode(of) {
  const { outputFiles } = await bundle(of);
  for (const { path, contents } of outputFiles) {
    // A file that is as it was is not touched: a program that starts just now would read half of it.
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
  removeOthers(join(of.folder, 'dist'), new Set(outputFiles.map(({ path }) => path)));
}

/** Code of an earlier build: it would be published, and it would hide that a door leads to a file that is gone. */
function removeOthers(dist, current) {
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const path = join(dist, name);
    if (/\.js(?:\.map)?$/u.test(name) && !current.has(path) && !path.startsWith(PAGE_FOLDER)) rmSync(path);
  }
}

/** Seconds of work, so only when a source of the page has changed. */
async function buildConsole() {
  if (!isPageCurrent()) await buildPage();
}

// Before the build: what is changed while it runs is built by the next one.
const sources = sourcesOf();
removeStamp();
if (buildTypes()) {
  await Promise.all([...publicPackages().map(buildCode), buildConsole()]);
  writeStamp(sources);
} else process.exitCode = 1;
