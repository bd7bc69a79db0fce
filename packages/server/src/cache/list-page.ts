/** A page of a list, from a snapshot of the cache. */

import { compareKeys } from '@listwatch/storage';
import type { CachedObject } from './cached-object.ts';
import type { ObjectSnapshot } from './object-tree.ts';
import { inScope, type WatchScope } from './watch-scope.ts';

/** What a list asks for. */
export interface PageRequest {
  readonly scope: WatchScope;
  /** The first key, relative to the list: behind its namespace. `''`: the first there is. */
  readonly start: string;
  /** 0: no limit. */
  readonly limit: number;
}

/** One page. */
export interface CachedPage {
  readonly objects: readonly CachedObject[];
  readonly revision: bigint;
  /** Where the next page begins, relative to the list; undefined: this is the last one. */
  readonly next: string | undefined;
  /** How many objects follow; undefined when a selector makes that unknowable, or none follow. */
  readonly remaining: number | undefined;
  /** How many values of the store were left out because they cannot be decoded. Absent: not read from the store. */
  readonly undecodable?: number | undefined;
}

/** The keys of a list begin with this, below the kind's folder. */
export function listPrefix(scope: WatchScope): string {
  return scope.namespace === '' ? '' : `${scope.namespace}/`;
}

/**
 * A page of a snapshot. `candidates` are all of its objects that the scope may contain, in key order; without them all
 * objects are looked at.
 */
export function snapshotPage(
  snapshot: ObjectSnapshot,
  request: PageRequest,
  candidates?: readonly CachedObject[],
): CachedPage {
  const { scope, limit } = request;
  const prefix = listPrefix(scope);
  const start = request.start === '' ? '' : prefix + request.start;
  const objects: CachedObject[] = [];
  const all = isUnselected(scope) && scope.name === '';
  let last: string | undefined;
  let more = false;
  const visit = (object: CachedObject): boolean => {
    if (limit > 0 && objects.length === limit) {
      more = true;
      return false;
    }
    last = object.key;
    if (all || inScope(scope, object)) objects.push(object);
    return true;
  };
  if (candidates === undefined) snapshot.visit(prefix, start, visit);
  else {
    for (const object of candidates) {
      if (limit > 0 && objects.length === limit) break;
      if (object.key.startsWith(prefix) && compareKeys(object.key, start) >= 0) visit(object);
    }
    // A full page has another one behind it if anything follows, selected or not: nobody has looked that far.
    if (limit > 0 && objects.length === limit) snapshot.visit(prefix, `${last}\0`, visit);
  }
  if (more) {
    const remaining = isUnselected(scope) ? snapshot.countBehind(prefix, start, `${last}\0`, limit) : undefined;
    return { objects, revision: snapshot.revision, next: nextStart(last, prefix), remaining };
  }
  return { objects, revision: snapshot.revision, next: undefined, remaining: undefined };
}

/** The key behind a key, as tokens have it: relative to the list, with a slash in front. */
export function nextStart(key: string | undefined, prefix: string): string {
  return `/${(key ?? '').slice(prefix.length)}\0`;
}

/** Does a list of the scope take every object below its prefix and name? */
export function isUnselected({ labels, fields }: WatchScope): boolean {
  return labels.isEmpty && fields.isEmpty;
}
