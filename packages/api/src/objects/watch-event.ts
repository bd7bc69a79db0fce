/** The events of a watch, as they stand on the wire. */

import { ANNOTATION } from '../paths/wire-names.ts';
import type { Status } from '../status/status.ts';
import type { ApiObject } from './api-object.ts';

/** The types of events, in the order in which a reader meets them. */
export const WATCH_EVENT_TYPES = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'] as const;

/** The type of an event. */
export type WatchEventType = (typeof WATCH_EVENT_TYPES)[number];

/** An object that has only a version: everything up to that version has been sent. */
export interface Bookmark {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/** An object came into view: it was created, or it began to match, or it was there when the watch began. */
export interface AddedEvent<T extends ApiObject = ApiObject> {
  readonly type: 'ADDED';
  readonly object: T;
}

/** An object in view changed. */
export interface ModifiedEvent<T extends ApiObject = ApiObject> {
  readonly type: 'MODIFIED';
  readonly object: T;
}

/** An object left the view; it carries its last state and the version of its leaving. */
export interface DeletedEvent<T extends ApiObject = ApiObject> {
  readonly type: 'DELETED';
  readonly object: T;
}

/** Nothing happened up to this version: a watch can resume from it. */
export interface BookmarkEvent {
  readonly type: 'BOOKMARK';
  readonly object: Bookmark;
}

/** The watch failed and ends. */
export interface WatchErrorEvent {
  readonly type: 'ERROR';
  readonly object: Status;
}

/** An event that carries an object. */
export type ObjectEvent<T extends ApiObject = ApiObject> = AddedEvent<T> | DeletedEvent<T> | ModifiedEvent<T>;

/** Any event of a watch. */
export type WatchEvent<T extends ApiObject = ApiObject> = BookmarkEvent | ObjectEvent<T> | WatchErrorEvent;

const TYPES: ReadonlySet<string> = new Set(WATCH_EVENT_TYPES);

/** Is `type` the type of an event? Anything else on a watch is a protocol error. */
export function isWatchEventType(type: unknown): type is WatchEventType {
  return typeof type === 'string' && TYPES.has(type);
}

/** Does the event carry an object? What is left is a bookmark or the error that ends the watch. */
export function isObjectEvent<T extends ApiObject>(event: WatchEvent<T>): event is ObjectEvent<T> {
  return event.type !== 'BOOKMARK' && event.type !== 'ERROR';
}

/** Is this the bookmark after the last of the initial events? */
export function isInitialEventsEnd(event: WatchEvent): event is BookmarkEvent {
  return event.type === 'BOOKMARK' && event.object.metadata.annotations?.[ANNOTATION.initialEventsEnd] === 'true';
}
