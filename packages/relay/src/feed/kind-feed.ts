/** Keeps the cache of one kind as the upstream has it: one watch, whoever reads. Start here. */

import { type Clock, isExpired, type ObjectEvent, type Resource, sleep } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { Cluster } from '@listwatch/client';
import { resolveWatcherOptions, runWatcher, type WatcherOutput } from '@listwatch/runtime/internal';
import { type CacheGeneration, FeedProgress, type ResourceCache } from '@listwatch/server/read';
import type { Entry } from '@listwatch/storage';
import type { RelayedKind } from '../kinds/relayed-kind.ts';
import { type FeedObject, feedDecoder } from './feed-object.ts';
import { type FeedInput, type FeedState, newFeedState, stepFeed } from './feed-state.ts';

/** What a feed needs. */
export interface KindFeedParts {
  readonly cluster: Pick<Cluster, 'clock' | 'pages' | 'server' | 'watch'>;
  readonly kind: RelayedKind;
  readonly cache: ResourceCache;
  readonly clock: Clock;
  /** Before each load: throws when the upstream is another cluster than before. */
  readonly verify: () => Promise<void>;
  /** The bytes of its objects at most; with more the kind passes. */
  readonly maxBytes: number;
  readonly onError: (error: unknown) => void;
}

/** Numbers since the start. */
export interface FeedCounts {
  /** Lists and streams of the whole state. */
  loads: number;
  events: number;
  bookmarks: number;
  errors: number;
}

/** Pauses after something that cannot be right: each attempt is a whole list of the upstream. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 300_000;

/** The cache is filled when `initDone` comes; until then the state before it is read. */
export class KindFeed {
  readonly counts: FeedCounts = { loads: 0, events: 0, bookmarks: 0, errors: 0 };
  readonly #parts: KindFeedParts;
  readonly #stop = new AbortController();
  #restart = new AbortController();
  #state: FeedState;
  /** The objects of a load that is under way. */
  #initial = new Map<string, Entry>();
  #initialBytes = 0;
  /** Attempts in a row that came to nothing. */
  #failures = 0;
  #current: { readonly generation: CacheGeneration; readonly progress: FeedProgress } | undefined;
  /** Deletions of a kind whose objects expire, until something later has come. */
  #held: readonly Deletion[] = [];
  /** Since the last load a watch was told that its version is too old: nothing more than that. */
  #isExpired = false;
  #tried: () => void = () => {};
  /** Resolves when the kind is loaded, or could not be at the first attempt. */
  readonly tried: Promise<void>;

  constructor(parts: KindFeedParts) {
    this.#parts = parts;
    this.#state = newFeedState(monotonicMs(parts.clock));
    this.tried = new Promise((resolve) => {
      this.#tried = resolve;
    });
    parts.cache.joining = this.tried;
  }

  get kind(): RelayedKind {
    return this.#parts.kind;
  }

  get cache(): ResourceCache {
    return this.#parts.cache;
  }

  get state(): FeedState {
    return this.#state;
  }

  start(): void {
    void this.#run();
  }

  stop(): void {
    this.#stop.abort();
    this.#step({ type: 'stopped' });
    this.#end();
    this.#parts.cache.stop();
    this.#tried();
  }

  /** What is cached is not what the upstream has, and its versions mean something else: every watch ends, and a list is made. */
  restart(error: string): void {
    this.#lose(error);
    this.#restart.abort(new Error(error));
  }

