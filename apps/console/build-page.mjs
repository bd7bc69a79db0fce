// Builds the page with Vite: from the sources of the packages, so that it needs no other build before it.

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../..', import.meta.url));
const root = fileURLToPath(new URL('page', import.meta.url));

/** Where the built page stands. */
export const PAGE_FOLDER = fileURLToPath(new URL('dist/page', import.meta.url));

/** Lists the sources that the page was built from, and when they were written. Not in `dist`, which is published. */
const STAMP = fileURLToPath(new URL('page.tsbuildinfo', import.meta.url));

/** The licences of what the page is made of, beside its folder: what is within is served. */
const LICENCES = 'THIRD-PARTY-LICENSES.txt';

/** What the page is made of. */
const SOURCES = [
  'apps/console/page',
  'apps/console/build-page.mjs',
  'package-lock.json',
  ...['api', 'cel', 'client', 'kinds', 'rules', 'runtime', 'schema'].map((name) => `packages/${name}/src`),
];

/** Has nothing changed since the page was built? */
export function isPageCurrent() {
  return (
    [join(PAGE_FOLDER, 'index.html'), join(PAGE_FOLDER, '..', LICENCES), STAMP].every((path) => existsSync(path)) &&
    readFileSync(STAMP, 'utf8') === stamp()
  );
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
    plugins: [bundledLicences(outDir)],
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

/** Writes the licences of other people's code in the page beside it: they ask for a copy wherever that code goes. */
function bundledLicences(outDir) {
  return {
    name: 'bundled-licences',
    generateBundle(_, bundle) {
      const files = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
      const folders = new Set(files.map(packageFolder).filter((folder) => folder !== undefined));
      const texts = [...folders].map(licenceOf).toSorted((a, b) => (a < b ? -1 : 1));
      writeFileSync(join(dirname(outDir), LICENCES), `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
    },
  };
}

/** `/x/node_modules/@a/b` of `/x/node_modules/@a/b/dist/c.js`. */
function packageFolder(file) {
  return /^\0?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/u.exec(file)?.[1];
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.\w+)?$/iu.test(entry));
  if (file === undefined) throw new Error(`${name} is part of the page and has no licence text`);
  return `${name} ${version}\n${license}\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
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
