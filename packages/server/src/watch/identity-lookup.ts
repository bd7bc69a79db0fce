/** Finds the identity of an object by its name: is the object that a token names still the same one? */

import type { KubeObject } from '@listwatch/rules/internal';
import { type CachedObject, parseObject } from '../cache/cached-object.ts';
import type { IdentityLookup, ObjectIdentity } from '../contract/service-account-token.ts';
import type { VerbContext } from '../contract/verb.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { isStorableKey, storedObjectKey } from '../stored/requested-key.ts';
import { storedObject } from '../stored/stored-object.ts';
import type { CacheSet } from './cache-set.ts';

/**
 * Looks into the caches first. What they do not have, or have with another uid, may be newer than they are: then the
 * storage decides.
 */
export function identityLookup(
  caches: CacheSet,
  { store: { engine }, kinds }: Pick<VerbContext, 'kinds' | 'store'>,
): IdentityLookup {
  // Each version of an object is parsed once, however many requests its token makes.
  const known = new WeakMap<CachedObject, ObjectIdentity>();
  return async (plural, namespace, { name, uid }) => {
    const definition = kinds.find('', 'v1', plural);
    const key = definition === undefined ? '' : storedObjectKey(definition, { namespace, name });
    if (definition === undefined || name === '' || !isStorableKey(key)) return undefined;
    const cached = cachedIdentity(caches, definition, key, known);
    if (cached?.uid === uid) return cached;
    const { entry } = await engine.get(key);
    return entry === undefined ? undefined : identityOf(storedObject(definition, entry));
  };
}

function cachedIdentity(
  caches: CacheSet,
  definition: ResourceDefinition,
  key: string,
  known: WeakMap<CachedObject, ObjectIdentity>,
): ObjectIdentity | undefined {
  const { cache } = caches.kind(definition);
  const object = cache.generation?.get(key.slice(cache.root.length));
  if (object === undefined) return undefined;
  const identity = known.get(object) ?? identityOf(parseObject(object.bytes));
  known.set(object, identity);
  return identity;
}

function identityOf({ metadata: { uid = '', deletionTimestamp } }: KubeObject): ObjectIdentity {
  return { uid, deletionTime: deletionTimestamp === undefined ? undefined : Date.parse(deletionTimestamp) };
}
