/** A watch from before the window: read from the store until the cache can take over. */

import { compactedWatch, internalError } from '@listwatch/api';
import { isStorageError, type StorageEngine, type StorageEvent } from '@listwatch/storage';
import type { WatchSink } from '../http/exchange.ts';
import { storageFailure } from '../verbs/storage-failure.ts';
import { cacheObject } from './cached-object.ts';
import type { ObjectChange } from './object-tree.ts';
import type { ResourceCache } from './resource-cache.ts';
import type { WatchRequest } from './watch-cursor.ts';
import { frame } from './watch-form.ts';
import type { WatchHub } from './watch-hub.ts';
import { scopedEvent } from './watch-scope.ts';

/** Sends what the store still has after `request.after`, then lets the hub go on. An ERROR event ends it otherwise. */
export async function replayHistory(
  engine: StorageEngine,
  hub: WatchHub,
  request: WatchRequest,
  sink: WatchSink,
): Promise<void> {
  const { cache } = hub;
  const gone = new AbortController();
  const door = new Door();
  sink.onReady(() => door.open());
  sink.onClose(() => {
    gone.abort(new Error('the client has gone'));
    door.open();
  });
  let isFirst = true;
  try {
    const watch = engine.watch(cache.root, { after: request.after, signal: gone.signal });
    // A quiet kind has no events that would say how far the store has been read.
    watch.requestProgress();
    const batches = watch[Symbol.asyncIterator]();
    for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
      const { events, revision } = next.value;
      const frames = events.flatMap((event) => {
        const scoped = scopedEvent(request.scope, toChange(cache, event), cache.layout);
        if (scoped === undefined) return [];
        const form = isFirst ? (request.form.first ?? request.form) : request.form;
        isFirst = false;
        return [form.event(scoped.type, scoped.object)];
      });
      if (frames.length > 0 && !sink.write(frames)) await door.wait();
      gone.signal.throwIfAborted();
      if (revision < cache.window.oldestStart) continue;
      // At once: a wait in between, even for the store's watch to end, lets the window move past this revision.
      hub.watch({ ...request, initial: undefined, after: revision, continued: !isFirst }, sink);
      await batches.return?.();
      return;
    }
  } catch (error) {
    if (gone.signal.aborted) return;
    sink.write([frame('ERROR', Buffer.from(JSON.stringify(failureOf(error, cache))))]);
    sink.end();
  }
}

/** Everything becomes an event: nobody waits for this promise, so a rejection would end the process. */
function failureOf(error: unknown, { definition: { resource } }: ResourceCache): object {
  if (isStorageError(error, 'COMPACTED')) return compactedWatch().status;
  if (isStorageError(error)) return storageFailure(error, { resource, operation: 'watch' }).status;
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
