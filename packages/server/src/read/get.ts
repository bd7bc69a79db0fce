/** GET on an object. */

import {
  badReadVersion,
  badRequest,
  firstValue,
  genericFailure,
  notFound,
  PARAM,
  parseBoolean,
  parseResourceVersion,
  ResourceVersionError,
  tooLargeResourceVersion,
} from '@listwatch/api';
import { answerObject } from '../answer/answer-object.ts';
import { reportingStorage } from '../answer/storage-failure.ts';
import type { ReadCall, ReadVerb } from '../contract/verb.ts';
import { requestedKey } from '../stored/requested-key.ts';
import { undecodableError } from '../stored/undecodable-error.ts';
import type { CacheSet } from '../watch/cache-set.ts';
import type { ReadOrigin } from './read-origin.ts';

const EXPORT = 'export';

/** The verb. A GET with a resourceVersion is answered from these caches, any other from their origin. */
export function getVerb(caches: CacheSet, origin: Pick<ReadOrigin, 'object'>): ReadVerb {
  return (context, call) =>
    reportingStorage(async () => {
      const { definition, path, request } = call;
      if (path.subresource !== '' && !definition.subresources[path.subresource]?.includes('get'))
        throw genericFailure(404);
      const key = requestedKey(call);
      const { query } = request.route;
      if (parseBoolean(firstValue(query, EXPORT)))
        throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
      const atLeast = readVersion(firstValue(query, PARAM.resourceVersion) ?? '');
      const served =
        atLeast === undefined || isFilling(caches, call)
          ? await readOrigin(origin, call, key, atLeast)
          : await readCache(caches, call, key, atLeast);
      if (served === undefined) throw notFound(definition.resource, path.name);
      return answerObject(context, call, served);
    });
}

/** The version that the answer must have reached; undefined: the most recent. */
function readVersion(text: string): bigint | undefined {
  if (text === '') return undefined;
  try {
    return parseResourceVersion(text);
  } catch (error) {
    throw error instanceof ResourceVersionError ? badReadVersion(error) : error;
  }
}

/** While a cache is being filled its origin answers, as in Kubernetes. */
function isFilling(caches: CacheSet, { definition }: ReadCall): boolean {
  return caches.kind(definition).cache.state.type === 'pending';
}

async function readCache(
  caches: CacheSet,
  { definition, request }: ReadCall,
  key: string,
  atLeast: bigint,
): Promise<Buffer | undefined> {
  const { cache } = caches.kind(definition);
  const generation = cache.requireReady();
  if (!(await generation.reached(atLeast, request.signal))) {
    throw tooLargeResourceVersion(atLeast, generation.revision);
  }
  const relative = key.slice(cache.root.length);
  if (generation.isUndecodable(relative)) throw undecodableError(key, generation.revision);
  return generation.get(relative)?.bytes;
}

async function readOrigin(
  origin: Pick<ReadOrigin, 'object'>,
  { definition, request }: ReadCall,
  key: string,
  atLeast = 0n,
): Promise<Buffer | undefined> {
  const { served, revision } = await origin.object(definition, key, request.signal);
  // The origin answers at its newest revision: a version beyond it does not exist yet.
  if (revision < atLeast) throw tooLargeResourceVersion(atLeast, revision);
  return served;
}
