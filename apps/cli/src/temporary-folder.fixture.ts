/** A folder for one test file, gone at its end. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Makes a function that gives a new, empty folder for each call. */
export function temporaryFolders(): () => string {
  const root = mkdtempSync(join(tmpdir(), 'listwatch-cli-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return () => mkdtempSync(join(root, 'f-'));
}
