/** The states of one object, as a watcher tells them. */

import type { ApiObject } from '@listwatch/api';
import type { WatcherEvent } from '../watcher-event.ts';

/**
 * - `unknown`: no list is complete yet.
 * - `listing`: a list has begun; `last` is what was known before it.
 * - `known`: the object is there, or is not.
 */
export type WatchedObject<T extends ApiObject> =
  | { readonly type: 'known'; readonly object: T | undefined }
  | { readonly type: 'listing'; readonly listed: T | undefined; readonly last: KnownObject<T> | undefined }
  | { readonly type: 'unknown' };

/** A state of the object that was true at some moment. */
export interface KnownObject<T extends ApiObject> {
  readonly object: T | undefined;
}

/** The state after an event. */
export function nextState<T extends ApiObject>(state: WatchedObject<T>, event: WatcherEvent<T>): WatchedObject<T> {
  switch (event.type) {
    case 'init':
      return { type: 'listing', listed: undefined, last: lastKnown(state) };
    case 'initApply':
      return { type: 'listing', listed: event.object, last: lastKnown(state) };
    case 'initDone':
      return { type: 'known', object: state.type === 'listing' ? state.listed : undefined };
    case 'apply':
      return { type: 'known', object: event.object };
    case 'delete':
      if (state.type === 'listing') return { ...state, listed: undefined };
      return { type: 'known', object: undefined };
    case 'error':
      return state;
  }
}

/** What is known of the object; undefined when nothing is. */
export function lastKnown<T extends ApiObject>(state: WatchedObject<T>): KnownObject<T> | undefined {
  if (state.type === 'listing') return state.last;
  return state.type === 'known' ? { object: state.object } : undefined;
}

/** What was true, one after the other: between two objects of the same name there was a moment without any. */
export function momentsOf<T extends ApiObject>(
  before: T | undefined,
  after: T | undefined,
): readonly (T | undefined)[] {
  const isOther = before !== undefined && after !== undefined && before.metadata.uid !== after.metadata.uid;
  return isOther ? [undefined, after] : [after];
}
