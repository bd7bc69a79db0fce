/** Keeps the cache of one kind as the upstream has it: one watch, whoever reads. Start here. */

import { compareResourceVersions, isExpired, type Resource, resourceVersionOf, sleep } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { Cluster } from '@listwatch/client';
import {
  newestOf,
  resolveWatcherOptions,
  runWatcher,
  type WatcherOutput,
  type WatcherState,
} from '@listwatch/runtime/internal';
import type { ResourceCache } from '@listwatch/server/read';
import type { RelayedKind } from '../kinds/relayed-kind.ts';
import { type BeatCounts, Beats } from './beat.ts';
import { FedCache, type FedCacheParts } from './fed-cache.ts';
import { type FeedObject, feedDecoder } from './feed-object.ts';
import { type FeedInput, type FeedState, newFeedState, stepFeed } from './feed-state.ts';
import type { KindKeeper } from './kept-kind.ts';
import { Ladder, type LadderCounts } from './ladder.ts';
import { RevisionProbe } from './revision-probe.ts';

/** What a feed needs. */
export interface KindFeedParts extends FedCacheParts {
  readonly cluster: Pick<Cluster, 'clock' | 'list' | 'pages' | 'server' | 'watch'>;
  /** Before each load, and after each connect: throws when the upstream is another cluster than before. */
  readonly verify: () => Promise<void>;
  /** Default: nothing is kept while the process is gone. */
  readonly keeper?: KindKeeper | undefined;
  /** What comes from the upstream comes again, after it was away. */
  readonly onReturn?: (() => void) | undefined;
  readonly onError: (error: unknown) => void;
}

/** Numbers since the start. */
export interface FeedCounts {
  /** Lists and streams of the whole state. */
  loads: number;
  /** Answers, before a watch is resumed, whether the upstream still has the object that changed last: a list of one object each. */
  checks: number;
  events: number;
  bookmarks: number;
  errors: number;
}

/** Numbers since the start, of reads of what is true now. */
export interface ProofCounts extends LadderCounts {
  readonly probes: number;
  readonly failedProbes: number;
  readonly beats: BeatCounts;
}

/** Pauses after something that cannot be right: each attempt is a whole list of the upstream. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 300_000;

/** So long at most while the upstream does not say which cluster it is. */
const LONGEST_UNVERIFIED_MS = 16_000;

/** So long the upstream may take to say which cluster it is before what was kept is served unasked. */
const UNASKED_MS = 2000;

/** The watcher is started anew at the version that its feed has proven; nothing is lost. */
class Resumption extends Error {
  override readonly name: string = 'Resumption';
}

/** The cache is filled when `initDone` comes; until then the state before it is read. */
export class KindFeed {
  readonly counts: FeedCounts = { loads: 0, checks: 0, events: 0, bookmarks: 0, errors: 0 };
  readonly #parts: KindFeedParts;
  readonly #fed: FedCache;
  /** The same, for a watch that hears at once how far it has come. */
  readonly #followed: Pick<Cluster, 'clock' | 'pages' | 'server' | 'watch'>;
  readonly #probe: RevisionProbe;
  readonly #beats: Beats;
  /** For reads of what is true now. */
  readonly ladder: Ladder;
  readonly #stop = new AbortController();
  #restart = new AbortController();
  #state: FeedState;
  /** Attempts in a row that came to nothing. */
  #failures = 0;
  /** Since the last load a watch was told that its version is too old: nothing more than that. */
  #isExpired = false;
  /** The upstream is being asked whether it has the same history. */
  #isChecking = false;
  /** The exchange under way is known to be with the same cluster. */
  #isVerified = false;
  /** How often in a row the upstream did not say which cluster it is. */
  #unverified = 0;
  /** What was kept has been read. */
  #isOpened = false;
  /** Of what was kept the object that changed last, until the upstream is known to have the same history. */
  #kept: ReturnType<typeof newestOf>;
  #tried: () => void = () => {};
  /** Resolves when the kind is loaded, or could not be at the first attempt. */
  readonly tried: Promise<void>;

