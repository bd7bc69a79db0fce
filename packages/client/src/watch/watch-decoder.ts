/** Events from the frames of a watch. Strict: an event that is skipped makes a cache wrong for ever. */

import {
  type ApiObject,
  type Bookmark,
  isWatchEventType,
  type Resource,
  statusErrorFromObject,
  type WatchEvent,
  type WatchEventType,
} from '@listwatch/api';
import type { DecodeOptions, ProjectionOptions } from '../cluster.ts';
import { isJsonObject } from '../json/json-object.ts';
import { objectShaper } from '../json/object-decoder.ts';
import { objectMembers } from '../json/object-members.ts';
import { parseJson, parseJsonLines } from '../json/parse-json.ts';
import { TransportError } from '../transport/transport-error.ts';

/** Makes events from frames. */
export interface WatchDecoder<T extends ApiObject> {
  /** Throws `PROTOCOL` for whatever is no event. */
  readonly one: (frame: Uint8Array) => WatchEvent<T>;
  /** The events of several lines; `undefined` when that does not work out, and frame by frame it will be seen why. */
  readonly lines?: ((lines: Uint8Array) => readonly WatchEvent<T>[] | undefined) | undefined;
}

/** The decoder for the events of one resource. */
export function watchDecoder<T extends ApiObject>(
  resource: Resource<T>,
  options: DecodeOptions<T> & ProjectionOptions,
): WatchDecoder<T> {
  const { decode } = options;
  const toObject = objectShaper(resource, options);
  const one = (frame: Uint8Array): WatchEvent<T> => {
    try {
      if (decode === undefined) return parsedEvent(parseJson(frame), toObject);
      return foundEvent(objectMembers(frame), decode);
    } catch (cause) {
      throw new TransportError('PROTOCOL', `an event of the watch cannot be decoded: ${String(cause)}`, { cause });
    }
  };
  return decode === undefined ? { one, lines: (lines) => lineEvents(lines, toObject) } : { one };
}

function lineEvents<T extends ApiObject>(
  lines: Uint8Array,
  toObject: (value: unknown) => T,
): readonly WatchEvent<T>[] | undefined {
  try {
    return parseJsonLines(lines)?.map((frame) => parsedEvent(frame, toObject));
  } catch {
    return undefined;
  }
}

function parsedEvent<T extends ApiObject>(frame: unknown, toObject: (value: unknown) => T): WatchEvent<T> {
  const { type: name, object } = isJsonObject(frame) ? frame : {};
  const type = eventType(name);
  return isNotice(type) ? noticeOf(type, object) : { type, object: toObject(object) };
}

/** For a decoder that wants the object's own bytes. */
function foundEvent<T extends ApiObject>(
  frame: ReadonlyMap<string, Uint8Array>,
  decode: (json: Uint8Array) => T,
): WatchEvent<T> {
  const [name, object] = [frame.get('type'), frame.get('object')];
  if (name === undefined || object === undefined) throw new TypeError('an event has a type and an object');
  const type = eventType(parseJson(name));
  return isNotice(type) ? noticeOf(type, parseJson(object)) : { type, object: decode(object) };
}

/** What is told of the stream itself, and not of an object. */
type Notice = 'BOOKMARK' | 'ERROR';

function isNotice(type: WatchEventType): type is Notice {
  return type === 'BOOKMARK' || type === 'ERROR';
}

function noticeOf(type: Notice, object: unknown): WatchEvent<never> {
  if (type === 'ERROR') return { type, object: statusErrorFromObject(object).status };
  if (!isBookmark(object)) throw new TypeError('a bookmark without a version');
  return { type, object };
}

function eventType(type: unknown): WatchEventType {
  if (!isWatchEventType(type)) throw new TypeError(`no type of an event: ${JSON.stringify(type)}`);
  return type;
}

function isBookmark(value: unknown): value is Bookmark {
  if (!isJsonObject(value) || !isJsonObject(value['metadata'])) return false;
  const version = value['metadata']['resourceVersion'];
  return typeof version === 'string' && version !== '';
}
