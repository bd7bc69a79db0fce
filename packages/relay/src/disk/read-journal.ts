/** Reads the journal of a kind: what of it can be used, or why nothing can. */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { KeptObject } from '../feed/kept-kind.ts';
import { readFrames } from './journal-frames.ts';
import { type JournalBatch, type JournalHeader, type JournalRecord, readRecord } from './journal-record.ts';

/** A journal whose base is whole. */
export interface Journal {
  readonly header: JournalHeader;
  readonly objects: readonly KeptObject[];
  /** As far as they can be read. */
  readonly batches: readonly JournalBatch[];
  /** Bytes at its end that cannot be used: the process ended while it wrote them, or they were damaged. */
  readonly unused: number;
}

/** Undefined: there is none. Throws for one that cannot be used, with the reason. */
export async function readJournal(path: string, key: Uint8Array | undefined): Promise<Journal | undefined> {
  const file = await openPrivately(path);
  if (file === undefined) return undefined;
  try {
    return await read(file, key);
  } finally {
    await file.close();
  }
}

/** Undefined: there is none. Throws for a file that may be somebody else's. */
export async function openPrivately(path: string): Promise<FileHandle | undefined> {
  let file: FileHandle;
  try {
    // NOFOLLOW: nobody may choose by a link which file is read. NONBLOCK: opening a FIFO would wait for ever.
    file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    await checkOwner(file);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** What others can write may be anybody's objects. */
async function checkOwner(file: FileHandle): Promise<void> {
  const status = await file.stat();
  if (!status.isFile()) throw new Error('it is not a regular file');
  // Windows has no such permissions.
  if (process.getuid === undefined) return;
  if (status.uid !== process.getuid()) throw new Error(`it belongs to another user (${status.uid})`);
  const mode = status.mode & 0o777;
  if ((mode & 0o022) !== 0) throw new Error(`others could write it (mode ${mode.toString(8)})`);
}

async function read(file: FileHandle, key: Uint8Array | undefined): Promise<Journal> {
  const frames = readFrames(file, key);
  const next = async (): Promise<JournalRecord | number> => {
    const frame = await frames.next();
    return frame.done === true ? frame.value : readRecord(frame.value);
  };
  const first = await next();
  if (typeof first === 'number') throw new Error('it is cut short or damaged, or was written with another key');
  if (first.type !== 'header') throw new Error('it has no header');
  const { header } = first;
  const objects: KeptObject[] = [];
  let record = await next();
  for (; typeof record !== 'number' && record.type === 'objects'; record = await next())
    for (const object of record.objects) objects.push(object);
  if (typeof record === 'number') throw new Error('its base is cut short or damaged');
  if (record.type !== 'baseEnd' || objects.length !== header.objects) throw new Error('its base is not complete');
  const batches: JournalBatch[] = [];
  let revision = header.revision;
  for (record = await next(); typeof record !== 'number'; record = await next()) {
    if (record.type !== 'batch' || record.batch.revision < revision) throw new Error('its changes are out of order');
    ({ revision } = record.batch);
    batches.push(record.batch);
  }
  return { header, objects, batches, unused: record };
}
