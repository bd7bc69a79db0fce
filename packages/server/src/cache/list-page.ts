/** A page of a list, from memory or from the store. */

import { compareKeys, isStorageError, type StorageEngine } from '@listwatch/storage';
import { isStorableKey } from '../stored/requested-key.ts';
import { type CachedObject, tryCacheObject } from './cached-object.ts';
import type { ObjectSnapshot } from './object-tree.ts';
import type { ResourceCache } from './resource-cache.ts';
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
export interface ListPage {
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
): ListPage {
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
    return { objects, revision: snapshot.revision, next: after(last, prefix), remaining };
  }
  return { objects, revision: snapshot.revision, next: undefined, remaining: undefined };
}

/** Keys read from the store at once when a selector may drop most of them. */
const STORE_PAGE = 1000;

/** A page read from the store, at a revision or (undefined) at the newest one. */
export async function storedPage(
  engine: StorageEngine,
  cache: ResourceCache,
  request: PageRequest,
  at: bigint | undefined,
  signal: AbortSignal,
): Promise<ListPage> {
  try {
    return await readStoredPage(engine, cache, request, at, signal);
  } catch (error) {
    // The store was compacted between two reads of the newest revision: a client that named none must not see a 410.
    if (at !== undefined || !isStorageError(error, 'COMPACTED')) throw error;
    return readStoredPage(engine, cache, request, undefined, signal);
  }
}

async function readStoredPage(
  engine: StorageEngine,
  cache: ResourceCache,
  request: PageRequest,
  at: bigint | undefined,
  signal: AbortSignal,
): Promise<ListPage> {
  const { scope, limit } = request;
  const prefix = listPrefix(scope);
  const root = cache.root + prefix;
  const objects: CachedObject[] = [];
  const unselected = isUnselected(scope);
  let undecodable = 0;
  let start: string | undefined = request.start === '' ? undefined : root + request.start;
  let revision = at;
  // The store refuses to look for keys that cannot exist: too long, or with a NUL or half a character in them. Only where to
  // start may have a NUL, which comes after a key.
  if (!isStorableKey(root) || !isStorableKey((start ?? '').replaceAll('\0', ''))) {
    return { objects, revision: at ?? (await engine.revision({ signal })), next: undefined, remaining: undefined };
  }
  const only = onlyKey(cache, scope);
  if (only !== undefined && start === undefined) return readStoredObject(engine, cache, scope, only, at, signal);
  for (;;) {
    const size = limit === 0 ? 0 : unselected ? limit : STORE_PAGE;
    const page = await engine.range(root, { at: revision, start, limit: size, signal });
    revision = page.revision;
    for (const [index, entry] of page.entries.entries()) {
      const object = tryCacheObject(cache.definition, cache.layout, cache.root, entry);
      if (object === undefined) undecodable += 1;
      if (object === undefined || !inScope(scope, object)) continue;
      objects.push(object);
      if (limit === 0 || objects.length < limit) continue;
      const isLast = !page.more && index === page.entries.length - 1;
      if (isLast) return { objects, revision, next: undefined, remaining: undefined, undecodable };
      const remaining = unselected ? page.count - index - 1 : undefined;
      return { objects, revision, next: after(object.key, prefix), remaining, undecodable };
    }
    const last = page.entries.at(-1);
    if (!page.more || last === undefined) {
      return { objects, revision, next: undefined, remaining: undefined, undecodable };
    }
    start = `${last.key}\0`;
  }
}

/** The one key that a scope can contain: a list of one name must not read the whole namespace. */
function onlyKey({ root, definition }: ResourceCache, { namespace, name }: WatchScope): string | undefined {
  if (name === '' || (definition.resource.namespaced && namespace === '')) return undefined;
  const key = `${root}${namespace === '' ? '' : `${namespace}/`}${name}`;
  return isStorableKey(key) ? key : undefined;
}

async function readStoredObject(
  engine: StorageEngine,
  cache: ResourceCache,
  scope: WatchScope,
  key: string,
  at: bigint | undefined,
  signal: AbortSignal,
): Promise<ListPage> {
  const { entry, revision } = await engine.get(key, { at, signal });
  const object = entry && tryCacheObject(cache.definition, cache.layout, cache.root, entry);
  const objects = object !== undefined && inScope(scope, object) ? [object] : [];
  const undecodable = entry !== undefined && object === undefined ? 1 : 0;
  return { objects, revision, next: undefined, remaining: undefined, undecodable };
}

/** The key behind a key, as tokens have it: relative to the list, with a slash in front. */
function after(key: string | undefined, prefix: string): string {
  return `/${(key ?? '').slice(prefix.length)}\0`;
}

function isUnselected({ labels, fields }: WatchScope): boolean {
  return labels.isEmpty && fields.isEmpty;
}
