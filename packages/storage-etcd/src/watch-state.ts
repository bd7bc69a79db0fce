/**
 * What a watch knows of its place in the history, and what each message of etcd's makes of it.
 *
 * The one rule that everything else hangs on: the position moves to the revision of what has been delivered, and to that
 * of a progress notification. It never moves to the revision in the header of another message: that is where the store
 * stands, and a watch that is catching up would skip all it has not been told yet.
 */

import type { StorageEvent } from '@listwatch/storage';
import type { EtcdWatchMessage, WireEvent } from './watch-messages.ts';

/** Where a watch stands. */
export interface WatchState {
  /** Everything up to and including this revision has been delivered. */
  readonly position: number;
  /** Events of one revision of which more may follow in the next fragment. */
  readonly held: readonly WireEvent[];
  /** Whether etcd has confirmed the watch on the present stream. */
  readonly created: boolean;
}

/** What to do next. */
export type WatchStep =
  | { readonly type: 'wait'; readonly state: WatchState }
  | {
      readonly type: 'deliver';
      readonly state: WatchState;
      readonly events: readonly StorageEvent[];
    }
  /** Changes that the watch needs have left the history. */
  | { readonly type: 'compacted'; readonly revision: number }
  /** etcd ended the watch for another reason. */
  | { readonly type: 'canceled'; readonly reason: string }
  /** An event without the value before it. etcd looks that up when it sends, and a compaction can come in between. */
  | { readonly type: 'gap'; readonly revision: number }
  /** etcd broke its own promise of order. */
  | { readonly type: 'disorder'; readonly revision: number };

/** A watch that has delivered everything up to `position`, on a stream that has just been opened. */
export function watchFrom(position: number): WatchState {
  return { position, held: [], created: false };
}

/**
 * The revision to ask etcd for. It is the position and not the one after it, although that one has been delivered: etcd
 * lets a watch begin at the compacted revision itself, where it has neither the previous values nor, before 3.4.36 and
 * 3.5.18, the deletes. Beginning one earlier makes it refuse exactly the watches that could miss something.
 */
export function startRevision(state: WatchState): number {
  return Math.max(1, state.position);
}

/** What `response` makes of the watch. Pure. */
export function stepWatch(state: WatchState, response: EtcdWatchMessage): WatchStep {
  if (response.compactRevision > 0) return { type: 'compacted', revision: response.compactRevision };
  if (response.canceled) return { type: 'canceled', reason: response.cancelReason };
  if (response.created) return { type: 'wait', state: { ...state, created: true } };
  if (response.events.length === 0) return progress(state, response.revision);
  return deliver(state, response);
}

function progress(state: WatchState, revision: number): WatchStep {
  // Below the position: a member that lags behind, or a watch on a revision that is still to come.
  if (state.held.length > 0 || revision < state.position) return { type: 'wait', state };
  return { type: 'deliver', state: { ...state, position: revision }, events: [] };
}

function deliver(state: WatchState, response: EtcdWatchMessage): WatchStep {
  const events = [...state.held];
  for (const event of response.events) {
    // Asked for once more by `startRevision`, or sent twice by an etcd before 3.4.24 and 3.5.8.
    if (event.kv.modRevision <= state.position) continue;
    const before = events.at(-1)?.kv.modRevision ?? state.position;
    if (event.kv.modRevision < before) return { type: 'disorder', revision: event.kv.modRevision };
    events.push(event);
  }
  const newest = events.at(-1)?.kv.modRevision;
  if (newest === undefined) return { type: 'wait', state };
  const whole = response.fragment ? events.filter(({ kv }) => kv.modRevision < newest) : events;
  const held = response.fragment ? events.filter(({ kv }) => kv.modRevision === newest) : [];
  const position = whole.at(-1)?.kv.modRevision;
  if (position === undefined) return { type: 'wait', state: { ...state, held } };
  const delivered: StorageEvent[] = [];
  for (const event of whole) {
    const storageEvent = toStorageEvent(event);
    if (storageEvent === undefined) return { type: 'gap', revision: event.kv.modRevision };
    delivered.push(storageEvent);
  }
  return { type: 'deliver', state: { ...state, position, held }, events: delivered };
}

/** Undefined when the previous value should be there and is not. */
function toStorageEvent({ type, kv, previous }: WireEvent): StorageEvent | undefined {
  const { key, value, modRevision: revision } = kv.entry;
  if (type === 'put') {
    if (kv.createRevision === kv.modRevision) return { type, key, value, revision, previous: undefined };
    return previous === undefined ? undefined : { type, key, value, revision, previous };
  }
  return previous === undefined ? undefined : { type, key, revision, previous };
}
