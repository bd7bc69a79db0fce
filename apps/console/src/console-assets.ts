/** The files of the page, read once. */

import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** One file, ready to be sent. */
export interface ConsoleAsset {
  readonly contentType: string;
  readonly body: Buffer;
  /** The same with gzip. */
  readonly gzip: Buffer;
  /** A strong ETag, with its quotes. */
  readonly etag: string;
  /** Does its name contain a hash of its content? Then it may be cached for ever. */
  readonly immutable: boolean;
}

/** By path: `/console/`, `/console/assets/index-1a2b3c4d.js`. */
export type ConsoleAssets = ReadonlyMap<string, ConsoleAsset>;

const BASE = '/console/';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Where the build puts the page: beside the code of this package, whether that is its source or built. */
const PAGE_FOLDER = fileURLToPath(new URL('../dist/page', import.meta.url));

/**
 * Reads the files of the page; a few milliseconds. Throws an `Error` when the page has not been built.
 *
 * @example
 * const page = consoleAssets().get('/console/');
 */
export function consoleAssets(folder: string = PAGE_FOLDER): ConsoleAssets {
  const assets = new Map<string, ConsoleAsset>();
  for (const entry of listed(folder)) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path
      .slice(folder.length + 1)
      .split(sep)
      .join('/');
    assets.set(name === 'index.html' ? BASE : BASE + name, assetOf(path, name));
  }
  return assets;
}

function listed(folder: string): Dirent[] {
  try {
    return readFolder(folder);
  } catch (cause) {
    throw new Error(`the console's page is not built: ${folder} cannot be read (npm run build makes it)`, { cause });
  }
}

function readFolder(folder: string): Dirent[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true });
}

function assetOf(path: string, name: string): ConsoleAsset {
  const body = readFileSync(path);
  let gzip: Buffer | undefined;
  return {
    contentType: CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
    body,
    // When it is first asked for: most files are schemas that nobody edits an object of, and a server is to start soon.
    get gzip() {
      gzip ??= gzipSync(body, { level: 9 });
      return gzip;
    },
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    immutable: name.startsWith('assets/'),
  };
}
