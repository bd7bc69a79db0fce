/** One watcher: a position in the log of changes and a sink. It has no queue. */

import { ChunkPace } from '../answer/chunk-pace.ts';
import type { WatchForm } from '../answer/watch-form.ts';
import type { CachedObject } from '../cache/cached-object.ts';
import type { InitialObjects } from '../cache/initial-objects.ts';
import { listPrefix } from '../cache/list-page.ts';
import { inScope, type ScopedEvent, scopedEvent, type WatchScope } from '../cache/watch-scope.ts';
import type { WatchSink } from '../contract/watch-sink.ts';
import type { Channel, ChannelPlace } from './channel.ts';
import type { WatchHub } from './watch-hub.ts';

/** The size of one write: large enough to be cheap, small enough to be fair to other watchers. */
const WRITE_BYTES = 64 * 1024;
/** Objects that are looked at in one part of the initial ones: a millisecond or two. */
const LOOKED_MAX = 8192;
/** As kube-apiserver: a bookmark once a minute, and one two seconds before the end. */
const BOOKMARK_EVERY_MS = 60_000;
const BOOKMARK_BEFORE_END_MS = 2000;

/** What to watch, and from where. */
export interface WatchRequest {
  readonly scope: WatchScope;
  readonly form: WatchForm;
  /** Begin with these objects as ADDED; undefined: begin with what changes after `after`. */
  readonly initial: InitialObjects | undefined;
  /** Show changes after this revision; with `initial`, the snapshot's own. */
  readonly after: bigint;
  readonly bookmarks: boolean;
  /** End the initial objects with a bookmark that says so. */
  readonly markInitialEnd: boolean;
  /** That bookmark waits for this. Rejected: the watch ends. Absent: it follows the initial objects. */
  readonly initialEnd?: Promise<unknown> | undefined;
  /** Tell the client how far the watch has come whenever somebody has proven it. Default false. */
  readonly tellsProgress?: boolean | undefined;
  /** When to end, in milliseconds since 1970. */
  readonly deadline: number;
  /** What the request itself keeps in memory as long as the watch runs. Default 0. */
  readonly keptBytes?: number | undefined;
  /** Frames have been sent on this stream already. Default false. */
  readonly continued?: boolean | undefined;
}

/** The phases of a watcher, each with the data that it needs. */
type Phase =
  /** Sending the objects of a snapshot. */
  | { readonly type: 'initial'; readonly snapshot: InitialObjects; readonly from: string }
  /** Reading the window from a number on until it has caught up. */
  | { readonly type: 'replay'; readonly number: number }
  /** A member of its channel. */
  | { readonly type: 'live'; readonly place: ChannelPlace }
  | { readonly type: 'ended' };

/** Sends whenever there are events and the sink takes them. It reads one generation of the cache, that of its hub. */
export class WatchCursor {
  /** Its scope and form are used instead of the request's own, so that equal selectors are in memory once. */
  readonly channel: Channel;
  readonly #hub: WatchHub;
  readonly #request: Omit<WatchRequest, 'form' | 'initial' | 'initialEnd' | 'scope'>;
  readonly #sink: WatchSink;
  #phase: Phase;
  #writable = true;
  #isResting = false;
  #isFirst: boolean;
  #nextBookmark: number;
  /** The bookmark that ends the initial objects: `held` until everything up to some version is known to have come. */
  #endMark: 'due' | 'held' | 'sent' = 'sent';

  constructor(hub: WatchHub, channel: Channel, request: WatchRequest, sink: WatchSink, now: number) {
    const { form: _form, scope: _scope, initial, initialEnd, ...rest } = request;
    this.#hub = hub;
    this.channel = channel;
    this.#request = rest;
    this.#sink = sink;
    this.#isFirst = request.continued !== true;
    this.#nextBookmark = bookmarkTime(now, request.deadline);
    const { window } = hub.generation;
    if (initial !== undefined) hub.stats.traffic.addState();
    this.#phase =
      initial === undefined
        ? // Changes before the window are lost: such a cursor ends instead of leaving them out.
          { type: 'replay', number: request.after < window.oldestStart ? -1 : window.after(request.after) }
        : { type: 'initial', snapshot: initial, from: '' };
    if (request.markInitialEnd && initialEnd !== undefined) this.#holdEndMark(initialEnd);
  }

  get tellsProgress(): boolean {
    return this.#request.tellsProgress === true && this.#request.bookmarks;
  }

