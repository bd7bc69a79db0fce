/** The watchers of one generation of a kind's cache: their channels, their ticks, and the end of the slow ones. */

import { monotonicMs } from '@listwatch/api/internal';
import type { CancelTimer, Clock } from '@listwatch/storage';
import type { WatchForm } from '../answer/watch-form.ts';
import type { BudgetMember } from '../cache/byte-budget.ts';
import type { CacheBudgets } from '../cache/cache-budgets.ts';
import type { CacheGeneration, GenerationListener } from '../cache/cache-generation.ts';
import type { ObjectChange } from '../cache/object-tree.ts';
import type { WatchScope } from '../cache/watch-scope.ts';
import type { WatchSink } from '../contract/watch-sink.ts';
import type { Channel, ChannelMember } from './channel.ts';
import { ChannelIndex } from './channel-index.ts';
import { type ChannelCount, ChannelTable } from './channel-table.ts';
import type { FlushPacer, FlushSource } from './flush-pacer.ts';
import { WatchCursor, type WatchRequest } from './watch-cursor.ts';
import type { WatchStats } from './watch-traffic.ts';

/** Watchers are checked this often, for bookmarks and deadlines. */
const TICK_MS = 1000;

/** What a hub needs beside its generation. */
export interface WatchHubParts {
  readonly clock: Clock;
  readonly budgets: CacheBudgets;
  /** Shared by all kinds. */
  readonly channelCount: ChannelCount;
  /** Shared by all kinds. */
  readonly pacer: FlushPacer;
  readonly stats: WatchStats;
}

/** A watch that holds a channel but is not served by the hub yet. */
export interface HubGuest {
  /** The generation has ended: the watch must end too. */
  end(): void;
}

/** Ends with its generation, and every watch with it: a watch on a generation that has ended ends at once. */
export class WatchHub implements GenerationListener, BudgetMember, FlushSource {
  readonly generation: CacheGeneration;
  readonly stats: WatchStats;
  readonly #clock: Clock;
  readonly #budgets: CacheBudgets;
  readonly #channels: ChannelTable;
  readonly #index = new ChannelIndex();
  readonly #cursors = new Set<WatchCursor>();
  readonly #guests = new Set<HubGuest>();
  /** Cursors whose clients ask how far they have come, and what they were told last. */
  readonly #asking = new Map<WatchCursor, bigint>();
  readonly #pacer: FlushPacer;
  /** Channels with events for the next round of sending. */
  readonly #dirty = new Set<Channel>();
  /** The watchers that the round under way has still to serve. */
  #round: Iterator<ChannelMember> | undefined;
  /** Cursors whose socket is full: only they can fall behind. */
  readonly #blocked = new Set<WatchCursor>();
  #pendingBytes = 0;
  #cancelTick: CancelTimer | undefined;

  constructor(generation: CacheGeneration, { clock, budgets, channelCount, pacer, stats }: WatchHubParts) {
    this.generation = generation;
    this.stats = stats;
    this.#clock = clock;
    this.#budgets = budgets;
    this.#pacer = pacer;
    this.#channels = new ChannelTable(generation.layout, budgets, channelCount);
    generation.listen(this);
    budgets.pendingEvents.add(this);
  }

  get watchers(): number {
    return this.#cursors.size;
  }

  get channels(): number {
    return this.#channels.size;
  }

  /** Watchers whose socket is full now. */
  get slow(): number {
    return this.#blocked.size;
  }

  /** Bytes of events that slow watchers have not taken yet. */
  get bytes(): number {
    return this.#pendingBytes;
  }

  /** Throws the 429 when another watch of this scope and form would exceed the limits. */
  requireRoom(scope: WatchScope, form: WatchForm, keptBytes = 0): void {
    this.#channels.requireRoom(scope, form, keptBytes);
  }

