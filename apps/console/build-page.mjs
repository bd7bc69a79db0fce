// Builds the page with Vite: from the sources of the packages, so that it needs no other build before it.

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../..', import.meta.url));
const root = fileURLToPath(new URL('page', import.meta.url));

/** Where the built page stands. */
export const PAGE_FOLDER = fileURLToPath(new URL('dist/page', import.meta.url));

/** Lists the sources that the page was built from, and when they were written. Not in `dist`, which is published. */
const STAMP = fileURLToPath(new URL('page.tsbuildinfo', import.meta.url));

/** What the page is made of. */
const SOURCES = [
  'apps/console/page',
  'apps/console/build-page.mjs',
  'package-lock.json',
  ...['api', 'cel', 'client', 'kinds', 'rules', 'runtime', 'schema'].map((name) => `packages/${name}/src`),
];

/** Has nothing changed since the page was built? */
export function isPageCurrent() {
  return existsSync(join(PAGE_FOLDER, 'index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp();
}

/** Builds the page into a folder, which is emptied first. */
export async function buildPage(outDir = PAGE_FOLDER) {
  const before = stamp();
  // Loaded late: a build that has nothing to do for the page need not wait for it.
  const { build } = await import('vite');
  await build({
    root,
    base: '/console/',
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@listwatch/source', 'browser', 'module', 'import', 'default'] },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      // No inline script and no data: URL, because of the Content-Security-Policy.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1000,
    },
  });
  if (outDir === PAGE_FOLDER) writeFileSync(STAMP, before);
}

function stamp() {
  return SOURCES.flatMap((source) => written(join(workspace, source)))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .join('\n');
}

function written(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return [`${path} ${stat.mtimeMs}`];
  return readdirSync(path).flatMap((name) => (/\.test(?:-d)?\.ts$/u.test(name) ? [] : written(join(path, name))));
}
