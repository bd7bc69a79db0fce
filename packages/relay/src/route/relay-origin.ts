/** What the read side asks for beyond its caches: how far they are, and what they do not have, so that the request is passed on. */

import type { KindHistory, OriginObject, ReadOrigin } from '@listwatch/server/read';
import { type CachedPage, type CacheSet, PassRequest, type ReadKind, type ResourceCache } from '@listwatch/server/read';
import { StorageError } from '@listwatch/storage';
import type { Ladder } from '../feed/ladder.ts';
import type { PassReason } from './read-plan.ts';

/** What is known of what is true now, for one request. */
export interface KnownNow {
  /** The caches may show this version or a later one. */
  readonly revision: bigint;
  /** The upstream is away: what the caches have has to do. */
  readonly isStale: boolean;
}

export interface RelayOriginParts {
  readonly caches: Pick<CacheSet, 'kind'>;
  readonly ladderOf: (definition: ReadKind) => Pick<Ladder, 'proven'> | undefined;
  /** Absent: nobody has found it out. */
  readonly known?: KnownNow | undefined;
}

/** The upstream is asked by the client itself, with its own credentials: never by the relay for it. */
export class RelayOrigin implements ReadOrigin {
  readonly #parts: RelayOriginParts;

  constructor(parts: RelayOriginParts) {
    this.#parts = parts;
  }

  newest(): Promise<bigint> {
    const { known } = this.#parts;
    return known === undefined ? passed('most recent') : Promise.resolve(known.revision);
  }

  proven(definition: ReadKind, signal: AbortSignal): Promise<bigint> {
    const { known, ladderOf } = this.#parts;
    if (known?.isStale === true) return Promise.resolve(known.revision);
    return ladderOf(definition)?.proven(signal) ?? passed('most recent');
  }

  object(definition: ReadKind, key: string): Promise<OriginObject> {
    const { known, caches } = this.#parts;
    const { cache } = caches.kind(definition);
    const { generation } = cache;
    if (known === undefined || generation === undefined) return passed('most recent');
    const served = generation.get(key.slice(cache.root.length))?.bytes;
    return Promise.resolve({ served, revision: generation.revision });
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
