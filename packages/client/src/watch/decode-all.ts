/** Decodes all complete events of the bytes that have arrived. */

import type { ApiObject, WatchEvent } from '@listwatch/api';
import type { FrameSplitter } from './frame-splitter.ts';
import type { EventLines, WatchDecoder } from './watch-decoder.ts';

/** The decoded events, and the error that ended decoding. */
export interface DecodedEvents<T extends ApiObject> extends EventLines<T> {
  /** Up to the first ERROR event, which is the last of a watch. */
  readonly events: readonly WatchEvent<T>[];
  readonly error?: { readonly cause: unknown } | undefined;
}

/** Parses whole lines together where possible, else frame by frame. */
export function decodeAll<T extends ApiObject>(splitter: FrameSplitter, decoder: WatchDecoder<T>): DecodedEvents<T> {
  // First a frame that spans chunks, then the lines behind it, then frames without a newline.
  const torn = splitter.isTorn ? decodeFrames(splitter, decoder, 1) : NOTHING;
  if (isOver(torn)) return torn;
  const lines = decodeLines(splitter, decoder);
  if (isOver(lines)) return joined(torn, lines);
  return joined(torn, joined(lines, decodeFrames(splitter, decoder, Infinity)));
}

const NOTHING: DecodedEvents<never> = { events: [], hasNotice: false };

/** Empty when there are no lines or they cannot be parsed together; decoding frame by frame then shows why. */
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

/** Did an error or an ERROR event end the stream? */
function isOver({ events, hasNotice, error }: DecodedEvents<ApiObject>): boolean {
  return error !== undefined || (hasNotice && events.at(-1)?.type === 'ERROR');
}

/** One of them is nearly always empty; then the other is returned without a copy. */
function joined<T extends ApiObject>(first: DecodedEvents<T>, second: DecodedEvents<T>): DecodedEvents<T> {
  if (first.events.length === 0) return second;
  if (second.events.length === 0 && second.error === undefined) return first;
  return {
    events: [...first.events, ...second.events],
    hasNotice: first.hasNotice || second.hasNotice,
    error: second.error,
  };
}
