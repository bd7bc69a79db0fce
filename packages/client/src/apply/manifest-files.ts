/** Manifests in files: one file, a folder, or those that a pattern names. For Node. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { type Manifest, readManifests } from './manifest.ts';

/** An object, and the file that it is in. */
export interface ManifestFile {
  readonly path: string;
  readonly object: Manifest;
}

const MANIFEST = /\.(?:ya?ml|json)$/u;
const WILDCARD = /[*?]/u;

/**
 * Reads the objects in a file, in the YAML and JSON files of a folder and of all folders in it, or in the files that a pattern
 * names (`config/crd/*.yaml`; `**` stands for any folders). In the order of their paths.
 *
 * @throws TypeError that names the file, when one cannot be read or is no manifest, and when a pattern names none
 */
export async function readManifestFiles(
  source: string,
  folder: string = process.cwd(),
): Promise<readonly ManifestFile[]> {
  const found: ManifestFile[] = [];
  for (const path of pathsOf(source, folder)) {
    for (const object of await manifestsOf(path)) found.push({ path, object });
  }
  return found;
}

function pathsOf(source: string, folder: string): readonly string[] {
  if (WILDCARD.test(source)) return matches(source, folder);
  const path = resolve(folder, source);
  return isFolder(path) ? filesIn(path).filter((file) => MANIFEST.test(file)) : [path];
}

function matches(pattern: string, folder: string): readonly string[] {
  const parts = pattern.split('/');
  const fixed = parts.findIndex((part) => WILDCARD.test(part));
  const root = resolve(folder, parts.slice(0, fixed).join('/') || (pattern.startsWith('/') ? '/' : '.'));
  const wanted = new RegExp(
    `^${parts.slice(fixed).map(partExpression).join('/').replaceAll('(?:.*)/', '(?:.*/)?')}$`,
    'u',
  );
  const found = isFolder(root)
    ? filesIn(root).filter((path) => wanted.test(path.slice(root.length + 1).replaceAll(sep, '/')))
    : [];
  // A typing error must not look like an empty folder.
  if (found.length === 0) throw new TypeError(`no file matches ${pattern}`);
  return found;
}

function partExpression(part: string): string {
  if (part === '**') return '(?:.*)';
  return part
    .replaceAll(/[.+^${}()|[\]\\]/gu, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw unreadable(path, error);
  }
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
  } catch (error) {
    throw unreadable(folder, error);
  }
}

async function manifestsOf(path: string): Promise<readonly Manifest[]> {
  try {
    return await readManifests(readFileSync(path, 'utf8'));
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): TypeError {
  return new TypeError(`${path} cannot be read: ${reasonOf(error)}`, { cause: error });
}

/** Without the path, which Node repeats. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isMissing = 'code' in error && error.code === 'ENOENT';
  return isMissing ? 'there is no such file' : error.message;
}
