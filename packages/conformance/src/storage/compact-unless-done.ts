/** A compaction that may be overtaken by another one. */

import { isStorageError, type Revision, type StorageEngine } from '@listwatch/storage';

/** Compacts to `revision`; resolves as well when another compaction has gone that far already. */
export async function compactUnlessDone(engine: StorageEngine, revision: Revision): Promise<void> {
  try {
    await engine.compact(revision);
  } catch (error) {
    if (!isStorageError(error, 'COMPACTED') || (error.revision ?? 0n) < revision) throw error;
  }
}
