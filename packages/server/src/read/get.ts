/** GET on an object. */

import {
  badReadVersion,
  badRequest,
  firstValue,
  genericFailure,
  notFound,
  PARAM,
  parseBoolean,
  parseQuery,
  parseResourceVersion,
  ResourceVersionError,
  tooLargeResourceVersion,
} from '@listwatch/api';
import { answerObject } from '../answer/answer-object.ts';
import { reportingStorage } from '../answer/storage-failure.ts';
import { requestedKey } from '../cache/requested-key.ts';
import { servedBytes } from '../cache/stored-object.ts';
import type { ResourceCall, Verb, VerbContext } from '../contract/verb.ts';

/** Answers from what is cached: the bytes to serve, or undefined when there is no such object. */
export type CachedRead = (
  call: ResourceCall,
  key: string,
  /** The state must be at least this new; 0 takes any. Throws the 504 when it does not become so in time. */
  atLeast: bigint,
) => Promise<Buffer | undefined>;

/** What a GET may read from beside the storage. */
export interface GetOptions {
  /** Serves reads with a resourceVersion; undefined for a call that it cannot serve now. Default: the storage does. */
  readonly cachedRead?: ((call: ResourceCall) => CachedRead | undefined) | undefined;
}

/** Makes the verb. */
export function createGet(options: GetOptions = {}): Verb {
  return (context, call) => {
    return reportingStorage({ resource: call.definition.resource, operation: 'get' }, async () => {
      const { definition, path, request } = call;
      if (path.subresource !== '' && path.subresource !== 'status') throw genericFailure(404);
      const key = requestedKey(call);
      const query = parseQuery(request.query);
      if (parseBoolean(firstValue(query, EXPORT)))
        throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
      const atLeast = readVersion(firstValue(query, PARAM.resourceVersion) ?? '');
      const cached = atLeast === undefined ? undefined : options.cachedRead?.(call);
      const served =
        cached === undefined ? await readStorage(context, call, key, atLeast) : await cached(call, key, atLeast ?? 0n);
      if (served === undefined) throw notFound(definition.resource, path.name);
      return answerObject(context, call, served);
    });
  };
}

/** GET from the storage alone. */
export const get: Verb = createGet();

const EXPORT = 'export';

/** The version that the answer must have reached; undefined: the most recent. */
function readVersion(text: string): bigint | undefined {
  if (text === '') return undefined;
  try {
    return parseResourceVersion(text);
  } catch (error) {
    throw error instanceof ResourceVersionError ? badReadVersion(error) : error;
  }
}

async function readStorage(
  { engine }: VerbContext,
  { definition, request }: ResourceCall,
  key: string,
  atLeast = 0n,
): Promise<Buffer | undefined> {
  const { entry, revision } = await engine.get(key, { signal: request.signal });
  // The storage is read at its newest: a version that it has not reached does not exist yet.
  if (revision < atLeast) throw tooLargeResourceVersion(atLeast, revision);
  return entry === undefined ? undefined : servedBytes(definition, entry);
}
