/** A page of a list, from the store. */

import { isStorageError, type StorageEngine } from '@listwatch/storage';
import { type CachedObject, tryCacheObject } from '../cache/cached-object.ts';
import { type CachedPage, isUnselected, listPrefix, nextStart, type PageRequest } from '../cache/list-page.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { inScope, type WatchScope } from '../cache/watch-scope.ts';
import { LoopPace } from '../contract/pause.ts';
import { isStorableKey } from '../stored/requested-key.ts';
import type { PageReading } from './read-origin.ts';

/** Keys read from the store at once when a selector may drop most of them. */
const STORE_PAGE = 1000;

/** A page read from the store, at a revision or (undefined) at the newest one. */
export async function storedPage(
  engine: StorageEngine,
  cache: ResourceCache,
  request: PageRequest,
  at: bigint | undefined,
  reading: PageReading,
): Promise<CachedPage> {
  try {
    return await readStoredPage(engine, cache, request, at, reading);
  } catch (error) {
    // The store was compacted between two reads of the newest revision: a client that named none must not see a 410.
    if (at !== undefined || !isStorageError(error, 'COMPACTED')) throw error;
    return readStoredPage(engine, cache, request, undefined, reading);
  }
}

async function readStoredPage(
  engine: StorageEngine,
  cache: ResourceCache,
  request: PageRequest,
  at: bigint | undefined,
  { signal, pause }: PageReading,
): Promise<CachedPage> {
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
    const page = await engine.range(root, { at: revision, start, limit: size, signal, pause });
    revision = page.revision;
    const pace = new LoopPace(pause);
    for (const [index, entry] of page.entries.entries()) {
      const rest = pace.step();
      if (rest !== undefined) await rest;
      const object = tryCacheObject(cache.definition, cache.layout, cache.root, entry);
      if (object === undefined) undecodable += 1;
      if (object === undefined || !inScope(scope, object)) continue;
      objects.push(object);
      if (limit === 0 || objects.length < limit) continue;
      const isLast = !page.more && index === page.entries.length - 1;
      if (isLast) return { objects, revision, next: undefined, remaining: undefined, undecodable };
      const remaining = unselected ? page.count - index - 1 : undefined;
      return { objects, revision, next: nextStart(object.key, prefix), remaining, undecodable };
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
): Promise<CachedPage> {
  const { entry, revision } = await engine.get(key, { at, signal });
  const object = entry && tryCacheObject(cache.definition, cache.layout, cache.root, entry);
  const objects = object !== undefined && inScope(scope, object) ? [object] : [];
  const undecodable = entry !== undefined && object === undefined ? 1 : 0;
  return { objects, revision, next: undefined, remaining: undefined, undecodable };
}
