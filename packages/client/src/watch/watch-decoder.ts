/** Decodes the frames of a watch. Strict: a skipped event would leave a cache wrong for ever. */

import {
  type ApiObject,
  type Bookmark,
  isWatchEventType,
  type ObjectEvent,
  type Resource,
  statusErrorFromObject,
  type WatchEvent,
  type WatchEventType,
} from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';
import type { DecodeOptions, ProjectionOptions } from '../cluster.ts';
import { checked } from '../json/object-decoder.ts';
import { objectMembers } from '../json/object-members.ts';
import { requireObjectMeta } from '../json/object-metadata.ts';
import { type ObjectShaper, objectShaper } from '../json/object-shaper.ts';
import { parseJsonBytes, parseJsonLines } from '../json/parse-json.ts';
import { TransportError } from '../transport/transport-error.ts';
import { locatedEvents } from './located-events.ts';

/** Events that were decoded together. */
export interface EventLines<T extends ApiObject> {
  readonly events: readonly WatchEvent<T>[];
  /** Is there a BOOKMARK or an ERROR among them? If not, no reader needs to look at their types. */
  readonly hasNotice: boolean;
}

/** Decodes frames to events. */
export interface WatchDecoder<T extends ApiObject> {
  /** Throws `PROTOCOL` for anything but an event. */
  readonly one: (frame: Uint8Array) => WatchEvent<T>;
  /** The events of several lines; `undefined` when that fails: decode frame by frame to see why. */
  readonly lines?: ((lines: Uint8Array) => EventLines<T> | undefined) | undefined;
}

/** The decoder for the events of one resource. */
export function watchDecoder<T extends ApiObject>(
  resource: Resource<T>,
  options: DecodeOptions<T> & ProjectionOptions,
): WatchDecoder<T> {
  const { decode } = options;
  const shaper = objectShaper(resource, options);
  const decodeOne = typeof decode === 'function' ? checked(decode) : decode?.one;
  const one = (frame: Uint8Array): WatchEvent<T> => {
    try {
      if (decodeOne === undefined) return parsedEvent(parseJsonBytes(frame), shaper);
      return foundEvent(objectMembers(frame), decodeOne);
    } catch (cause) {
      throw new TransportError('PROTOCOL', `cannot decode an event: ${String(cause)}`, { cause });
    }
  };
  if (decode === undefined) return { one, lines: (lines) => lineEvents(lines, shaper) };
  const next = typeof decode === 'function' ? undefined : decode.next;
  return next === undefined ? { one } : { one, lines: (lines) => locatedEvents(lines, next, one) };
}

function lineEvents<T extends ApiObject>(lines: Uint8Array, shaper: ObjectShaper<T>): EventLines<T> | undefined {
  try {
    const frames = parseJsonLines(lines);
    if (frames === undefined) return undefined;
    // Parsed frames nearly always are the events already; copying them would cost as much as parsing.
    const isReady = (frame: unknown): frame is WatchEvent<T> => isObjectEvent(frame, shaper);
    if (frames.every(isReady)) return { events: frames, hasNotice: false };
    const events = frames.map((frame) => parsedEvent(frame, shaper));
    return { events, hasNotice: events.some(({ type }) => isNotice(type)) };
  } catch {
    return undefined;
  }
}

/** Is this an event of an object that needs no more work? */
function isObjectEvent<T extends ApiObject>(frame: unknown, shaper: ObjectShaper<T>): frame is ObjectEvent<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is looked at with care
  const event = frame as { type?: unknown; object?: unknown } | null;
  const type = event?.type;
  return (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') && shaper.isShaped(event?.object);
}

function parsedEvent<T extends ApiObject>(frame: unknown, shaper: ObjectShaper<T>): WatchEvent<T> {
  const { type: name, object } = isRecord(frame) ? frame : {};
  const type = eventType(name);
  return isNotice(type) ? noticeOf(type, object) : { type, object: shaper.one(object) };
}

/** For a custom decoder, which gets the bytes of the object. */
function foundEvent<T extends ApiObject>(
  frame: ReadonlyMap<string, Uint8Array>,
  decode: (json: Uint8Array) => T,
): WatchEvent<T> {
  const [name, object] = [frame.get('type'), frame.get('object')];
  if (name === undefined || object === undefined) throw new TypeError('the event has no type or no object');
  const type = eventType(parseJsonBytes(name));
  return isNotice(type) ? noticeOf(type, parseJsonBytes(object)) : { type, object: decode(object) };
}

/** The events about the stream itself, not about an object. */
type Notice = 'BOOKMARK' | 'ERROR';

function isNotice(type: WatchEventType): type is Notice {
  return type === 'BOOKMARK' || type === 'ERROR';
}

function noticeOf(type: Notice, object: unknown): WatchEvent<never> {
  if (type === 'ERROR') return { type, object: statusErrorFromObject(object).status };
  if (!isBookmark(object)) throw new TypeError('the bookmark has no resourceVersion');
  return { type, object };
}

function eventType(type: unknown): WatchEventType {
  if (!isWatchEventType(type)) throw new TypeError(`unknown event type: ${JSON.stringify(type)}`);
  return type;
}

function isBookmark(value: unknown): value is Bookmark {
  if (!isRecord(value) || !isRecord(value['metadata'])) return false;
  requireObjectMeta(value['metadata'], { isNamed: false });
  return Boolean(value['metadata']['resourceVersion']);
}
