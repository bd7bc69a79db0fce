// What a package ships as code: its doors, each with what is behind it, in a few files instead of one for each source.
// Loading a file costs Node about half a millisecond, so that 130 small ones are a slow import.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = '@listwatch/source';

/** The packages that are published: their names, folders and manifests. */
export function publicPackages() {
  return ['packages', 'apps']
    .flatMap((area) => readdirSync(join(root, area)).map((name) => join(root, area, name)))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => !manifest.private)
    .map(({ folder, manifest }) => ({ name: manifest.name, folder, manifest }));
}

/** The sources that `exports` names: a new door is built without being named a second time. */
function doors(target, underSource = false) {
  if (typeof target === 'string') return underSource ? [target] : [];
  return Object.entries(target).flatMap(([condition, next]) => doors(next, underSource || condition === SOURCE));
}

/** Bundles a package in memory; the answer has `outputFiles` and esbuild's `metafile`. */
export async function bundle({ folder, manifest }) {
  const result = await build({
    absWorkingDir: folder,
    entryPoints: doors(manifest.exports),
    outbase: 'src',
    outdir: 'dist',
    bundle: true,
    // What two doors share is one file: a class in it is the same class behind both. What is imported late stays late.
    splitting: true,
    // Never a sibling's code: its classes would be there twice, and `instanceof` would fail between the copies.
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    sourcemap: true,
    // `src` is in the package.
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  return { ...result, outputFiles: result.outputFiles.map(withPureCalls) };
}

/** `const NAME = call(`, `= new Call(` and `= [...].map(` at the top of a module. */
const VALUE_OF_A_CALL = /^((?:const|let|var) [\w$]+ = )(?=(?:new )?[A-Za-z_$][\w$.]*\(|\[[^\]\n]*\]\.map\()/gmu;

/**
 * Tells the bundlers of pages that these calls do nothing but make a value, which is what `sideEffects: false` says of each module. They see a
 * few files instead, and would keep every table and resource of a file from which they take anything.
 */
function withPureCalls(file) {
  if (!file.path.endsWith('.js')) return file;
  const text = file.text.replace(VALUE_OF_A_CALL, '$1/* @__PURE__ */ ');
  return { ...file, contents: new TextEncoder().encode(text), text };
}
