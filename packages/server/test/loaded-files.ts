/** Which files of this repository a file loads: read from esbuild, which drops imports of types as Node does. */

import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The files that are loaded with these before their first line runs, they themselves too; what is imported late is left out. */
export async function loadedFiles(...entries: readonly string[]): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entries],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    conditions: ['@listwatch/source'],
    // Packages of others: their files are not ours to count.
    plugins: [{ name: 'own packages only', setup: (plugin) => plugin.onResolve({ filter: /^[^./]/ }, resolved) }],
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const found = new Set<string>(entries);
  // A set may grow while it is gone through.
  for (const file of found) {
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) {
      if (kind !== 'dynamic-import' && external !== true) found.add(path);
    }
  }
  return [...found];
}

function resolved({ path }: { readonly path: string }): { readonly path: string; readonly external: true } | undefined {
  return path.startsWith('@listwatch/') || path.startsWith('packages/') ? undefined : { path, external: true };
}
