import { expectTypeOf } from 'vitest';
import type { Status } from '../status/status.ts';
import type { ApiObject } from './api-object.ts';
import { type Bookmark, type BookmarkEvent, isInitialEventsEnd, type WatchEvent } from './watch-event.ts';

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

if (isInitialEventsEnd(event)) expectTypeOf(event).toEqualTypeOf<BookmarkEvent>();
