/** The origin of the caches in tests of verbs. */

import type { StorageEngine } from '@listwatch/storage';
import type { VerbContext } from '../contract/verb.ts';
import { StorageOrigin, type StoreOf } from './storage-origin.ts';

/** The store that the verbs of a context write to. */
export function originOf({ kinds }: Pick<VerbContext, 'kinds'>): StorageOrigin {
  return new StorageOrigin((definition) => kinds.storeOf(definition));
}

/** An engine alone. */
export function engineOrigin(engine: StorageEngine, clock: ReturnType<StoreOf>['clock']): StorageOrigin {
  return new StorageOrigin(() => ({ engine, clock }));
}
