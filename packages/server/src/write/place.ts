/** Finds the key of the object and its current state. */

import { requestedKey } from '../stored/requested-key.ts';
import type { Write } from './write.ts';

/** Reads the cache if a store read costs a round trip. A dry run reads the store: no commit detects a stale entry. */
export async function place(write: Write): Promise<undefined> {
  const { call, store, options } = write;
  write.key = requestedKey(call);
  const cached = options.dryRun ? undefined : store.cached(call.definition, write.key);
  write.isCached = cached !== undefined;
  write.current = cached ?? (await write.read());
}
