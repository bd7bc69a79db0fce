/** One filtered, encoded log: all watchers of one scope in one form share it. */

import type { WatchForm } from '../answer/watch-form.ts';
import type { ObjectChange } from '../cache/object-tree.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { type ScopedEvent, scopedEvent, scopeId, type WatchScope } from '../cache/watch-scope.ts';

/**
 * A place in a channel: everything up to here has been sent. The events form a chain; what no watcher has still to send
 * is held by nobody and goes away by itself, so there is nothing to trim.
 */
export interface ChannelPlace {
  next: ChannelEvent | undefined;
}

/** An event in a channel, and the place behind it. */
export interface ChannelEvent extends ChannelPlace {
  readonly revision: bigint;
  readonly event: ScopedEvent;
  readonly frame: Buffer;
}

/** Those who want to hear of new events. */
export interface ChannelMember {
  flush(): void;
}

/** The filter runs once a change and the frame is built once, for all members. */
export class Channel {
  readonly id: string;
  readonly scope: WatchScope;
  readonly form: WatchForm;
  readonly members: Set<ChannelMember> = new Set();
  readonly #cache: ResourceCache;
  #end: ChannelPlace = { next: undefined };
  #bookmark: { readonly revision: bigint; readonly frame: Buffer } | undefined;
  #shared: { readonly from: ChannelPlace; readonly to: ChannelPlace; readonly frames: readonly Buffer[] } | undefined;

  constructor(cache: ResourceCache, scope: WatchScope, form: WatchForm) {
    this.#cache = cache;
    this.scope = scope;
    this.form = form;
    this.id = channelId(scope, form);
  }

  /** The newest place: a member that is here has nothing to send. */
  get end(): ChannelPlace {
    return this.#end;
  }

  /** Takes a change in; the answer says whether it means anything here. */
  offer(change: ObjectChange): boolean {
    const event = scopedEvent(this.scope, change, this.#cache.layout);
    if (event === undefined) return false;
    const frame = this.form.event(event.type, event.object);
    const next: ChannelEvent = { revision: change.revision, event, frame, next: undefined };
    this.#end.next = next;
    this.#end = next;
    return true;
  }

  /** Lets every member send what it can. */
  flush(): void {
    for (const member of this.members) member.flush();
    this.#shared = undefined;
  }

  /**
   * The frames behind a place, up to about `maxBytes`, and the place behind them. Members at the same place get the same
   * array, so that a sink can join it once for all of them.
   */
  read(from: ChannelPlace, maxBytes: number): { readonly frames: readonly Buffer[]; readonly to: ChannelPlace } {
    if (this.#shared?.from === from) return this.#shared;
    const frames: Buffer[] = [];
    let to = from;
    for (let bytes = 0; to.next !== undefined && bytes < maxBytes; to = to.next) {
      frames.push(to.next.frame);
      bytes += to.next.frame.length;
    }
    this.#shared = { from, to, frames };
    return this.#shared;
  }

  /** The frame of a bookmark, made once a revision. */
  bookmark(revision: bigint): Buffer {
    if (this.#bookmark?.revision !== revision) {
      this.#bookmark = { revision, frame: this.form.bookmark(revision, false) };
    }
    return this.#bookmark.frame;
  }
}

/** Tells any two channels of a cache apart. */
export function channelId(scope: WatchScope, form: WatchForm): string {
  return `${form.id} ${scopeId(scope)}`;
}
