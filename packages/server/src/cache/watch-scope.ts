/** The scope of a list or a watch: the part of a kind's objects that it selects. */

import { createHash } from 'node:crypto';
import type { FieldSelector, LabelSelector, WatchEventType } from '@listwatch/api';
import type { ReadLayout } from '../stored/read-layout.ts';
import type { CachedObject } from './cached-object.ts';
import type { ObjectChange } from './object-tree.ts';

/** Namespace, name and selectors. */
export interface WatchScope {
  /** `''`: all namespaces, or a cluster-scoped kind. */
  readonly namespace: string;
  /** `''`: all names. */
  readonly name: string;
  readonly labels: LabelSelector;
  /** With the kind's own names for its fields. */
  readonly fields: FieldSelector;
}

/** A longer id is replaced by its hash: a selector may have 64 KB of text. */
const MAX_ID_LENGTH = 256;

/** Different for any two scopes that select differently; short. */
export function scopeId({ namespace, name, labels, fields }: WatchScope): string {
  const id = JSON.stringify([namespace, name, labels.text, fields.text]);
  return id.length <= MAX_ID_LENGTH ? id : createHash('sha256').update(id).digest('base64');
}

/** What a parsed selector takes, measured with terms of 2 to 60 characters: its text is there up to three times. */
const TERM_BYTES = 100;
const VALUE_BYTES = 60;
const CHARACTER_BYTES = 3;

/** About how much memory the selectors of a scope take. */
export function selectorBytes({ labels, fields }: WatchScope): number {
  let values = 0;
  for (const requirement of labels.requirements) values += requirement.values.length;
  const terms = labels.requirements.length + fields.terms.length;
  return terms * TERM_BYTES + values * VALUE_BYTES + CHARACTER_BYTES * (labels.text.length + fields.text.length);
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
 * The event of a change for watchers of a scope: an object that enters it is ADDED, one that leaves it is DELETED with its
 * last state in the scope and the revision of the change. Undefined: the change does not concern the scope.
 */
export function scopedEvent(scope: WatchScope, change: ObjectChange, layout: ReadLayout): ScopedEvent | undefined {
  const { object, previous } = change;
  const was = previous !== undefined && inScope(scope, previous);
  if (object !== undefined && inScope(scope, object)) return { type: was ? 'MODIFIED' : 'ADDED', object };
  return was ? { type: 'DELETED', object: lastState(previous, change, layout) } : undefined;
}

function lastState(previous: CachedObject, change: ObjectChange, layout: ReadLayout): CachedObject {
  const { revision } = change;
  change.lastState ??= { ...previous, revision, bytes: layout.atRevision(previous.bytes, revision) };
  return change.lastState;
}
