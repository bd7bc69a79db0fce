/** Objects of the API from their JSON. */

import type { ApiObject, Resource } from '@listwatch/api';
import type { DecodeOptions, ObjectDecoder, ProjectionOptions } from '../cluster.ts';
import { decodeRun } from './decode-run.ts';
import { isObjectMeta, requireObjectMeta } from './object-metadata.ts';
import { objectShaper } from './object-shaper.ts';
import { parseJsonBytes, parseJsonRun } from './parse-json.ts';

/** The default decoder. */
export function objectDecoder<T extends ApiObject>(
  resource: Resource<T>,
  options: ProjectionOptions,
): Required<Pick<ObjectDecoder<T>, 'one' | 'run'>> {
  const shaper = objectShaper(resource, options);
  return {
    one: (json) => shaper.one(parseJsonBytes(json)),
    run: (json) => shaper.all(parseJsonRun(json)),
  };
}

/** The decoder that the options name, or the default one. */
export function chosenDecoder<T extends ApiObject>(
  resource: Resource<T>,
  options: DecodeOptions<T> & ProjectionOptions,
): ObjectDecoder<T> {
  const { decode } = options;
  if (decode === undefined) return objectDecoder(resource, options);
  if (typeof decode === 'function') return { one: checked(decode) };
  const { next } = decode;
  return next === undefined ? decode : { run: (json) => decodeRun(next, json), ...decode };
}

/** A decoder that mostly parses: what it makes of an object is the server's word, and is checked like it. */
export function checked<T extends ApiObject>(decode: (json: Uint8Array) => T): (json: Uint8Array) => T {
  return (json) => {
    const object: T | undefined = decode(json);
    if (!isObjectMeta(object?.metadata)) requireObjectMeta(object?.metadata);
    return object;
  };
}
