import { expectTypeOf } from 'vitest';
import type { Status } from '../status/status.ts';
import type { ApiObject } from './api-object.ts';
import {
  type Bookmark,
  type BookmarkEvent,
  isInitialEventsEnd,
  isObjectEvent,
  type WatchEvent,
} from './watch-event.ts';

interface Pod extends ApiObject {
  readonly spec: { readonly nodeName?: string };
}

declare const event: WatchEvent<Pod>;

// The type of an event decides what its object is.
switch (event.type) {
  case 'ADDED':
  case 'MODIFIED':
  case 'DELETED':
    expectTypeOf(event.object).toEqualTypeOf<Pod>();
    break;
  case 'BOOKMARK':
    expectTypeOf(event.object).toEqualTypeOf<Bookmark>();
    break;
  case 'ERROR':
    expectTypeOf(event.object).toEqualTypeOf<Status>();
    break;
  default:
    expectTypeOf(event).toEqualTypeOf<never>();
}

// A guard leaves the objects, and names taken off the event are narrowed with it.
if (isObjectEvent(event)) expectTypeOf(event.object).toEqualTypeOf<Pod>();
const { type, object } = event;
if (type === 'ADDED' || type === 'MODIFIED') expectTypeOf(object).toEqualTypeOf<Pod>();
if (type === 'ERROR') expectTypeOf(object).toEqualTypeOf<Status>();
// @ts-expect-error -- a bookmark has no spec, so the type is asked first
void object.spec;
// @ts-expect-error -- there is no such event
if (type === 'CHANGED') throw new Error();

if (isInitialEventsEnd(event)) expectTypeOf(event).toEqualTypeOf<BookmarkEvent>();