  /** What its request keeps in memory. */
  get keptBytes(): number {
    return this.#request.keptBytes ?? 0;
  }

  /** Listens to its socket and sends what it can. */
  start(): void {
    this.#sink.onReady(() => {
      this.#writable = true;
      this.#hub.setBlocked(this, false);
      this.flush();
    });
    this.#sink.onClose(() => this.#leave());
    this.flush();
  }

  /** Sends what it can. */
  flush(): void {
    while (this.#writable && !this.#isResting && this.#phase.type !== 'ended') {
      if (this.#phase.type === 'initial') {
        this.#sendInitial(this.#phase.snapshot, this.#phase.from);
        continue;
      }
      const frames = this.#take(this.#phase);
      if (frames.length === 0) {
        if (this.#phase.type !== 'live') continue;
        if (this.#endMark !== 'due') return;
        this.#endMark = 'sent';
        this.#write([this.#form().bookmark(this.#hub.generation.revision, true)]);
        return;
      }
      this.#write(frames);
      if (this.#phase.type === 'replay' && this.channel.form.isCostly === true) this.#rest();
    }
  }

  /** Bytes of events in its channel that it has not sent yet. */
  get pendingBytes(): number {
    const phase = this.#phase;
    return phase.type === 'live' ? this.channel.end.position - phase.place.position : 0;
  }

  /** Whether the window has moved past what this cursor has still to send. */
  isBehind(): boolean {
    const { window } = this.#hub.generation;
    const phase = this.#phase;
    if (phase.type === 'replay') return phase.number < window.start;
    if (phase.type === 'initial') return phase.snapshot.revision < window.oldestStart;
    return phase.type === 'live' && phase.place.next !== undefined && phase.place.next.revision <= window.oldestStart;
  }

  /** Called every second. */
  tick(now: number): void {
    if (now >= this.#request.deadline) {
      this.end();
      return;
    }
    if (now < this.#nextBookmark) return;
    this.#nextBookmark = bookmarkTime(now, this.#request.deadline);
    // First the events: a watcher with unsent events gets no bookmark, and its next one is a minute away.
    this.flush();
    this.#sendBookmark();
  }

  /** Ends the stream without a reason, as Kubernetes does. */
  end(): void {
    if (this.#phase.type === 'ended') return;
    this.#leave();
    this.#sink.end();
  }

  /** The next frames of a phase; the phase moves on as if they had been sent. */
  #take(phase: Exclude<Phase, { readonly type: 'initial' }>): readonly Buffer[] {
    switch (phase.type) {
      case 'replay':
        return this.#takeReplay(phase.number);
      case 'live':
        return this.#takeLive(phase.place);
      case 'ended':
        return [];
    }
  }

  /** Sends the next objects of a snapshot. */
  #sendInitial(snapshot: InitialObjects, from: string): void {
    const { scope, form } = this.channel;
    const { revision } = snapshot;
    const addedPieces = this.#sink.isStream === true ? form.addedPieces : undefined;
    const pace = form.isCostly === true ? new ChunkPace() : undefined;
    const objects: CachedObject[] = [];
    const frames: Buffer[] = [];
    let bytes = 0;
    let last = '';
    let isOver = true;
    let looked = 0;
    snapshot.visit(listPrefix(scope), from, (object) => {
      looked += 1;
      if (bytes >= WRITE_BYTES || looked > LOOKED_MAX || pace?.isLong() === true) {
        isOver = false;
        return false;
      }
      last = object.key;
      if (!inScope(scope, object)) return true;
      objects.push(object);
      if (addedPieces === undefined) frames.push(this.#frame({ type: 'ADDED', object }));
      bytes += object.bytes.length;
      return true;
    });
    const pieces = addedPieces?.(objects) ?? frames;
    const isMarked = isOver && this.#request.markInitialEnd && this.#endMark === 'sent';
    if (isMarked) pieces.push(this.#form().bookmark(revision, true));
    const { window } = this.#hub.generation;
    this.#phase = isOver
      ? { type: 'replay', number: window.after(revision) }
      : { type: 'initial', snapshot, from: `${last}\0` };
    if (pieces.length > 0) this.#write(pieces, objects.length + (isMarked ? 1 : 0));
    if (!isOver && (looked > LOOKED_MAX || form.isCostly === true)) this.#rest();
    if (isOver) this.#sink.begun?.();
    if (isOver && revision < window.oldestStart) this.end();
  }

  /** A selector that takes few of many objects looks at all of them, and rows of a Table are made: others have their turn between. */
  #rest(): void {
    this.#isResting = true;
    const goOn = (): void => {
      this.#isResting = false;
      this.flush();
    };
    if (this.#sink.rest === undefined) setImmediate(goOn);
    else this.#sink.rest(goOn);
  }

  #takeReplay(from: number): readonly Buffer[] {
    const { window, layout } = this.#hub.generation;
    const { scope } = this.channel;
    const { after } = this.#request;
    if (from < window.start) {
      this.end();
      return [];
    }
    const pace = this.channel.form.isCostly === true ? new ChunkPace() : undefined;
    const frames: Buffer[] = [];
    let number = from;
    for (let bytes = 0; bytes < WRITE_BYTES && number < window.end && pace?.isLong() !== true; number += 1) {
      const change = window.at(number);
      if (change === undefined || change.revision <= after) continue;
      const event = scopedEvent(scope, change, layout);
      if (event === undefined) continue;
      const frame = this.#frame(event);
      frames.push(frame);
      // Of a Table's row the object that is read for it, which is larger.
      bytes += Math.max(frame.length, event.object.bytes.length);
    }
    if (number < window.end) this.#phase = { type: 'replay', number };
    else this.#goLive();
    return frames;
  }

  #goLive(): void {
    this.#hub.join(this.channel, this);
    this.#phase = { type: 'live', place: this.channel.end };
  }

  #takeLive(from: ChannelPlace): readonly Buffer[] {
    let place = from;
    // A watch may begin at a future revision: earlier events are skipped.
    while (place.next !== undefined && place.next.revision <= this.#request.after) place = place.next;
    if (place.next === undefined) {
      this.#phase = { type: 'live', place };
      return [];
    }
    if (this.#isFirst && this.channel.form.first !== undefined) {
      const { next } = place;
      this.#phase = { type: 'live', place: next };
      return [this.#frame(next.event)];
    }
    const { frames, to } = this.channel.read(place, WRITE_BYTES);
    this.#phase = { type: 'live', place: to };
    return frames;
  }

  /** Says how far the generation is. False: not now, for something else comes first. */
  tellProgress(): boolean {
    this.flush();
    return this.#sendBookmark();
  }

  /** Called behind `flush`: a place that can be written to has nothing before it. */
  #sendBookmark(): boolean {
    const { revision } = this.#hub.generation;
    const isLive = this.#writable && this.#phase.type === 'live';
    // Nobody takes part of the initial objects for all of them. A repeated revision is sent all the same: clients take a bookmark
    // a minute as a sign of life.
    const isTrue = this.#endMark === 'sent' && revision > this.#request.after;
    if (!this.#request.bookmarks || !isLive || !isTrue) return false;
    this.#write([this.#isFirst ? this.#form().bookmark(revision, false) : this.channel.bookmark(revision)]);
    return true;
  }

  #holdEndMark(initialEnd: Promise<unknown>): void {
    this.#endMark = 'held';
    void this.#awaitEnd(initialEnd);
  }

  async #awaitEnd(initialEnd: Promise<unknown>): Promise<void> {
    try {
      await initialEnd;
    } catch {
      return this.end();
    }
    this.#endMark = 'due';
    this.flush();
  }

  #form(): Pick<WatchForm, 'bookmark' | 'event'> {
    const { form } = this.channel;
    const now = this.#isFirst ? (form.first ?? form) : form;
    this.#isFirst = false;
    return now;
  }

  #frame({ type, object }: ScopedEvent): Buffer {
    return this.#form().event(type, object);
  }

  #write(frames: readonly Buffer[], events: number = frames.length): void {
    this.#isFirst = false;
    this.#hub.stats.traffic.add(frames, events);
    if (this.#sink.write(frames)) return;
    this.#writable = false;
    this.#hub.setBlocked(this, true);
  }

  #leave(): void {
    if (this.#phase.type === 'ended') return;
    this.#phase = { type: 'ended' };
    this.#hub.leave(this.channel, this);
  }
}

function bookmarkTime(now: number, deadline: number): number {
  const last = deadline - BOOKMARK_BEFORE_END_MS;
  if (now >= last) return Number.POSITIVE_INFINITY;
  return Math.min(now + BOOKMARK_EVERY_MS, last);
}