  #lose(error: string): void {
    this.#end();
    this.#parts.cache.lose(error);
    this.#step({ type: 'lost', error });
  }

  async #run(): Promise<void> {
    const { cluster, kind, clock, onError } = this.#parts;
    const { signal } = this.#stop;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the decoder makes these objects of any kind
    const resource = kind.resource as unknown as Resource<FeedObject>;
    const config = resolveWatcherOptions<FeedObject>({ decode: feedDecoder(kind) });
    const deliver = (output: WatcherOutput<FeedObject>): Promise<void> | undefined => this.#deliver(output);
    while (!signal.aborted) {
      this.#restart = new AbortController();
      try {
        await runWatcher(cluster, resource, config, { deliver }, AbortSignal.any([signal, this.#restart.signal]));
      } catch (error) {
        if (signal.aborted) return;
        // Something that was applied cannot be right: load the kind anew rather than show it.
        this.#lose(messageOf(error));
        this.#tried();
        onError(error);
        const pause = FIRST_PAUSE_MS * 2 ** Math.min(this.#failures, 20);
        this.#failures += 1;
        await sleep(clock, Math.min(pause, LONGEST_PAUSE_MS), signal).catch(() => {});
      }
    }
  }

  #deliver(output: WatcherOutput<FeedObject>): Promise<void> | undefined {
    switch (output.type) {
      case 'init':
        this.#initial = new Map();
        this.#initialBytes = 0;
        // A runtime distrusts its cache after a 410 too; here the state before it is still a state of the upstream.
        if (output.otherHistory === true && !this.#isExpired)
          this.#lose('the upstream server was restored or replaced');
        return this.#parts.verify();
      case 'initBatch':
        for (const object of output.objects) this.#keep(object);
        return undefined;
      case 'initApply':
        this.#keep(output.object);
        return undefined;
      case 'delete':
        if (output.object !== undefined) this.#initial.delete(this.#keyOf(output.object));
        return undefined;
      case 'initDone':
        return this.#loaded(BigInt(output.resourceVersion));
      case 'changes':
        this.#changed(output.events);
        return undefined;
      case 'bookmark':
        this.counts.bookmarks += 1;
        this.#failures = 0;
        this.#proven(BigInt(output.resourceVersion));
        return undefined;
      case 'steady':
        this.#step({ type: 'proven' });
        return undefined;
      case 'error':
        this.counts.errors += 1;
        this.#isExpired ||= output.error.code === 'WATCH_ERROR' && isExpired(output.error.cause);
        this.#step({ type: 'failed', error: messageOf(output.error) });
        // A server that cannot stream is listed next: that is no failure of the kind yet.
        if (this.counts.errors > 1) this.#tried();
        return undefined;
    }
  }

  #keep(object: FeedObject): void {
    const key = this.#keyOf(object);
    this.#initialBytes += object.bytes.length;
    this.#checkSize(this.#initialBytes);
    this.#initial.set(key, { key, value: object.bytes, modRevision: versionOf(object) });
  }

  async #loaded(revision: bigint): Promise<void> {
    const { cache, clock } = this.#parts;
    const entries = [...this.#initial.values()];
    this.#initial = new Map();
    const progress = new FeedProgress(clock, () => {});
    const generation = await cache.loadInTurns(entries, revision, progress);
    if (this.#stop.signal.aborted || this.#restart.signal.aborted) return;
    if (generation.undecodable > 0) throw unreadable(this.#parts.kind, 'an object');
    this.#end();
    this.#current = { generation, progress };
    cache.publish(generation);
    progress.advance(revision);
    this.#isExpired = false;
    this.counts.loads += 1;
    this.#step({ type: 'proven' });
    this.#tried();
  }

  #changed(events: readonly ObjectEvent<FeedObject>[]): void {
    const { kind, cache } = this.#parts;
    const generation = this.#current?.generation;
    for (const event of events) {
      const revision = versionOf(event.object);
      const key = this.#keyOf(event.object);
      this.counts.events += 1;
      this.#release(revision);
      if (event.type === 'DELETED') {
        const deletion = { key, revision };
        if (kind.expires) this.#held = [...this.#held, deletion];
        else this.#delete(deletion);
      } else {
        const value = event.object.bytes;
        generation?.apply({ type: 'put', key, value, revision, previous: undefined });
        this.#checkSize(generation?.bytes ?? 0);
        if (generation?.isUndecodable(key.slice(cache.root.length)) === true) throw unreadable(kind, key);
      }
      if (this.#held.length === 0) this.#settle(revision);
    }
    this.#step({ type: 'proven' });
  }

  /** Everything up to this version has come. */
  #proven(revision: bigint): void {
    this.#release(revision + 1n);
    this.#settle(revision);
    this.#step({ type: 'proven' });
  }

  /** Something at this version has come: all deletions before it are known. */
  #release(revision: bigint): void {
    const known = this.#held.filter((deletion) => deletion.revision < revision);
    if (known.length === 0) return;
    this.#held = this.#held.filter((deletion) => deletion.revision >= revision);
    for (const deletion of known) this.#delete(deletion);
    const last = known.at(-1);
    if (last !== undefined) this.#settle(last.revision);
  }

  #delete({ key, revision }: Deletion): void {
    const { generation } = this.#current ?? {};
    if (generation === undefined) return;
    if (revision <= generation.revision && generation.get(key.slice(this.#parts.cache.root.length)) !== undefined) {
      throw new Error(
        `${this.#parts.kind.name}: ${key} was deleted at version ${revision}, before ${generation.revision}`,
      );
    }
    const previous: Entry = { key, value: new Uint8Array(0), modRevision: revision };
    generation.apply({ type: 'delete', key, revision, previous });
  }

  #settle(revision: bigint): void {
    const current = this.#current;
    if (current === undefined || revision <= current.progress.revision) return;
    current.generation.settle(revision);
    current.progress.advance(revision);
  }

  #end(): void {
    this.#held = [];
    this.#current?.progress.end();
    this.#current = undefined;
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

  #step(input: FeedInput): void {
    this.#state = stepFeed(this.#state, input, monotonicMs(this.#parts.clock));
  }
}

interface Deletion {
  readonly key: string;
  readonly revision: bigint;
}

/** A list that left it out would lie. */
function unreadable({ name }: RelayedKind, what: string): Error {
  return new Error(`${name}: ${what} cannot be read, so that the kind is passed on`);
}

function versionOf({ metadata }: FeedObject): bigint {
  return BigInt(metadata.resourceVersion ?? '');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
