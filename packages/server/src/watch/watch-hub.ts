/** The watchers of one kind: their channels, their clock, and the end of those that fall behind. */

import type { CancelTimer, Clock } from '@listwatch/storage';
import type { WatchForm } from '../answer/watch-form.ts';
import type { ObjectChange } from '../cache/object-tree.ts';
import type { CacheListener, ResourceCache } from '../cache/resource-cache.ts';
import type { WatchScope } from '../cache/watch-scope.ts';
import type { WatchSink } from '../contract/watch-sink.ts';
import { Channel, channelId } from './channel.ts';
import { ChannelIndex } from './channel-index.ts';
import { WatchCursor, type WatchRequest } from './watch-cursor.ts';
import { WatchTraffic } from './watch-traffic.ts';

/** Watchers are looked at this often, for bookmarks and deadlines. */
const TICK_MS = 1000;

/** What has been counted since the start. */
export interface WatchCounts {
  readonly watchers: number;
  readonly channels: number;
  /** Watchers that ended because the window moved past them. */
  readonly terminated: number;
}

/** Listens to a cache and moves its watchers along. */
export class WatchHub implements CacheListener {
  readonly cache: ResourceCache;
  readonly traffic: WatchTraffic = new WatchTraffic();
  readonly #clock: Clock;
  readonly #channels = new Map<string, Channel>();
  readonly #index = new ChannelIndex();
  readonly #cursors = new Set<WatchCursor>();
  readonly #dirty = new Set<Channel>();
  /** Cursors whose socket is full: only they can fall behind. */
  readonly #blocked = new Set<WatchCursor>();
  #cancelTick: CancelTimer | undefined;
  #scheduled: NodeJS.Immediate | undefined;
  #terminated = 0;

  constructor(cache: ResourceCache, clock: Clock) {
    this.cache = cache;
    this.#clock = clock;
    cache.listen(this);
  }

  get counts(): WatchCounts {
    return { watchers: this.#cursors.size, channels: this.#channels.size, terminated: this.#terminated };
  }

  /** Starts a watch on a sink whose headers have been sent. */
  watch(request: WatchRequest, sink: WatchSink): void {
    const cursor = new WatchCursor(this, request, sink, this.#clock.now());
    // First: the client may have gone already, and a cursor that leaves before it is here would stay for ever.
    this.#cursors.add(cursor);
    this.#tick();
    cursor.start();
  }

  /** The channel for a scope and form, with this member in it. */
  join(scope: WatchScope, form: WatchForm, member: WatchCursor): Channel {
    const id = channelId(scope, form);
    let channel = this.#channels.get(id);
    if (channel === undefined) {
      channel = new Channel(this.cache, scope, form);
      this.#channels.set(id, channel);
      this.#index.add(channel);
    }
    channel.members.add(member);
    return channel;
  }

  /** A cursor has ended. */
  leave(cursor: WatchCursor, channel: Channel | undefined): void {
    this.#cursors.delete(cursor);
    this.#blocked.delete(cursor);
    channel?.members.delete(cursor);
    if (channel === undefined || channel.members.size > 0) return;
    this.#channels.delete(channel.id);
    this.#index.remove(channel);
  }

  /** A cursor's socket is full, or takes frames again. */
  setBlocked(cursor: WatchCursor, blocked: boolean): void {
    if (blocked) this.#blocked.add(cursor);
    else this.#blocked.delete(cursor);
  }

  changed(change: ObjectChange): void {
    this.#index.visit(change, (channel) => {
      if (channel.offer(change)) this.#dirty.add(channel);
    });
  }

  settled(): void {
    if (this.#scheduled !== undefined || (this.#dirty.size === 0 && this.#blocked.size === 0)) return;
    // What is committed in one turn of the loop leaves in one write for each socket: a write costs more than its bytes.
    this.#scheduled = setImmediate(() => this.#flush());
  }

  lost(): void {
    this.#flush();
    for (const cursor of this.#cursors) cursor.end();
    // A server that has ended must leave no timer behind.
    this.#cancelTick?.();
    this.#cancelTick = undefined;
  }

  #flush(): void {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    for (const channel of this.#dirty) channel.flush();
    this.#dirty.clear();
    for (const cursor of this.#blocked) {
      if (!cursor.isBehind()) continue;
      this.#terminated += 1;
      cursor.end();
    }
  }

  /** Ticks while there are watchers. */
  #tick(): void {
    if (this.#cancelTick !== undefined || this.#cursors.size === 0) return;
    this.#cancelTick = this.#clock.after(TICK_MS, () => {
      this.#cancelTick = undefined;
      // A watcher with events to come is given no bookmark, and its next one is a minute away.
      this.#flush();
      const now = this.#clock.now();
      for (const cursor of this.#cursors) cursor.tick(now);
      this.#tick();
    });
  }
}
