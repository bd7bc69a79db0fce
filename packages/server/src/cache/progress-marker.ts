/** A write that every watch of the registry delivers: shows the progress of stores that have no progress requests. */

import type { StorageEngine } from '@listwatch/storage';
import { REGISTRY_ROOT } from '../stored/object-folder.ts';

/** The key that is written. It lies in no kind's folder. */
const PROGRESS_KEY = `${REGISTRY_ROOT}listwatch-progress`;

/** Writes it. A failure is ignored: the caller asks again. */
export async function writeProgressMarker(engine: StorageEngine): Promise<void> {
  await engine.commit({ type: 'put', key: PROGRESS_KEY, value: Buffer.alloc(0) }).catch(() => undefined);
}
