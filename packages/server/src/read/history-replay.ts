/** A watch from before the window: read from the origin until the cache can take over. */

import { expiredWatch, internalError, type Status } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import { type Clock, isStorageError, type StorageEvent } from '@listwatch/storage';
import { storageFailure } from '../answer/storage-failure.ts';
import { tryCacheObject } from '../cache/cached-object.ts';
import type { ObjectChange } from '../cache/object-tree.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { scopedEvent } from '../cache/watch-scope.ts';
import { LoopPace, type Pause } from '../contract/pause.ts';
import type { WatchSink } from '../contract/watch-sink.ts';
import type { WatchRequest } from '../watch/watch-cursor.ts';
import type { WatchHub } from '../watch/watch-hub.ts';
import type { ReadOrigin } from './read-origin.ts';

/** Of objects whose frames are made in one turn, where that costs. */
const PART_BYTES = 64 * 1024;

/** What a replay reads from. */
export interface HistorySource {
  readonly origin: Pick<ReadOrigin, 'history'>;
  readonly clock: Clock;
  /** The breaks of the request: its changes are parsed and encoded in turns of the event loop. */
  readonly pause: Pause;
}

/** The kind, and the hub of the generation that the watch was opened on. */
export interface ReplayTarget {
  readonly cache: ResourceCache;
  readonly hub: WatchHub;
}

/**
 * Sends the changes after `request.after` from the origin, then hands the watch over to the hub. It ends with an ERROR
 * event when the store fails, and without one at its deadline or when the hub's generation ends: the changes that the
 * next generation would miss are then sent to the watch that the client opens next.
 */
export async function replayHistory(
  { origin, clock, pause }: HistorySource,
  { cache, hub }: ReplayTarget,
  request: WatchRequest,
  sink: WatchSink,
): Promise<void> {
  const gone = new AbortController();
  const drain = new DrainWait();
  const leave = (why: string): void => {
    gone.abort(new Error(why));
    drain.resume();
  };
  const end = (why: string): void => {
    if (gone.signal.aborted) return;
    leave(why);
    sink.end();
  };
  const release = hub.host(request.scope, request.form, { end: () => end('the feed of the cache was lost') });
  if (release === undefined) {
    sink.end();
    return;
  }
  sink.onReady(() => drain.resume());
  sink.onClose(() => leave('the client has gone'));
  const cancelDeadline = clock.after(request.deadline - monotonicMs(clock), () =>
    end('the watch has reached its deadline'),
  );
  let isFirst = true;
  let stopAsking: (() => void) | undefined;
  const pace = new LoopPace(pause);
  try {
    const history = origin.history(cache, request.after, gone.signal);
    stopAsking = history.stopAsking;
    const batches = history.batches[Symbol.asyncIterator]();
    for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
      if (gone.signal.aborted) return;
      const { events, revision } = next.value;
      const frames: Buffer[] = [];
      let bytes = 0;
      // The store has read in turns of its own.
      if (events.length > 0) await pace.rest();
      for (const event of events) {
        const rest = pace.step();
        if (rest !== undefined) await rest;
        if (!event.key.startsWith(cache.root)) continue;
        const scoped = scopedEvent(request.scope, toChange(cache, event), cache.layout);
        if (scoped === undefined) continue;
        const form = isFirst ? (request.form.first ?? request.form) : request.form;
        isFirst = false;
        frames.push(form.event(scoped.type, scoped.object));
        bytes += scoped.object.bytes.length;
        if (request.form.isCostly !== true || bytes < PART_BYTES) continue;
        bytes = 0;
        await pace.rest();
      }
      if (gone.signal.aborted) return;
      hub.stats.traffic.add(frames);
      if (frames.length > 0 && !sink.write(frames)) await drain.wait();
      if (gone.signal.aborted) return;
      if (revision < hub.generation.window.oldestStart) continue;
      // In the same turn: after an await the window may have moved past this revision, or the generation have ended.
      hub.watch({ ...request, initial: undefined, after: revision, continued: !isFirst }, sink);
      await batches.return?.();
      return;
    }
    // The store ended the watch without an error: the client opens another one.
    end('the store ended its watch');
  } catch (error) {
    if (gone.signal.aborted) return;
    sink.write([request.form.error(failureOf(error, hub, request.after))]);
    sink.end();
  } finally {
    release();
    cancelDeadline();
    stopAsking?.();
  }
}

/** The Status of an ERROR event: the status line has been sent, so that the stream is the only place for it. */
function failureOf(error: unknown, { generation }: WatchHub, after: bigint): Status {
  // The message of kube-apiserver's watch cache, not that of its storage.
  if (isStorageError(error, 'COMPACTED')) {
    return expiredWatch(after, (error.revision ?? generation.window.oldestStart) + 1n).status;
  }
  if (isStorageError(error)) return storageFailure(error).status;
  return internalError(error instanceof Error ? error.message : String(error)).status;
}

/** A value that cannot be decoded counts as absent, as in the cache. */
function toChange(cache: ResourceCache, event: StorageEvent): ObjectChange {
  const { definition, layout, root } = cache;
  const cached = (entry: StorageEvent['previous']): ObjectChange['previous'] =>
    entry && tryCacheObject(definition, layout, root, entry);
  return {
    key: event.key.slice(root.length),
    revision: event.revision,
    object: event.type === 'put' ? cached({ ...event, modRevision: event.revision }) : undefined,
    previous: cached(event.previous),
  };
}

/** Waits until the sink has drained. */
class DrainWait {
  #resume: (() => void) | undefined;

  resume(): void {
    this.#resume?.();
    this.#resume = undefined;
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }
}