  /** Starts a watch on a sink whose headers have been sent. */
  watch(request: WatchRequest, sink: WatchSink): void {
    const { keptBytes = 0 } = request;
    const channel = this.#acquire(request.scope, request.form);
    if (channel === undefined || !this.#budgets.selectors.tryCharge(keptBytes)) {
      if (channel !== undefined) this.#channels.release(channel);
      sink.end();
      return;
    }
    const cursor = new WatchCursor(this, channel, request, sink, monotonicMs(this.#clock));
    // Before it starts: the client may have gone already, and a cursor that leaves before it is added would never be removed.
    this.#cursors.add(cursor);
    if (cursor.tellsProgress) this.#asking.set(cursor, -1n);
    this.#tick();
    cursor.start();
  }

  /** A read has proven how far the generation is: those who ask for it are told, each once of a revision. */
  tellProgress(): void {
    const { revision } = this.generation;
    for (const [cursor, told] of this.#asking) {
      if (told < revision && cursor.tellProgress()) this.#asking.set(cursor, revision);
    }
  }

  /**
   * Holds the channel of a watch that is still read from history, and tells the guest when the generation ends.
   * Undefined: the generation has ended, or there is no room. Call the function once, when the guest has ended or has
   * become a watch of the hub.
   */
  host(scope: WatchScope, form: WatchForm, guest: HubGuest): (() => void) | undefined {
    const channel = this.#acquire(scope, form);
    if (channel === undefined) return undefined;
    this.#guests.add(guest);
    return () => {
      this.#guests.delete(guest);
      this.#channels.release(channel);
    };
  }

  /** A cursor has caught up: it is sent the new events of its channel from now on. */
  join(channel: Channel, cursor: WatchCursor): void {
    if (channel.members.size === 0) this.#index.add(channel);
    channel.members.add(cursor);
  }

  /** A cursor has ended. */
  leave(channel: Channel, cursor: WatchCursor): void {
    this.#budgets.selectors.charge(-cursor.keptBytes);
    this.#cursors.delete(cursor);
    this.#asking.delete(cursor);
    this.#blocked.delete(cursor);
    if (channel.members.delete(cursor) && channel.members.size === 0) this.#index.remove(channel);
    this.#channels.release(channel);
  }

  /** A cursor's socket is full, or takes frames again. */
  setBlocked(cursor: WatchCursor, blocked: boolean): void {
    if (blocked) this.#blocked.add(cursor);
    else this.#blocked.delete(cursor);
  }

  changed(change: ObjectChange): void {
    let watchers = 0;
    this.#index.visit(change, (channel) => {
      if (!channel.offer(change)) return;
      this.#dirty.add(channel);
      watchers += channel.members.size;
    });
    if (watchers > 0) this.#pacer.onOffered?.(this.generation.root + change.key, watchers);
  }

  settled(): void {
    if (this.#dirty.size > 0 || this.#blocked.size > 0) this.#pacer.request(this);
  }

  flush(isOver: () => boolean): boolean {
    this.#round ??= this.#beginRound();
    for (let next = this.#round.next(); next.done !== true; next = this.#round.next()) {
      next.value.flush();
      if (isOver()) return false;
    }
    this.#round = undefined;
    for (const cursor of this.#blocked) if (cursor.isBehind()) this.#terminate(cursor);
    this.#countPending();
    return true;
  }

  ended(): void {
    // The round under way, and what has come since it began.
    for (let rounds = 0; rounds < 2; rounds += 1) this.flush(() => false);
    for (const cursor of this.#cursors) cursor.end();
    for (const guest of this.#guests) guest.end();
    this.#cancelTick?.();
    this.#cancelTick = undefined;
    this.#countPending();
    this.#budgets.pendingEvents.remove(this);
  }

  /** Ends the watcher that keeps the most events from being freed. */
  evictOldest(): boolean {
    let slowest: WatchCursor | undefined;
    for (const cursor of this.#blocked) {
      if (cursor.pendingBytes > (slowest?.pendingBytes ?? 0)) slowest = cursor;
    }
    if (slowest === undefined) return false;
    this.#terminate(slowest);
    this.#countPending();
    return true;
  }

  #acquire(scope: WatchScope, form: WatchForm): Channel | undefined {
    return this.generation.isEnded ? undefined : this.#channels.acquire(scope, form);
  }

  #terminate(cursor: WatchCursor): void {
    this.stats.terminated += 1;
    cursor.end();
  }

  /** What becomes dirty from now on is for the next round: a round would never end under load. */
  #beginRound(): Iterator<ChannelMember> {
    const channels = [...this.#dirty];
    this.#dirty.clear();
    return membersOf(channels);
  }

  /** Members of one channel share its events, so the slowest of them counts. */
  #countPending(): void {
    if (this.#blocked.size === 0 && this.#pendingBytes === 0) return;
    const byChannel = new Map<Channel, number>();
    for (const cursor of this.#blocked) {
      byChannel.set(cursor.channel, Math.max(byChannel.get(cursor.channel) ?? 0, cursor.pendingBytes));
    }
    let bytes = 0;
    for (const pending of byChannel.values()) bytes += pending;
    const difference = bytes - this.#pendingBytes;
    this.#pendingBytes = bytes;
    this.#budgets.pendingEvents.charge(difference);
  }

  /** Ticks while there are watchers. */
  #tick(): void {
    if (this.#cancelTick !== undefined || this.#cursors.size === 0) return;
    this.#cancelTick = this.#clock.after(TICK_MS, () => {
      this.#cancelTick = undefined;
      const now = monotonicMs(this.#clock);
      for (const cursor of this.#cursors) cursor.tick(now);
      this.#tick();
    });
  }
}

function* membersOf(channels: readonly Channel[]): Generator<ChannelMember, undefined> {
  for (const channel of channels) yield* channel.members;
}
