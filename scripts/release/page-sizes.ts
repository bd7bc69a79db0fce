import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type OutputFile } from 'esbuild';
import { bundle, publicPackages } from '../bundle.mjs';
import type { SourceManifest } from './published-manifest.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The packages that pages are made of. */
const PARTS: ReadonlySet<string> = new Set(['api', 'cel', 'client', 'kinds', 'runtime', 'schema'].map(scoped));

/**
 * What a page pays for before its first line runs: each program bundled as the packages are shipped, minified, in bytes of gzip. What it loads
 * later (YAML) does not count.
 */
export async function pageSizes(programs: Readonly<Record<string, string>>): Promise<Readonly<Record<string, number>>> {
  // Within the root, so that other dependencies are found.
  const folder = mkdtempSync(join(root, 'node_modules', '.page-sizes-'));
  try {
    await ship(folder);
    const sizes = Object.entries(programs).map(async ([name, code]) => [name, await sizeOf(code, folder)] as const);
    return Object.fromEntries(await Promise.all(sizes));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes the packages as the build would: their code in the files that `exports` names. */
async function ship(folder: string): Promise<void> {
  const parts = publicPackages().filter(({ name }) => PARTS.has(name));
  await Promise.all(
    parts.map(async (part) => {
      const target = join(folder, 'node_modules', part.name);
      const { outputFiles } = await bundle(part);
      const manifest: Partial<SourceManifest> = { ...part.manifest };
      write(join(target, 'package.json'), JSON.stringify(manifest));
      for (const { path, contents } of outputFiles ?? []) write(join(target, relative(part.folder, path)), contents);
    }),
  );
}

function write(path: string, contents: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}

async function sizeOf(code: string, folder: string): Promise<number> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: folder },
    absWorkingDir: folder,
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    metafile: true,
    write: false,
    logLevel: 'error',
    // Files that are imported for nothing but their effects, of packages that have none, are left out: that is what we want.
    logOverride: { 'ignored-bare-import': 'silent' },
  });
  const first = Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.entryPoint !== undefined) ?? '';
  const loaded = new Set<string>();
  const visit = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const next of metafile.outputs[path]?.imports ?? []) if (next.kind !== 'dynamic-import') visit(next.path);
  };
  visit(first);
  const isLoaded = ({ path }: OutputFile): boolean => loaded.has(relative(folder, path));
  return outputFiles.filter(isLoaded).reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
}

function scoped(name: string): string {
  return `@listwatch/${name}`;
}
