/** Objects of the API from their JSON. */

import { type ApiObject, apiVersionOf, META_GROUP, type Resource } from '@listwatch/api';
import type { ProjectionOptions } from '../cluster.ts';
import { isJsonObject } from './json-object.ts';
import { parseJson, parseJsonRun } from './parse-json.ts';

const PARTIAL_KIND = 'PartialObjectMetadata';
const PARTIAL_VERSION = `${META_GROUP}/v1`;

/** Makes objects from JSON; throws when it cannot, and keeps nothing of the bytes. */
export interface ObjectDecoder<T> {
  /** One object. */
  readonly one: (json: Uint8Array) => T;
  /**
   * One object after the other, commas between them. It must throw when the bytes end in the middle of an object. Absent: they
   * are decoded one by one.
   */
  readonly run?: ((json: Uint8Array) => T[]) | undefined;
}

/** Makes an object of the API from parsed JSON. Throws a TypeError for what is none. */
export type ObjectShaper<T> = (value: unknown) => T;

/**
 * Checks that it is a named object, and fills in `apiVersion` and `kind` where they are left out. With the projection
 * `metadata`, a server that does not know it sends the objects whole; then the rest is dropped here.
 */
export function objectShaper<T extends ApiObject>(
  resource: Resource<T>,
  { projection }: ProjectionOptions,
): ObjectShaper<T> {
  const isPartial = projection === 'metadata';
  const kind = isPartial ? PARTIAL_KIND : resource.kind;
  const apiVersion = isPartial ? PARTIAL_VERSION : apiVersionOf(resource);
  return (value) => {
    const object = isPartial ? withoutRest(value) : value;
    if (!isNamed(object)) throw new TypeError('not an object with metadata and a name');
    fillIn(object, kind, apiVersion);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what else a T has is the server's word
    return object as T;
  };
}

/** The decoder for who brings none. */
export function objectDecoder<T extends ApiObject>(
  resource: Resource<T>,
  options: ProjectionOptions,
): Required<ObjectDecoder<T>> {
  const toObject = objectShaper(resource, options);
  return {
    one: (json) => toObject(parseJson(json)),
    run: (json) => parseJsonRun(json).map(toObject),
  };
}

/** A key in a store is made of the name: an object without one must not get that far. */
function isNamed(value: unknown): value is ApiObject {
  if (!isJsonObject(value)) return false;
  const metadata = value['metadata'];
  return isJsonObject(metadata) && typeof metadata['name'] === 'string';
}

/** Assigned, not copied into a new object, which would cost as much again as finding the item. */
function fillIn(object: { kind?: string; apiVersion?: string }, kind: string, apiVersion: string): void {
  object.kind ??= kind;
  object.apiVersion ??= apiVersion;
}

function withoutRest(value: unknown): unknown {
  if (!isJsonObject(value) || value['kind'] === PARTIAL_KIND) return value;
  return { kind: PARTIAL_KIND, apiVersion: PARTIAL_VERSION, metadata: value['metadata'] };
}
