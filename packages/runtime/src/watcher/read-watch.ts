/** Reads one watch: the initial events and the changes after them, or only the changes. */

import { type ApiObject, isInitialEventsEnd, type ObjectEvent, StatusError, type WatchEvent } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { WatchQuery, WatchStream } from '@listwatch/client';
import { linkSignal } from '@listwatch/client/internal';
import type { WatcherErrorCode } from '../watcher-error.ts';
import { attempt, giveBack, Thrown } from './attempt.ts';
import { batchesOf } from './batches-of.ts';
import { errorEventKind } from './failure-kind.ts';
import { StreamTimers } from './stream-timers.ts';
import type { WatcherInput } from './watcher-input.ts';
import { failureInput, type WatcherExchange } from './watcher-request.ts';
import { SHORT_WATCH_MS, type StreamingState, type WatchingState } from './watcher-state.ts';

/** Why a stream of initial events was ended by us. */
const QUIET = Symbol('quiet');

/** Tells the machine of every event and of the end; closes the stream when the machine turns to something else. */
export async function readWatch<T extends ApiObject>(
  exchange: WatcherExchange<T>,
  begin: StreamingState | WatchingState,
): Promise<void> {
  const { cluster, resource, config, state, feed } = exchange;
  const started = monotonicMs(cluster.clock);
  const livedMs = (): number => monotonicMs(cluster.clock) - started;
  const query = watchQuery(exchange, begin);
  const link = linkSignal(exchange.signal);
  const opened: { stream?: WatchStream<T>; batches?: AsyncIterator<readonly WatchEvent<T>[]> } = {};
  const ask = (): Promise<IteratorResult<readonly WatchEvent<T>[]>> => {
    opened.stream ??= cluster.watch(resource, { ...query, signal: link.signal });
    opened.batches ??= batchesOf(opened.stream);
    return opened.batches.next();
  };
  const failed = (error: unknown): WatcherInput<T> => {
    if (link.signal.reason === QUIET) return { type: 'quiet' };
    return failureInput(stepOf(state().type, opened.stream?.opened === true), error, livedMs());
  };
  const timers = new StreamTimers(cluster.clock, () => opened.stream?.opened === true);
  if (begin.type === 'streaming') timers.onQuiet(config.markerQuietMs, () => link.abort(QUIET));
  // Only the reflector hears of it, and it does not hold back.
  timers.onSteady(SHORT_WATCH_MS, () => void feed({ type: 'steady' }));
  try {
    for (;;) {
      const result = await attempt(ask);
      exchange.signal.throwIfAborted();
      if (result instanceof Thrown) return await feed(failed(result.error));
      if (result.done === true) {
        return await feed({ type: 'closed', livedMs: livedMs(), isTimeout: livedMs() >= query.timeoutSeconds * 1000 });
      }
      timers.touch();
      for (const input of inputsOf(result.value, state().type === 'streaming', livedMs)) {
        const held = feed(input);
        if (held !== undefined) {
          await held;
          exchange.signal.throwIfAborted();
        }
        const now = state().type;
        if (now === 'watching') timers.cancelQuiet();
        else if (now !== 'streaming') return;
      }
    }
  } finally {
    timers.cancel();
    link.unlink();
    await giveBack(opened.batches);
  }
}

function stepOf(state: string, opened: boolean): WatcherErrorCode {
  if (state === 'streaming') return 'INITIAL_LIST_FAILED';
  return opened ? 'WATCH_FAILED' : 'WATCH_START_FAILED';
}

/** Initial objects are told together, and so are changes that came together. */
function* inputsOf<T extends ApiObject>(
  events: readonly WatchEvent<T>[],
  isInitial: boolean,
  livedMs: () => number,
): Generator<WatcherInput<T>, undefined> {
  const objects: T[] = isInitial ? addedFirst(events) : [];
  if (objects.length > 0) yield { type: 'items', objects };
  let changes: ObjectEvent<T>[] = [];
  for (let at = objects.length; at < events.length; at += 1) {
    const event = events[at];
    if (event === undefined) continue;
    if (event.type !== 'BOOKMARK' && event.type !== 'ERROR') {
      changes.push(event);
      continue;
    }
    if (changes.length > 0) yield { type: 'changes', events: changes };
    changes = [];
    yield noticeInput(event, livedMs);
  }
  if (changes.length > 0) yield { type: 'changes', events: changes };
}

/** The objects of the ADDED events that the others stand behind. */
function addedFirst<T extends ApiObject>(events: readonly WatchEvent<T>[]): T[] {
  const end = events.findIndex(({ type }) => type !== 'ADDED');
  const added = end < 0 ? events : events.slice(0, end);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all of them are ADDED
  return added.map(({ object }) => object as T);
}

function noticeInput<T extends ApiObject>(
  event: Exclude<WatchEvent<T>, ObjectEvent<T>>,
  livedMs: () => number,
): WatcherInput<T> {
  switch (event.type) {
    case 'BOOKMARK': {
      const { resourceVersion } = event.object.metadata;
      return { type: isInitialEventsEnd(event) ? 'marker' : 'bookmark', resourceVersion };
    }
    case 'ERROR': {
      const error = new StatusError(event.object);
      return failureInput('WATCH_ERROR', error, livedMs(), errorEventKind(error));
    }
  }
}

function watchQuery<T extends ApiObject>(
  { config }: WatcherExchange<T>,
  begin: StreamingState | WatchingState,
): WatchQuery<T> & { readonly timeoutSeconds: number } {
  const { timeoutSeconds, random, selection, bookmarks, liveness } = config;
  return {
    ...selection,
    ...(bookmarks ? { allowWatchBookmarks: true } : {}),
    ...liveness,
    // At random: the watches of a server that restarted must not all end in the same second for ever after.
    timeoutSeconds: Math.floor(timeoutSeconds * (1 + random())),
    ...(begin.type === 'watching'
      ? { resourceVersion: begin.memory.position.resourceVersion }
      : {
          sendInitialEvents: true,
          resourceVersionMatch: 'NotOlderThan',
          ...(begin.from === '' ? {} : { resourceVersion: begin.from }),
        }),
  };
}
