/** The cache of one kind as a feed fills it: loads, changes, and how far they are proven to be all. */

import { setImmediate } from 'node:timers/promises';
import type { Clock, ObjectEvent } from '@listwatch/api';
import { type CachedObject, type CacheGeneration, FeedProgress, type ResourceCache } from '@listwatch/server/read';
import type { Entry } from '@listwatch/storage';
import type { RelayedKind } from '../kinds/relayed-kind.ts';
import { type FeedObject, feedDecoder } from './feed-object.ts';
import type { KeptKind } from './kept-kind.ts';

/** What a fed cache needs. */
export interface FedCacheParts {
  readonly kind: RelayedKind;
  readonly cache: ResourceCache;
  readonly clock: Clock;
  /** The bytes of its objects at most; with more it throws. */
  readonly maxBytes: number;
}

/** A generation, and how far its feed has come. */
interface Fed {
  readonly generation: CacheGeneration;
  readonly progress: FeedProgress;
}

interface Deletion {
  readonly key: string;
  readonly revision: bigint;
}

/** So many changes are applied in a few milliseconds. */
const CHANGES_PER_TURN = 200;

/** Throws for what cannot be right: then the kind has to be loaded anew rather than shown. */
export class FedCache {
  readonly #parts: FedCacheParts;
  /** The objects of a load that is under way; until it is complete the state before it is read. */
  #initial = new Map<string, Entry>();
  #initialBytes = 0;
  #current: Fed | undefined;
  /** Deletions of a kind whose objects expire, by key, until something later has come. */
  readonly #held = new Map<string, Deletion>();

  constructor(parts: FedCacheParts) {
    this.#parts = parts;
  }

  /** Every change up to this version is known; undefined while nothing is loaded. */
  get revision(): bigint | undefined {
    return this.#current?.progress.revision;
  }

  /** Something was deleted at a version at which more may be deleted: a watch from there would miss it. */
  get isHolding(): boolean {
    return this.#held.size > 0;
  }

