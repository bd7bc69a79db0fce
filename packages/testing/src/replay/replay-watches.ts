/** Replays watches that the console's inspector has recorded. */

import { type Clock, sleep, systemClock } from '@listwatch/api';
import type { RecordedWatch, WatchRecording } from '@listwatch/api/console';
import { monotonicMs } from '@listwatch/api/internal';
import {
  type TransportDecorator,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@listwatch/client';
import { asksForWatch } from '../faults/watch-request.ts';

/** Options of {@link replayWatches}. */
export interface ReplayOptions {
  /** `recorded`: each frame when it came. Default: `immediate`. */
  readonly timing?: 'immediate' | 'recorded' | undefined;
  /** For the timing. Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}

/**
 * Answers the watches of a client with the recorded ones of the same collection, one after the other, each with its frames
 * and its end. Other requests, and watches after the last recorded one, go to the next transport. Throws a `TypeError` for
 * anything but a recording.
 *
 * @example
 * const recording = JSON.parse(await readFile('watch-pods.json', 'utf8'));
 * const replayed = decorateCluster(env.cluster, replayWatches(recording));
 */
export function replayWatches(recording: WatchRecording, options: ReplayOptions = {}): TransportDecorator {
  if (recording?.format !== 'listwatch-recording/v1') {
    throw new TypeError(`not a recording of watches: its format is ${JSON.stringify(recording?.format)}`);
  }
  const left = [...recording.watches];
  return (next) => ({
    name: next.name,
    async send(request) {
      const index = asksForWatch(request) ? left.findIndex(({ path }) => isSameCollection(path, request.path)) : -1;
      const [watch] = index < 0 ? [] : left.splice(index, 1);
      return watch === undefined ? next.send(request) : answer(watch, request, options);
    },
    close: () => next.close(),
    [Symbol.asyncDispose]: () => next.close(),
  });
}

function answer(watch: RecordedWatch, request: TransportRequest, options: ReplayOptions): TransportResponse {
  if (watch.status === 0) throw new TransportError('CLOSED', 'the connection was cut, as in the recording');
  const headers = { 'content-type': 'application/json;stream=watch' };
  return { status: watch.status, headers, body: frames(watch, request, options) };
}

async function* frames(
  { frames: recorded, end }: RecordedWatch,
  { signal }: TransportRequest,
  { timing = 'immediate', clock = systemClock }: ReplayOptions,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const openedAt = monotonicMs(clock);
  for (const [at, line] of recorded) {
    if (timing === 'recorded') await sleep(clock, Math.max(0, openedAt + at - monotonicMs(clock)), signal);
    signal?.throwIfAborted();
    yield encoder.encode(`${line}\n`);
  }
  if (end === 'broken') throw new TransportError('CLOSED', 'the connection was cut, as in the recording');
  if (end === 'open') await aborted(signal);
}

/** Stays open until the client leaves. */
function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal?.reason);
    if (signal?.aborted === true) fail();
    else signal?.addEventListener('abort', fail, { once: true });
  });
}

function isSameCollection(recorded: string, asked: string): boolean {
  return recorded.split('?', 1)[0] === asked.split('?', 1)[0];
}
