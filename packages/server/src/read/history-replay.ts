/** A watch from before the window: read from the store until the cache can take over. */

import { expiredWatch, internalError } from '@listwatch/api';
import {
  type CancelTimer,
  type Clock,
  isStorageError,
  type StorageEngine,
  type StorageEvent,
  type StorageWatch,
} from '@listwatch/storage';
import { storageFailure } from '../answer/storage-failure.ts';
import { frame } from '../answer/watch-form.ts';
import { cacheObject } from '../cache/cached-object.ts';
import type { ObjectChange } from '../cache/object-tree.ts';
import { writeProgressMarker } from '../cache/progress-marker.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { scopedEvent } from '../cache/watch-scope.ts';
import type { WatchSink } from '../contract/watch-sink.ts';
import { REGISTRY_ROOT } from '../kinds/resource-registry.ts';
import type { WatchRequest } from '../watch/watch-cursor.ts';
import type { WatchHub } from '../watch/watch-hub.ts';

/** Where a store that cannot say how far its watch has come is made to: this often, until the cache has taken over. */
const MARK_EVERY_MS = 1000;

/** What a replay reads from. */
export interface HistorySource {
  readonly engine: StorageEngine;
  readonly clock: Clock;
}

/**
 * Sends what the store still has after `request.after`, then lets the hub go on. An ERROR event ends it otherwise, or
 * nothing at all when the watch was not to last longer.
 */
export async function replayHistory(
  { engine, clock }: HistorySource,
  hub: WatchHub,
  request: WatchRequest,
  sink: WatchSink,
): Promise<void> {
  const { cache } = hub;
  const gone = new AbortController();
  const door = new Door();
  const leave = (why: string): void => {
    gone.abort(new Error(why));
    door.open();
  };
  sink.onReady(() => door.open());
  sink.onClose(() => leave('the client has gone'));
  const cancelDeadline = clock.after(request.deadline - clock.now(), () => {
    leave('the watch has lasted as long as it was to');
    sink.end();
  });
  let isFirst = true;
  let stopAsking: CancelTimer | undefined;
  try {
    const history = openHistory({ engine, clock }, cache.root, request.after, gone.signal);
    stopAsking = history.stopAsking;
    const batches = history.watch[Symbol.asyncIterator]();
    for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
      const { events, revision } = next.value;
      const frames = events.flatMap((event) => {
        if (!event.key.startsWith(cache.root)) return [];
        const scoped = scopedEvent(request.scope, toChange(cache, event), cache.layout);
        if (scoped === undefined) return [];
        const form = isFirst ? (request.form.first ?? request.form) : request.form;
        isFirst = false;
        return [form.event(scoped.type, scoped.object)];
      });
      hub.traffic.add(frames);
      if (frames.length > 0 && !sink.write(frames)) await door.wait();
      if (gone.signal.aborted) return;
      if (revision < cache.window.oldestStart) continue;
      // At once: a wait in between, even for the store's watch to end, lets the window move past this revision.
      hub.watch({ ...request, initial: undefined, after: revision, continued: !isFirst }, sink);
      await batches.return?.();
      return;
    }
  } catch (error) {
    if (gone.signal.aborted) return;
    sink.write([frame('ERROR', Buffer.from(JSON.stringify(failureOf(error, cache, request.after))))]);
    sink.end();
  } finally {
    cancelDeadline();
    stopAsking?.();
  }
}

/** A watch that says before long how far it has come: a quiet kind has no events that would. */
function openHistory(
  { engine, clock }: HistorySource,
  root: string,
  after: bigint,
  signal: AbortSignal,
): { readonly watch: StorageWatch; readonly stopAsking: () => void } {
  if (engine.capabilities.progressRequests) {
    const watch = engine.watch(root, { after, signal });
    watch.requestProgress();
    return { watch, stopAsking: () => undefined };
  }
  let cancel: CancelTimer;
  const ask = (): void => {
    void writeProgressMarker(engine);
    cancel = clock.after(MARK_EVERY_MS, ask);
  };
  ask();
  return { watch: engine.watch(REGISTRY_ROOT, { after, signal }), stopAsking: () => cancel() };
}

/** Whatever went wrong, the client hears of it: the stream is open, and nobody else is there to be told. */
function failureOf(error: unknown, { definition, window }: ResourceCache, after: bigint): object {
  // In the words of a watch cache: there is one, and clients know them.
  if (isStorageError(error, 'COMPACTED')) {
    return expiredWatch(after, (error.revision ?? window.oldestStart) + 1n).status;
  }
  if (isStorageError(error)) {
    return storageFailure(error, { resource: definition.resource, operation: 'watch' }).status;
  }
  return internalError(error instanceof Error ? error.message : String(error)).status;
}

function toChange(cache: ResourceCache, event: StorageEvent): ObjectChange {
  const { definition, layout, root } = cache;
  const cached = (entry: StorageEvent['previous']): ObjectChange['previous'] =>
    entry && cacheObject(definition, layout, root, entry);
  return {
    key: event.key.slice(root.length),
    revision: event.revision,
    object: event.type === 'put' ? cached({ ...event, modRevision: event.revision }) : undefined,
    previous: cached(event.previous),
  };
}

/** Something to wait at until the sink has drained. */
class Door {
  #open: (() => void) | undefined;

  open(): void {
    this.#open?.();
    this.#open = undefined;
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#open = resolve;
    });
  }
}
