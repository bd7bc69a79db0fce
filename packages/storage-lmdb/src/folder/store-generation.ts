/**
 * Notices that a data file is not the one that this folder was last opened with: a backup that was put back, or a copy.
 *
 * The original may have given out revisions that the copy does not know and would give out again, for other changes. A
 * client that has seen them would resume there and miss everything. So the copy jumps ahead and forgets its history:
 * such a client gets `COMPACTED` and lists anew. It is what `etcdutl snapshot restore --bump-revision --mark-compacted`
 * does.
 */

import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Revision } from '@listwatch/storage';
import { writeFailure } from '../commit-failure.ts';
import { readState } from '../store-state.ts';
import type { Tables } from '../tables.ts';
import { type FileIdentity, fileIdentity, isFileIdentity, isSameFile } from './file-identity.ts';
import { FILE_MODE, GENERATION_FILE, temporaryName } from './store-folder.ts';

/** More than any store commits between a backup and its return: eleven days at a thousand a second. */
const JUMP = 1_000_000_000;

/** What stands in the store: which opening was the last, and of which file. */
interface NotedGeneration {
  readonly id: string;
  readonly file: FileIdentity;
}

/** What stands in the file beside it. Two openings, because a start can be killed between writing the one and the other. */
interface GenerationFile {
  readonly current: string;
  readonly previous: string;
}

/**
 * Notes this opening, which must hold the store. When the data file has been restored or copied, its revision jumps
 * ahead; the answer is the new one, and undefined otherwise.
 */
export function noteGeneration(tables: Tables, folder: string): Revision | undefined {
  const path = join(folder, GENERATION_FILE);
  const noted = tables.facts.get('generation');
  const next: NotedGeneration = { id: randomUUID(), file: fileIdentity(folder) };
  if (!isNoted(noted) || isSame(noted, next.file, readFile(path))) {
    noteOpening(tables, path, next, isNoted(noted) ? noted.id : next.id);
    return undefined;
  }
  try {
    const revision = readState(tables).revision + JUMP;
    // The store first: a start that is killed in between finds the restored file again and jumps once more.
    tables.root.transactionSync(() => {
      tables.facts.putSync('compacted', revision);
      tables.facts.putSync('generation', next);
    });
    writeFile(path, { current: next.id, previous: next.id });
    return BigInt(revision);
  } catch (error) {
    throw writeFailure(error, folder);
  }
}

function noteOpening(tables: Tables, path: string, next: NotedGeneration, previous: string): void {
  try {
    writeFile(path, { current: next.id, previous });
    tables.facts.putSync('generation', next);
    // From now on a file of the opening before is a backup.
    writeFile(path, { current: next.id, previous: next.id });
  } catch {
    // The disk is full. The notes of the last opening still hold, and a store that can be read should open.
  }
}

function isSame(noted: NotedGeneration, file: FileIdentity, beside: GenerationFile | undefined): boolean {
  if (!isSameFile(noted.file, file) || beside === undefined) return false;
  return noted.id === beside.current || noted.id === beside.previous;
}

function isNoted(value: unknown): value is NotedGeneration {
  return typeof value === 'object' && value !== null && 'id' in value && 'file' in value && isFileIdentity(value.file);
}

function readFile(path: string): GenerationFile | undefined {
  try {
    const file: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof file !== 'object' || file === null || !('current' in file) || !('previous' in file)) return undefined;
    return { current: String(file.current), previous: String(file.previous) };
  } catch {
    return undefined;
  }
}

function writeFile(path: string, file: GenerationFile): void {
  const temporary = temporaryName(path);
  try {
    const descriptor = openSync(temporary, 'wx', FILE_MODE);
    try {
      writeSync(descriptor, `${JSON.stringify(file)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
