/** A write that a watch of the registry is sure to bring, and with it everything before: for stores that cannot be asked. */

import type { StorageEngine } from '@listwatch/storage';
import { REGISTRY_ROOT } from '../kinds/resource-registry.ts';

/** The key that is written. No kind has it in its folder. */
const PROGRESS_KEY = `${REGISTRY_ROOT}listwatch-progress`;

/** Writes it. A failure is not told: whoever waits asks again. */
export async function writeProgressMarker(engine: StorageEngine): Promise<void> {
  await engine.commit({ type: 'put', key: PROGRESS_KEY, value: Buffer.alloc(0) }).catch(() => undefined);
}
