/** Events of a watch whose objects are decoded where they stand in the line. */

import type { ApiObject, ObjectEvent, WatchEvent } from '@listwatch/api';
import type { ObjectDecoder } from '../cluster.ts';
import { CLOSE_BRACE, NEWLINE } from '../json/json-byte.ts';
import type { EventLines } from './watch-decoder.ts';

const encoder = new TextEncoder();

/** How kube-apiserver, and ours, begin the line of each event. */
const BEGINNINGS = (['ADDED', 'MODIFIED', 'DELETED'] as const).map((type) => ({
  type,
  bytes: encoder.encode(`{"type":"${type}","object":`),
}));

/**
 * Decodes the events of several lines; lines that begin in another way are decoded by `one`. `undefined` when that fails:
 * frame by frame it will be seen why.
 */
export function locatedEvents<T extends ApiObject>(
  lines: Uint8Array,
  next: NonNullable<ObjectDecoder<T>['next']>,
  one: (frame: Uint8Array) => WatchEvent<T>,
): EventLines<T> | undefined {
  const events: WatchEvent<T>[] = [];
  let hasNotice = false;
  try {
    for (let at = 0; at < lines.length; ) {
      const beginning = beginningAt(lines, at);
      if (beginning === undefined) {
        const newline = lines.indexOf(NEWLINE, at);
        const end = newline < 0 ? lines.length : newline;
        const event = one(lines.subarray(at, end));
        hasNotice ||= event.type === 'BOOKMARK' || event.type === 'ERROR';
        events.push(event);
        at = end + 1;
      } else {
        const { object, end } = next(lines, at + beginning.bytes.length);
        // Anything else behind the object is for the decoder of frames, which knows what may be there.
        if (lines[end] !== CLOSE_BRACE || (lines[end + 1] ?? NEWLINE) !== NEWLINE) return undefined;
        const event: ObjectEvent<T> = { type: beginning.type, object };
        events.push(event);
        at = end + 2;
      }
    }
    return { events, hasNotice };
  } catch {
    return undefined;
  }
}

function beginningAt(bytes: Uint8Array, at: number): (typeof BEGINNINGS)[number] | undefined {
  return BEGINNINGS.find((beginning) => startsAt(bytes, at, beginning.bytes));
}

function startsAt(bytes: Uint8Array, at: number, start: Uint8Array): boolean {
  for (let i = 0; i < start.length; i += 1) if (bytes[at + i] !== start[i]) return false;
  return true;
}