  constructor(parts: KindFeedParts) {
    this.#parts = parts;
    this.#fed = new FedCache(parts);
    const { cluster, kind, clock, verify } = parts;
    this.#followed = {
      clock: cluster.clock,
      server: cluster.server,
      pages: (resource, query) => cluster.pages(resource, query),
      watch: (resource, query) => cluster.watch(resource, { ...query, listwatchProgress: true }),
    };
    this.#probe = new RevisionProbe({ cluster, kind });
    this.#beats = new Beats({ cluster, kind, fed: this.#fed, verify });
    this.ladder = new Ladder({ clock, probe: this.#probe, beats: this.#beats, fed: this.#fed });
    this.#state = newFeedState(monotonicMs(parts.clock));
    this.tried = new Promise((resolve) => {
      this.#tried = resolve;
    });
    parts.cache.joining = this.tried;
    const { keeper } = parts;
    if (keeper !== undefined) parts.cache.onGeneration = (generation) => keeper.follow(generation);
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

  /** How the versions of reads without one were found. */
  get proofs(): ProofCounts {
    const { answered, failed } = this.#probe.counts;
    return { ...this.ladder.counts, probes: answered, failedProbes: failed, beats: { ...this.#beats.counts } };
  }

  /** Resolves with true when the cache has the version, with false after `ms`, or when it ends. */
  reached(revision: bigint, signal: AbortSignal, ms: number): Promise<boolean> {
    return this.#fed.reached(revision, signal, ms);
  }

  start(): void {
    void this.#run();
  }

  stop(): void {
    this.#stop.abort();
    this.#step({ type: 'stopped' });
    this.#fed.end();
    this.#parts.cache.stop();
    this.#tried();
  }

  /** What is cached is not what the upstream has, and its versions mean something else: every watch ends, and a list is made. */
  restart(error: string): void {
    this.#lose(error);
    this.#restart.abort(new Error(error));
  }

  #lose(error: string): void {
    this.#fed.end();
    this.#parts.cache.lose(error);
    this.#step({ type: 'lost', error });
  }

  async #run(): Promise<void> {
    const { onError } = this.#parts;
    const { signal } = this.#stop;
    await this.kind.custom?.settled;
    while (!signal.aborted) {
      this.#restart = new AbortController();
      try {
        await this.#open();
        await this.#watch(AbortSignal.any([signal, this.#restart.signal]));
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Resumption) {
          if (this.#unverified > 0) this.#tried();
          await this.#pause(this.#unverified, LONGEST_UNVERIFIED_MS);
          continue;
        }
        // Something that was applied cannot be right: load the kind anew rather than show it.
        this.#lose(messageOf(error));
        this.#tried();
        onError(error);
        this.#failures += 1;
        await this.#pause(this.#failures, LONGEST_PAUSE_MS);
      }
    }
  }

  /** Ever longer after more failures in a row. */
  async #pause(failures: number, longestMs: number): Promise<void> {
    if (failures === 0) return;
    const ms = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20), longestMs);
    await sleep(this.#parts.clock, ms, this.#stop.signal).catch(() => {});
  }

