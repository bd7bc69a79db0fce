/** What a list or a watch is about: a part of a kind's objects. */

import type { FieldSelector, LabelSelector, WatchEventType } from '@listwatch/api';
import type { ObjectLayout } from '../kinds/object-layout.ts';
import type { CachedObject } from './cached-object.ts';
import type { ObjectChange } from './object-tree.ts';

/** The part of a kind that somebody asked for. */
export interface WatchScope {
  /** `''`: all namespaces, or a cluster-scoped kind. */
  readonly namespace: string;
  /** `''`: all names. */
  readonly name: string;
  readonly labels: LabelSelector;
  /** With the kind's own names for its fields. */
  readonly fields: FieldSelector;
}

/** Tells any two scopes apart that select differently. */
export function scopeId({ namespace, name, labels, fields }: WatchScope): string {
  return JSON.stringify([namespace, name, labels.text, fields.text]);
}

/** Does the scope contain the object? Allocates nothing. */
export function inScope(scope: WatchScope, object: CachedObject): boolean {
  if (scope.namespace !== '' && scope.namespace !== object.namespace) return false;
  if (scope.name !== '' && scope.name !== object.name) return false;
  return scope.labels.matches(object.labels) && scope.fields.matches(object.fields);
}

/** The kinds of events that carry an object of the watched kind. */
export type ObjectEventType = Exclude<WatchEventType, 'BOOKMARK' | 'ERROR'>;

/** A change as a scope sees it. */
export interface ScopedEvent {
  readonly type: ObjectEventType;
  readonly object: CachedObject;
}

/**
 * What a change means to those who watch a scope: an object that comes into it is ADDED, one that leaves it is DELETED,
 * with its last state in the scope and the revision of the change. Undefined: it means nothing.
 */
export function scopedEvent(scope: WatchScope, change: ObjectChange, layout: ObjectLayout): ScopedEvent | undefined {
  const { object, previous } = change;
  const was = previous !== undefined && inScope(scope, previous);
  if (object !== undefined && inScope(scope, object)) return { type: was ? 'MODIFIED' : 'ADDED', object };
  return was ? { type: 'DELETED', object: lastState(previous, change, layout) } : undefined;
}

/** Made once a change, however many channels show it. */
const lastStates = new WeakMap<ObjectChange, CachedObject>();

function lastState(previous: CachedObject, change: ObjectChange, layout: ObjectLayout): CachedObject {
  const made = lastStates.get(change);
  if (made !== undefined) return made;
  const { revision } = change;
  const object = { ...previous, revision, bytes: layout.atRevision(previous.bytes, revision) };
  lastStates.set(change, object);
  return object;
}
