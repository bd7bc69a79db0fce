/** One filtered, encoded log of events: all watchers of one scope in one form share it. */

import type { WatchForm } from '../answer/watch-form.ts';
import type { ObjectChange } from '../cache/object-tree.ts';
import { type ScopedEvent, scopedEvent, scopeId, selectorBytes, type WatchScope } from '../cache/watch-scope.ts';
import type { ReadLayout } from '../stored/read-layout.ts';

/**
 * A place in a channel: everything up to here has been sent. The events form a chain, which is referenced only by the
 * places of watchers, so that the garbage collector frees events that every watcher has sent.
 */
export interface ChannelPlace {
  next: ChannelEvent | undefined;
  /** The bytes of all events up to here: the difference of two places is what lies between them. */
  readonly position: number;
}

/** An event in a channel, and the place behind it. */
export interface ChannelEvent extends ChannelPlace {
  readonly revision: bigint;
  readonly event: ScopedEvent;
  readonly frame: Buffer;
}

/** A watcher that sends the new events of a channel. */
export interface ChannelMember {
  flush(): void;
}

/** Filters each change once and encodes each event once, for all members. */
export class Channel {
  readonly id: string;
  readonly scope: WatchScope;
  readonly form: WatchForm;
  /** Charged for the selectors as long as the channel exists. */
  readonly bytes: number;
  /** Watchers that have caught up and are sent new events. */
  readonly members: Set<ChannelMember> = new Set();
  /** Watches that use the channel's scope, those that have not caught up yet included. */
  users = 0;
  readonly #layout: ReadLayout;
  #end: ChannelPlace = { next: undefined, position: 0 };
  #bookmark: { readonly revision: bigint; readonly frame: Buffer } | undefined;
  #shared: { readonly from: ChannelPlace; readonly to: ChannelPlace; readonly frames: readonly Buffer[] } | undefined;
  #isClearing = false;

  constructor(layout: ReadLayout, scope: WatchScope, form: WatchForm) {
    this.#layout = layout;
    this.scope = scope;
    this.form = form;
    this.id = channelId(scope, form);
    this.bytes = selectorBytes(scope);
  }

  /** The newest place: a member that is here has nothing to send. */
  get end(): ChannelPlace {
    return this.#end;
  }

  /** Appends the event of a change; false when the change does not concern the scope. */
  offer(change: ObjectChange): boolean {
    const event = scopedEvent(this.scope, change, this.#layout);
    if (event === undefined) return false;
    const frame = this.form.event(event.type, event.object);
    const position = this.#end.position + frame.length;
    const next: ChannelEvent = { revision: change.revision, event, frame, next: undefined, position };
    this.#end.next = next;
    this.#end = next;
    return true;
  }

  /**
   * The frames behind a place, up to about `maxBytes`, and the place behind them. Members that read from the same place in
   * one turn of the event loop get the same array, so that a sink can join it once for all of them.
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
    this.#clearLater();
    return this.#shared;
  }

  /** Kept for longer, the shared read would keep every event behind its place alive. */
  #clearLater(): void {
    if (this.#isClearing) return;
    this.#isClearing = true;
    setImmediate(() => {
      this.#isClearing = false;
      this.#shared = undefined;
    });
  }

  /** The frame of a bookmark, made once a revision. */
  bookmark(revision: bigint): Buffer {
    if (this.#bookmark?.revision !== revision) {
      this.#bookmark = { revision, frame: this.form.bookmark(revision, false) };
    }
    return this.#bookmark.frame;
  }
}

/** Different for any two channels of a hub. */
export function channelId(scope: WatchScope, form: WatchForm): string {
  return `${form.id} ${scopeId(scope)}`;
}