  /** Once: goes on with what was kept while the process was gone. */
  async #open(): Promise<void> {
    const { keeper } = this.#parts;
    if (keeper === undefined || this.#isOpened) return;
    // Clients may have objects of the definition before, at versions that were kept.
    if (this.kind.custom?.settled !== undefined) return;
    // The versions of another cluster may fit. Where it is not waited for, the upstream has a moment to say which it is.
    const asking = this.#verify();
    await (keeper.servesUnasked ? this.#forAMoment(asking) : asking);
    this.#isOpened = true;
    const kept = await keeper.load();
    if (kept === undefined) return;
    try {
      if (!(await this.#fed.restore(kept, () => this.#isOver))) return;
    } catch (error) {
      keeper.refuse(error);
      return;
    }
    this.#kept = newestOf({ type: 'nothing' }, this.#fed.newest);
    this.#step({ type: 'restored', ageMs: kept.ageMs });
    this.#tried();
  }

  async #forAMoment(asking: Promise<void>): Promise<void> {
    const moment = sleep(this.#parts.clock, UNASKED_MS, this.#stop.signal);
    await Promise.allSettled([Promise.race([asking, moment])]);
    for (const late of [asking, moment]) late.catch(() => {});
    this.#restart.signal.throwIfAborted();
  }

  /** From the version that is proven, where there is one. */
  async #watch(signal: AbortSignal): Promise<never> {
    const { kind } = this.#parts;
    const { revision } = this.#fed;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the decoder makes these objects of any kind
    const resource = kind.resource as unknown as Resource<FeedObject>;
    const options = resolveWatcherOptions<FeedObject>({
      decode: feedDecoder(kind),
      // What the upstream has cached of a custom kind may be older than its definition.
      listSemantic: kind.custom === undefined ? 'any' : 'mostRecent',
    });
    const start =
      revision === undefined
        ? undefined
        : ({ type: 'at', resourceVersion: resourceVersionOf(revision), seen: this.#kept } as const);
    const config = { ...options, start };
    const sink = {
      deliver: (output: WatcherOutput<FeedObject>): Promise<void> | undefined => this.#deliver(output),
      observe: (state: WatcherState): void => this.#connecting(state),
    };
    return runWatcher(this.#followed, resource, config, sink, signal);
  }

  /**
   * An exchange begins. Objects that expired together are deleted at one version: a watch that goes on from the first of them never
   * hears of the others, and they would be shown for ever.
   */
  #connecting(state: WatcherState): void {
    this.#isVerified = false;
    if (this.#isChecking && state.type !== 'waiting') this.counts.checks += 1;
    this.#isChecking = state.type === 'checking';
    const { revision, isHolding } = this.#fed;
    const goesOn = state.type === 'watching' || state.type === 'checking';
    if (!goesOn || !isHolding || revision === undefined) return;
    if (compareResourceVersions(state.memory.position.resourceVersion, resourceVersionOf(revision)) > 0)
      this.#restart.abort(new Resumption());
  }

  #deliver(output: WatcherOutput<FeedObject>): Promise<void> | undefined {
    switch (output.type) {
      case 'init':
        this.#fed.begin();
        // A runtime distrusts its cache after a 410 too; here the state before it is still a state of the upstream.
        if (output.otherHistory === true && !this.#isExpired)
          this.#lose('the upstream server was restored or replaced');
        return this.#verify();
      case 'initBatch':
        for (const object of output.objects) this.#fed.keep(object);
        return undefined;
      case 'initApply':
        this.#fed.keep(output.object);
        return undefined;
      case 'delete':
        if (output.object !== undefined) this.#fed.forget(output.object);
        return undefined;
      case 'initDone':
        return this.#loaded(BigInt(output.resourceVersion));
      case 'changes':
        return this.#verified(() => {
          this.counts.events += output.events.length;
          this.#fed.change(output.events);
        });
      case 'bookmark':
        return this.#verified(() => {
          this.counts.bookmarks += 1;
          this.#failures = 0;
          this.#fed.prove(BigInt(output.resourceVersion));
        });
      case 'steady':
        // Nobody waits for this one. An upstream that cannot be asked now says so by what comes next.
        this.#verified(() => {})?.catch(() => {});
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

  /** What comes over a new connection may come from another cluster: nothing of it is applied before that is known. */
  #verified(apply: () => void): Promise<void> | undefined {
    const run = (): void => {
      apply();
      this.#kept = undefined;
      this.#step({ type: 'proven' });
    };
    if (!this.#isVerified) return this.#verify().then(run);
    run();
    return undefined;
  }

  async #verify(): Promise<void> {
    const { signal } = this.#restart;
    try {
      await this.#parts.verify();
    } catch (error) {
      signal.throwIfAborted();
      this.#unverified += 1;
      this.#step({ type: 'failed', error: messageOf(error) });
      throw new Resumption();
    }
    signal.throwIfAborted();
    this.#isVerified = true;
    this.#unverified = 0;
  }

  async #loaded(revision: bigint): Promise<void> {
    if (!(await this.#fed.load(revision, () => this.#isOver))) return;
    this.#isExpired = false;
    this.counts.loads += 1;
    this.#step({ type: 'proven' });
    this.#tried();
  }

  get #isOver(): boolean {
    return this.#stop.signal.aborted || this.#restart.signal.aborted;
  }

  #step(input: FeedInput): void {
    const before = this.#state;
    this.#state = stepFeed(before, input, monotonicMs(this.#parts.clock));
    if (before.type === 'away' && this.#state.type === 'live') this.#parts.onReturn?.();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
