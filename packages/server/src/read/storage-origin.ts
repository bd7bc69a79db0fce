/** Reads the store where the caches do not suffice. */

import type { CancelTimer, Clock } from '@listwatch/storage';
import type { CachedPage, PageRequest } from '../cache/list-page.ts';
import { writeProgressMarker } from '../cache/progress-marker.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { ObjectStore } from '../contract/verb.ts';
import type { ReadKind } from '../kinds/read-kind.ts';
import { REGISTRY_ROOT } from '../stored/object-folder.ts';
import { servedBytes } from '../stored/stored-object.ts';
import type { KindHistory, OriginObject, PageReading, ReadOrigin } from './read-origin.ts';
import { storedPage } from './stored-page.ts';

/** A store without progress requests gets a progress marker this often, until the cache has taken over. */
const MARK_EVERY_MS = 1000;

/** The store as a kind sees it. */
export type StoreOf = (definition: ReadKind) => Pick<ObjectStore, 'clock' | 'engine'>;

/** The origin of a server that has a store. */
export class StorageOrigin implements ReadOrigin {
  readonly #storeOf: StoreOf;

  constructor(storeOf: StoreOf) {
    this.#storeOf = storeOf;
  }

  newest(definition: ReadKind, signal: AbortSignal): Promise<bigint> {
    return this.#storeOf(definition).engine.revision({ signal });
  }

  async object(definition: ReadKind, key: string, signal: AbortSignal): Promise<OriginObject> {
    const { entry, revision } = await this.#storeOf(definition).engine.get(key, { signal });
    return { served: entry && servedBytes(definition, entry), revision };
  }

  page(cache: ResourceCache, request: PageRequest, at: bigint | undefined, reading: PageReading): Promise<CachedPage> {
    return storedPage(this.#storeOf(cache.definition).engine, cache, request, at, reading);
  }

  /** The events of a quiet kind would not report progress: the store is asked for it, or a marker is written. */
  history({ definition, root }: ResourceCache, after: bigint, signal: AbortSignal): KindHistory {
    const { engine, clock } = this.#storeOf(definition);
    if (engine.capabilities.progressRequests) {
      const batches = engine.watch(root, { after, signal });
      batches.requestProgress();
      return { batches, stopAsking: () => undefined };
    }
    const stopAsking = repeat(clock, () => void writeProgressMarker(engine));
    return { batches: engine.watch(REGISTRY_ROOT, { after, signal }), stopAsking };
  }
}

/** Now, and every `MARK_EVERY_MS` until the result is called. */
function repeat(clock: Clock, ask: () => void): () => void {
  let cancel: CancelTimer;
  const again = (): void => {
    ask();
    cancel = clock.after(MARK_EVERY_MS, again);
  };
  again();
  return () => cancel();
}