  /** Resolves with true when the version is reached, with false after `ms`, or when the generation ends. */
  async reached(revision: bigint, signal: AbortSignal, ms: number): Promise<boolean> {
    return (await this.#current?.progress.reached(revision, signal, ms)) ?? false;
  }

  /** Another load begins. */
  begin(): void {
    this.#initial = new Map();
    this.#initialBytes = 0;
  }

  /** An object of the load. */
  keep(object: FeedObject): void {
    const key = this.#keyOf(object);
    this.#initialBytes += object.bytes.length;
    this.#checkSize(this.#initialBytes);
    this.#initial.set(key, { key, value: object.bytes, modRevision: versionOf(object) });
  }

  /** An object of the load was deleted before it was complete. */
  forget(object: FeedObject): void {
    this.#initial.delete(this.#keyOf(object));
  }

  /** The load is complete: it is read from now on, unless `isOver` says that nobody wants it any more. */
  async load(revision: bigint, isOver: () => boolean): Promise<boolean> {
    const { cache, clock, kind } = this.#parts;
    // A watch from this version would go on with objects as the definition before had them.
    if (revision === kind.custom?.after())
      throw new Error(`${kind.name}: nothing has happened since its definition changed, so that the kind is passed on`);
    const entries = [...this.#initial.values()];
    this.begin();
    const progress = new FeedProgress(clock, () => {});
    const generation = await cache.loadInTurns(entries, revision, progress);
    return this.#publish({ generation, progress }, revision, isOver);
  }

  /** What was kept while the process was gone is read from now on, with the changes from which watches go on. */
  async restore(kept: KeptKind, isOver: () => boolean): Promise<boolean> {
    const { cache, clock } = this.#parts;
    const progress = new FeedProgress(clock, () => {});
    const entries = kept.objects.map(({ key, value, revision }) => ({
      key: cache.root + key,
      value,
      modRevision: revision,
    }));
    const generation = await cache.loadInTurns(entries, kept.revision, progress);
    let applied = 0;
    for (const { revision, changes } of kept.batches) {
      for (const change of changes) {
        const key = cache.root + change.key;
        const previous: Entry = { key, value: new Uint8Array(0), modRevision: change.revision };
        generation.apply(
          change.value === undefined
            ? { type: 'delete', key, revision: change.revision, previous }
            : { type: 'put', key, value: change.value, revision: change.revision, previous: undefined },
        );
        applied += 1;
        if (applied % CHANGES_PER_TURN === 0) await setImmediate();
      }
      generation.settle(revision);
    }
    return this.#publish({ generation, progress }, generation.revision, isOver);
  }

  /** The object that changed last, as far as there is one: what a server with another history is known by. */
  get newest(): readonly FeedObject[] {
    let newest: CachedObject | undefined;
    for (const object of this.#current?.generation.snapshot().walk() ?? [])
      if (newest === undefined || object.revision > newest.revision) newest = object;
    return newest === undefined ? [] : [feedDecoder(this.#parts.kind)(newest.bytes)];
  }

  #publish(fed: Fed, revision: bigint, isOver: () => boolean): boolean {
    const { cache, kind } = this.#parts;
    const { generation, progress } = fed;
    if (isOver()) {
      generation.end();
      return false;
    }
    if (generation.undecodable > 0) {
      generation.end();
      throw unreadable(kind, 'an object');
    }
    this.end();
    this.#current = fed;
    cache.publish(generation);
    progress.advance(revision);
    return true;
  }

  /** Objects have changed, in this order. */
  change(events: readonly ObjectEvent<FeedObject>[]): void {
    const { kind, cache } = this.#parts;
    const generation = this.#current?.generation;
    for (const event of events) {
      const revision = versionOf(event.object);
      const key = this.#keyOf(event.object);
      if (revision < (this.revision ?? 0n) && event.type !== 'DELETED') throw contradiction(kind, key, revision);
      this.#release(revision);
      if (event.type === 'DELETED') {
        if (kind.expires) this.#held.set(key, { key, revision });
        else this.#delete({ key, revision });
      } else {
        const value = event.object.bytes;
        generation?.apply({ type: 'put', key, value, revision, previous: undefined });
        this.#checkSize(generation?.bytes ?? 0);
        if (generation?.isUndecodable(key.slice(cache.root.length)) === true) throw unreadable(kind, key);
      }
      if (this.#held.size === 0) this.#settle(this.#current, revision);
    }
  }

  /** The feed itself has said that everything up to this version has come. */
  prove(revision: bigint): void {
    this.#release(revision + 1n);
    this.#settle(this.#current, revision);
  }

  /**
   * Another watch of the kind that began at the revision of now. Once everything up to `last`, its last event, has come
   * through the feed too, `revision` is proven; nothing is applied that came through it.
   */
  witness(): (last: bigint, revision: bigint) => Promise<void> {
    const fed = this.#current;
    return async (last, revision) => {
      if (fed === undefined || !(await fed.progress.reached(last))) return;
      // Held deletions are not applied yet, whatever another watch has seen.
      if (this.#current === fed && !this.isHolding) this.#settle(fed, revision);
    };
  }

  /** What is loaded is shown no more. */
  end(): void {
    this.#held.clear();
    this.#current?.progress.end();
    this.#current = undefined;
  }

  /** Something at this version has come: all deletions before it are known. */
  #release(revision: bigint): void {
    let last = 0n;
    for (const deletion of this.#held.values()) {
      if (deletion.revision >= revision) continue;
      this.#held.delete(deletion.key);
      this.#delete(deletion);
      last = deletion.revision;
    }
    this.#settle(this.#current, last);
  }

  #delete({ key, revision }: Deletion): void {
    const { kind, cache } = this.#parts;
    const { generation } = this.#current ?? {};
    if (generation === undefined) return;
    if (revision <= generation.revision && generation.get(key.slice(cache.root.length)) !== undefined)
      throw contradiction(kind, key, revision);
    const previous: Entry = { key, value: new Uint8Array(0), modRevision: revision };
    generation.apply({ type: 'delete', key, revision, previous });
  }

  #settle(fed: Fed | undefined, revision: bigint): void {
    if (fed === undefined || revision <= fed.progress.revision) return;
    fed.generation.settle(revision);
    fed.progress.advance(revision);
  }

  #checkSize(bytes: number): void {
    const { kind, maxBytes } = this.#parts;
    if (bytes > maxBytes)
      throw new Error(`${kind.name}: its objects take more than ${maxBytes} bytes, so that the kind is passed on`);
  }

  #keyOf({ metadata }: FeedObject): string {
    const { kind, cache } = this.#parts;
    const { name, namespace = '' } = metadata;
    if (kind.resource.namespaced === (namespace === '')) throw new Error(`${kind.name}: ${name} has a wrong namespace`);
    return `${cache.root}${namespace === '' ? '' : `${namespace}/`}${name}`;
  }
}

/** A list that left it out would lie. */
function unreadable({ name }: RelayedKind, what: string): Error {
  return new Error(`${name}: ${what} cannot be read, so that the kind is passed on`);
}

/** It was proven that there is no change up to a later version that has not come. */
function contradiction({ name }: RelayedKind, key: string, revision: bigint): Error {
  return new Error(`${name}: ${key} changed at version ${revision}, up to which all changes were known`);
}

function versionOf({ metadata }: FeedObject): bigint {
  return BigInt(metadata.resourceVersion ?? '');
}
