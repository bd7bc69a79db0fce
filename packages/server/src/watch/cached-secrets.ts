/** Finds Secrets for authentication. */

import { recordOf, textEntriesOf, textOf } from '@listwatch/api/values';
import { type CachedObject, parseObject } from '../cache/cached-object.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { CredentialSecret, SecretLookup } from '../contract/secret-lookup.ts';

/** Reads the cache. Each version of a Secret is parsed once, however many requests its token makes. */
export function secretLookup(cache: ResourceCache): SecretLookup {
  const known = new WeakMap<CachedObject, CredentialSecret>();
  return (namespace, name) => {
    const object = (cache.generation ?? cache.requireReady()).get(`${namespace}/${name}`);
    if (object === undefined) return undefined;
    const content = known.get(object) ?? contentOf(object);
    known.set(object, content);
    return content;
  };
}

function contentOf({ bytes }: CachedObject): CredentialSecret {
  const object = parseObject(bytes);
  const secret = recordOf(object);
  const data = textEntriesOf(secret['data']).map(
    ([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')] as const,
  );
  return {
    type: textOf(secret['type']),
    data: new Map(data),
    isDeleting: object.metadata.deletionTimestamp !== undefined,
  };
}
