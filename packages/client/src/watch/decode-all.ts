/** The events of the bytes that have arrived. */

import type { ApiObject, WatchEvent } from '@listwatch/api';
import type { FrameSplitter } from './frame-splitter.ts';
import type { EventLines, WatchDecoder } from './watch-decoder.ts';

/** What was decoded, and what ended it. */
export interface DecodedEvents<T extends ApiObject> extends EventLines<T> {
  /** Up to the first ERROR: there is nothing behind it. */
  readonly events: readonly WatchEvent<T>[];
  readonly error?: { readonly cause: unknown } | undefined;
}

/** Takes all that is whole: lines together where that works, else frame by frame. */
export function decodeAll<T extends ApiObject>(splitter: FrameSplitter, decoder: WatchDecoder<T>): DecodedEvents<T> {
  // A frame that came in pieces, then the lines behind it, then what has no newline yet or never gets one.
  const torn = splitter.isTorn ? decodeFrames(splitter, decoder, 1) : NOTHING;
  if (isOver(torn)) return torn;
  const lines = decodeLines(splitter, decoder);
  if (isOver(lines)) return joined(torn, lines);
  return joined(torn, joined(lines, decodeFrames(splitter, decoder, Infinity)));
}

const NOTHING: DecodedEvents<never> = { events: [], hasNotice: false };

/** Nothing, when there are no lines or they cannot be decoded together: frame by frame it is found out why. */
function decodeLines<T extends ApiObject>(splitter: FrameSplitter, decoder: WatchDecoder<T>): DecodedEvents<T> {
  const lines = decoder.lines === undefined ? undefined : splitter.lines();
  const decoded = lines === undefined ? undefined : decoder.lines?.(lines);
  if (lines === undefined || decoded === undefined) return NOTHING;
  splitter.skip(lines);
  const end = decoded.hasNotice ? decoded.events.findIndex(({ type }) => type === 'ERROR') : -1;
  return end < 0 ? decoded : { events: decoded.events.slice(0, end + 1), hasNotice: true };
}

function decodeFrames<T extends ApiObject>(
  splitter: FrameSplitter,
  { one }: WatchDecoder<T>,
  most: number,
): DecodedEvents<T> {
  const events: WatchEvent<T>[] = [];
  let hasNotice = false;
  try {
    while (events.length < most) {
      const frame = splitter.next();
      if (frame === undefined) break;
      const event = one(frame);
      events.push(event);
      hasNotice ||= event.type === 'BOOKMARK' || event.type === 'ERROR';
      if (event.type === 'ERROR') break;
    }
    return { events, hasNotice };
  } catch (cause) {
    return { events, hasNotice, error: { cause } };
  }
}

/** Is there nothing behind these? */
function isOver({ events, hasNotice, error }: DecodedEvents<ApiObject>): boolean {
  return error !== undefined || (hasNotice && events.at(-1)?.type === 'ERROR');
}

/** Nearly always one of them is empty, and the other is not copied. */
function joined<T extends ApiObject>(first: DecodedEvents<T>, second: DecodedEvents<T>): DecodedEvents<T> {
  if (first.events.length === 0) return second;
  if (second.events.length === 0 && second.error === undefined) return first;
  return {
    events: [...first.events, ...second.events],
    hasNotice: first.hasNotice || second.hasNotice,
    error: second.error,
  };
}
