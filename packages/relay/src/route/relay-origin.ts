/** What the read side asks for beyond its caches: a relay has no more than them, so that the request is passed on. */

import type { CachedPage, ResourceCache } from '@listwatch/server/read';
import { type KindHistory, type OriginObject, PassRequest, type ReadOrigin } from '@listwatch/server/read';
import { StorageError } from '@listwatch/storage';
import type { PassReason } from './read-plan.ts';

/** The upstream is asked by the client itself, with its own credentials: never by the relay for it. */
export class RelayOrigin implements ReadOrigin {
  newest(): Promise<bigint> {
    return passed('most recent');
  }

  object(): Promise<OriginObject> {
    return passed('most recent');
  }

  page(): Promise<CachedPage> {
    return passed('version');
  }

  /** As a kube-apiserver that was restarted: the client lists again, from the cache. */
  history(cache: ResourceCache, after: bigint): KindHistory {
    const revision = cache.generation?.window.oldestStart ?? after;
    const error = new StorageError('COMPACTED', `changes after ${after} are not here`, { revision });
    return { batches: failing(error), stopAsking: () => {} };
  }
}

function passed(reason: PassReason): Promise<never> {
  return Promise.reject(new PassRequest(reason));
}

function failing(error: Error): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
}
