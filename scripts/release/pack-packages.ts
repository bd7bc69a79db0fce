import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicPackages } from '../bundle.mjs';
import { absoluteLinks } from './absolute-links.ts';
import { publishedManifest, type SourceManifest } from './published-manifest.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  readonly tarball: string;
  readonly files: readonly string[];
}

interface PackAnswer {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/**
 * Packs every public package, as it is built, into `folder`: with the manifest and the README of the registry. The packages of
 * the repository stay as they are.
 */
export function packPackages(folder: string, address: string): readonly PackedPackage[] {
  mkdirSync(folder, { recursive: true });
  return publicPackages().map(({ name, folder: source, manifest }) => {
    const directory = relative(root, source).split(sep).join('/');
    const stage = join(folder, 'stage', name);
    mkdirSync(stage, { recursive: true });
    for (const entry of ['LICENSE', ...filesOf(manifest)]) {
      if (!existsSync(join(source, entry))) throw new Error(`${directory}/${entry} is missing: npm run build`);
      cpSync(join(source, entry), join(stage, entry), { recursive: true });
    }
    writeFileSync(
      join(stage, 'package.json'),
      JSON.stringify(publishedManifest(manifest, directory, address), null, 2),
    );
    const readme = absoluteLinks(readFileSync(join(source, 'README.md'), 'utf8'), {
      directory,
      address,
      isFolder: (path) => statSync(join(root, path)).isDirectory(),
    });
    writeFileSync(join(stage, 'README.md'), readme);
    const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
    const { status, stdout } = spawnSync('npm', args, {
      cwd: stage,
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error(`npm pack failed for ${name}`);
    // A list in npm 10, an object by names in npm 11.
    const answer: readonly PackAnswer[] | Readonly<Record<string, PackAnswer>> = JSON.parse(stdout);
    const [packed] = Object.values(answer);
    if (packed === undefined) throw new Error(`npm pack says nothing about ${name}`);
    const files = packed.files.map(({ path }) => path);
    return { name, version: manifest.version, tarball: join(folder, packed.filename), files };
  });
}

/** The folders that `files` names; patterns that leave something out are npm's to apply. */
function filesOf({ files = [] }: SourceManifest): readonly string[] {
  return files.filter((entry) => !entry.startsWith('!'));
}
