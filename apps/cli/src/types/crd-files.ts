/** CRDs in files and folders: what `listwatch types` reads. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest, readManifests } from '@listwatch/client/internal';
import { explainFileError } from '../file-error.ts';

/** A manifest, and the file that it is in. */
export interface CrdFile {
  readonly path: string;
  readonly crd: Manifest;
}

/** A file, or what is in it, that cannot be read. Its message says which and why. */
export class CrdFileError extends Error {
  override readonly name = 'CrdFileError';
}

const MANIFEST = /\.(?:ya?ml|json)$/u;

/**
 * The CRDs in a file, or in the YAML and JSON files of a folder and the folders in it; other kinds are left out. Throws a
 * `CrdFileError`.
 */
export async function readCrdFiles(path: string): Promise<readonly CrdFile[]> {
  const found: CrdFile[] = [];
  for (const file of manifestsIn(path)) {
    for (const manifest of await manifestsOf(file)) {
      if (manifest.kind === 'CustomResourceDefinition') found.push({ path: file, crd: manifest });
    }
  }
  return found;
}

function manifestsIn(path: string): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => MANIFEST.test(name))
      .toSorted()
      .map((name) => join(path, name));
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function manifestsOf(path: string): Promise<readonly Manifest[]> {
  try {
    return await readManifests(readFileSync(path, 'utf8'));
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): CrdFileError {
  return new CrdFileError(`${path} cannot be read: ${explainFileError(error)}`, { cause: error });
}
