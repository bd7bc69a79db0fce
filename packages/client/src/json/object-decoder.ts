/** Objects of the API from their JSON. */

import type { ApiObject, Resource } from '@listwatch/api';
import type { ProjectionOptions } from '../cluster.ts';
import { objectShaper } from './object-shaper.ts';
import { parseJson, parseJsonRun } from './parse-json.ts';

/** Makes objects from JSON; throws when it cannot, and keeps nothing of the bytes. */
export interface ObjectDecoder<T> {
  /** One object. */
  readonly one: (json: Uint8Array) => T;
  /**
   * Several objects, separated by commas. Must throw when the bytes end in the middle of an object. Absent: objects are decoded
   * one by one.
   */
  readonly run?: ((json: Uint8Array) => readonly T[]) | undefined;
}

/** The default decoder. */
export function objectDecoder<T extends ApiObject>(
  resource: Resource<T>,
  options: ProjectionOptions,
): Required<ObjectDecoder<T>> {
  const shaper = objectShaper(resource, options);
  return {
    one: (json) => shaper.one(parseJson(json)),
    run: (json) => shaper.all(parseJsonRun(json)),
  };
}
