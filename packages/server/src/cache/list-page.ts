/** A page of a list, from a snapshot of the cache. */

import { compareKeys } from '@listwatch/storage';
import type { Pause } from '../contract/pause.ts';
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
  const work = new PageWork(snapshot, request);
  work.goOn(candidates, Number.POSITIVE_INFINITY);
  return work.page;
}

/** The same with breaks: to look at 100 000 objects takes tens of milliseconds. Candidates are read before the first break. */
export function pacedPage(
  snapshot: ObjectSnapshot,
  request: PageRequest,
  candidates: readonly CachedObject[] | undefined,
  pause: Pause,
): CachedPage | Promise<CachedPage> {
  const work = new PageWork(snapshot, request);
  return work.goOn(candidates, STRETCH_MS) ? work.page : finished(work, pause);
}

async function finished(work: PageWork, pause: Pause): Promise<CachedPage> {
  do await pause();
  while (!work.goOn(undefined, STRETCH_MS));
  return work.page;
}

/** As long as a slice of the gate for loop time. */
const STRETCH_MS = 2;
/** To look at the time costs a little. */
const OBJECTS_BETWEEN_LOOKS = 256;

/** A page that is being made. */
class PageWork {
  readonly #snapshot: ObjectSnapshot;
  readonly #request: PageRequest;
  readonly #prefix: string;
  readonly #start: string;
  readonly #takesAll: boolean;
  readonly #objects: CachedObject[] = [];
  /** Where it goes on. */
  #from: string;
  #last: string | undefined;
  #hasMore = false;

  constructor(snapshot: ObjectSnapshot, request: PageRequest) {
    const { scope, start } = request;
    this.#snapshot = snapshot;
    this.#request = request;
    this.#prefix = listPrefix(scope);
    this.#start = start === '' ? '' : this.#prefix + start;
    this.#from = this.#start;
    this.#takesAll = isUnselected(scope) && scope.name === '';
  }

  /** False: the time is over, and there is more to look at. */
  goOn(candidates: readonly CachedObject[] | undefined, ms: number): boolean {
    if (candidates !== undefined) {
      this.#takeCandidates(candidates);
      return true;
    }
    const end = performance.now() + ms;
    let count = 0;
    let isDone = true;
    this.#snapshot.visit(this.#prefix, this.#from, (object) => {
      count += 1;
      if (count % OBJECTS_BETWEEN_LOOKS === 0 && performance.now() >= end) {
        this.#from = object.key;
        isDone = false;
        return false;
      }
      return this.#take(object);
    });
    return isDone;
  }

  get page(): CachedPage {
    const { revision } = this.#snapshot;
    const objects = this.#objects;
    if (!this.#hasMore) return { objects, revision, next: undefined, remaining: undefined };
    const { scope, limit } = this.#request;
    const last = this.#last;
    const remaining = isUnselected(scope)
      ? this.#snapshot.countBehind(this.#prefix, this.#start, `${last}\0`, limit)
      : undefined;
    return { objects, revision, next: nextStart(last, this.#prefix), remaining };
  }

  #take(object: CachedObject): boolean {
    const { scope, limit } = this.#request;
    if (limit > 0 && this.#objects.length === limit) {
      this.#hasMore = true;
      return false;
    }
    this.#last = object.key;
    if (this.#takesAll || inScope(scope, object)) this.#objects.push(object);
    return true;
  }

  #takeCandidates(candidates: readonly CachedObject[]): void {
    const { limit } = this.#request;
    for (const object of candidates) {
      const isListed = object.key.startsWith(this.#prefix) && compareKeys(object.key, this.#start) >= 0;
      if (isListed && !this.#take(object)) return;
    }
    // A full page has another one behind it if anything follows, selected or not: nobody has looked that far.
    if (limit > 0 && this.#objects.length === limit) {
      this.#snapshot.visit(this.#prefix, `${this.#last}\0`, (object) => this.#take(object));
    }
  }
}

/** The key behind a key, as tokens have it: relative to the list, with a slash in front. */
export function nextStart(key: string | undefined, prefix: string): string {
  return `/${(key ?? '').slice(prefix.length)}\0`;
}

/** Does a list of the scope take every object below its prefix and name? */
export function isUnselected({ labels, fields }: WatchScope): boolean {
  return labels.isEmpty && fields.isEmpty;
}
