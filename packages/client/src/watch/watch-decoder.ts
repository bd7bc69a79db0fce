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
import { parseJson } from '../json/parse-json.ts';
import { TransportError } from '../transport/transport-error.ts';

/** Makes an event from a frame. Throws `PROTOCOL` for whatever is none. */
export type WatchDecoder<T extends ApiObject> = (frame: Uint8Array) => WatchEvent<T>;

/** The decoder for the events of one resource. */
export function watchDecoder<T extends ApiObject>(
  resource: Resource<T>,
  options: DecodeOptions<T> & ProjectionOptions,
): WatchDecoder<T> {
  const { decode } = options;
  const toObject = objectShaper(resource, options);
  return (frame) => {
    try {
      if (decode === undefined) return parsedEvent(parseJson(frame), toObject);
      return foundEvent(objectMembers(frame), decode);
    } catch (cause) {
      throw new TransportError('PROTOCOL', `an event of the watch cannot be decoded: ${String(cause)}`, { cause });
    }
  };
}

function parsedEvent<T extends ApiObject>(frame: unknown, toObject: (value: unknown) => T): WatchEvent<T> {
  const { type, object } = isJsonObject(frame) ? frame : {};
  return eventOf(
    eventType(type),
    () => object,
    () => toObject(object),
  );
}

/** For a decoder that wants the object's own bytes. */
function foundEvent<T extends ApiObject>(
  frame: ReadonlyMap<string, Uint8Array>,
  decode: (json: Uint8Array) => T,
): WatchEvent<T> {
  const [type, object] = [frame.get('type'), frame.get('object')];
  if (type === undefined || object === undefined) throw new TypeError('an event has a type and an object');
  return eventOf(
    eventType(parseJson(type)),
    () => parseJson(object),
    () => decode(object),
  );
}

function eventOf<T extends ApiObject>(type: WatchEventType, parsed: () => unknown, decoded: () => T): WatchEvent<T> {
  switch (type) {
    case 'BOOKMARK': {
      const object = parsed();
      if (!isBookmark(object)) throw new TypeError('a bookmark without a version');
      return { type, object };
    }
    case 'ERROR':
      return { type, object: statusErrorFromObject(parsed()).status };
    case 'ADDED':
    case 'DELETED':
    case 'MODIFIED':
      return { type, object: decoded() };
  }
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
