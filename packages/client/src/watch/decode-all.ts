/** The events of the bytes that have arrived. */

import type { ApiObject, WatchEvent } from '@listwatch/api';
import type { FrameSplitter } from './frame-splitter.ts';
import type { WatchDecoder } from './watch-decoder.ts';

/** What was decoded, and what ended it. */
export interface DecodedEvents<T extends ApiObject> {
  /** Up to the first ERROR: there is nothing behind it. */
  readonly events: readonly WatchEvent<T>[];
  readonly error?: { readonly cause: unknown } | undefined;
}

/** Takes all that is whole: lines together where that works, else frame by frame. */
export function decodeAll<T extends ApiObject>(splitter: FrameSplitter, decoder: WatchDecoder<T>): DecodedEvents<T> {
  const events: WatchEvent<T>[] = [];
  let { lines: decodeLines } = decoder;
  try {
    for (;;) {
      const lines = decodeLines === undefined ? undefined : splitter.lines();
      const together = lines === undefined ? undefined : decodeLines?.(lines);
      if (lines !== undefined && together !== undefined) {
        splitter.skip(lines);
        for (const event of together) {
          events.push(event);
          if (event.type === 'ERROR') return { events };
        }
        continue;
      }
      // The same lines would fail again.
      if (lines !== undefined) decodeLines = undefined;
      const frame = splitter.next();
      if (frame === undefined) return { events };
      const event = decoder.one(frame);
      events.push(event);
      if (event.type === 'ERROR') return { events };
    }
  } catch (cause) {
    return { events, error: { cause } };
  }
}
