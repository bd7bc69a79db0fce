/** A generation as the records of a journal: the state at the beginning of its window, and the changes since. */

import type { CachedObject, CacheGeneration } from '@listwatch/server/read';
import type { KeptChange, KeptObject } from '../feed/kept-kind.ts';
import { baseEndRecord, batchRecord, headerRecord, type JournalFacts, objectsRecord } from './journal-record.ts';

const RECORD_BYTES = 64 * 1024;

/** Taken at once; its records can be made over a longer time, whatever changes meanwhile. */
export function generationRecords(generation: CacheGeneration, facts: JournalFacts, heard: number): Iterable<Buffer> {
  const { window, revision } = generation;
  const { oldestStart } = window;
  const base = generation.snapshot().undo(window.backTo(oldestStart), oldestStart);
  const changes: KeptChange[] = [];
  for (const { key, object, revision: at } of window.backTo(oldestStart)) {
    // The last ones may not be visible yet.
    if (at <= revision) changes.push({ key, revision: at, value: object?.bytes });
  }
  changes.reverse();
  return records();

  function* records(): Generator<Buffer, undefined> {
    yield headerRecord({ ...facts, revision: oldestStart, objects: base.size, heard });
    for (const objects of parts<CachedObject>(base.walk(), ({ bytes }) => bytes.length))
      yield objectsRecord(objects.map(kept));
    yield baseEndRecord();
    let last = oldestStart;
    for (const part of parts(changes, ({ value }) => value?.length ?? 0, sameRevision)) {
      last = part.at(-1)?.revision ?? last;
      yield batchRecord({ revision: last, heard, changes: part });
    }
    if (last < revision) yield batchRecord({ revision, heard, changes: [] });
  }
}

function kept({ key, revision, bytes }: CachedObject): KeptObject {
  return { key, revision, value: bytes };
}

/** What changed at one version belongs into one batch. */
function sameRevision(left: KeptChange, right: KeptChange): boolean {
  return left.revision === right.revision;
}

/** Parts of some size; `together`: may two neighbours not be parted? */
function* parts<T>(
  values: Iterable<T>,
  bytesOf: (value: T) => number,
  together: (left: T, right: T) => boolean = () => false,
): Generator<readonly T[], undefined> {
  let part: T[] = [];
  let size = 0;
  for (const value of values) {
    const last = part.at(-1);
    if (size >= RECORD_BYTES && last !== undefined && !together(last, value)) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(value);
    size += bytesOf(value);
  }
  if (part.length > 0) yield part;
}
