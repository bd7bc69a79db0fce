/** What the read side asks for beyond its caches: how far they are, and what they do not have, so that the request is passed on. */

import type { KindHistory, OriginObject, ReadOrigin } from '@listwatch/server/read';
import { type CachedPage, PassRequest, type ReadKind, type ResourceCache } from '@listwatch/server/read';
import { StorageError } from '@listwatch/storage';
import type { Ladder } from '../feed/ladder.ts';
import type { PassReason } from './read-plan.ts';

/** The upstream is asked by the client itself, with its own credentials: never by the relay for it. */
export class RelayOrigin implements ReadOrigin {
  readonly #ladderOf: (definition: ReadKind) => Pick<Ladder, 'proven'> | undefined;
  readonly #proven: bigint | undefined;

  /** `proven`: the version of what is true now, where somebody has found it out for the one request that this is for. */
  constructor(ladderOf: (definition: ReadKind) => Pick<Ladder, 'proven'> | undefined, proven?: bigint) {
    this.#ladderOf = ladderOf;
    this.#proven = proven;
  }

  newest(): Promise<bigint> {
    return this.#proven === undefined ? passed('most recent') : Promise.resolve(this.#proven);
  }

  proven(definition: ReadKind, signal: AbortSignal): Promise<bigint> {
    return this.#ladderOf(definition)?.proven(signal) ?? passed('most recent');
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
