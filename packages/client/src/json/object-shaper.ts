/** Objects of the API from parsed JSON. */

import { type ApiObject, apiVersionOf, META_GROUP, type Resource } from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';
import type { ProjectionOptions } from '../cluster.ts';
import { isObjectMeta, requireObjectMeta } from './object-metadata.ts';

const PARTIAL_KIND = 'PartialObjectMetadata';
const PARTIAL_VERSION = `${META_GROUP}/v1`;

/** Makes objects of the API from parsed JSON. Throws a TypeError for anything else, and for another kind. */
export interface ObjectShaper<T> {
  /** Is it complete already? */
  isShaped(value: unknown): value is T;
  one(value: unknown): T;
  /** Changes the array in place. */
  all(values: unknown[]): readonly T[];
}

/**
 * Checks that it is a named object of the resource's kind, and fills in `apiVersion` and `kind` where they are left out. With the
 * projection `metadata`, a server that does not know it sends whole objects; then the rest is dropped here.
 */
export function objectShaper<T extends ApiObject>(
  resource: Resource<T>,
  { projection }: ProjectionOptions,
): ObjectShaper<T> {
  return projection === 'metadata'
    ? new Shaper<T>({ kind: PARTIAL_KIND, apiVersion: PARTIAL_VERSION, isPartial: true })
    : new Shaper<T>({ kind: resource.kind, apiVersion: apiVersionOf(resource), isPartial: false });
}

/** What may be an object of the API. */
type Candidate = { kind?: unknown; apiVersion?: unknown; metadata?: unknown };

interface Shape {
  readonly kind: string;
  readonly apiVersion: string;
  /** Nothing but the metadata. */
  readonly isPartial: boolean;
}

class Shaper<T extends ApiObject> implements ObjectShaper<T> {
  readonly #shape: Shape;

  constructor(shape: Shape) {
    this.#shape = shape;
  }

  isShaped(value: unknown): value is T {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is looked at with care
    const object = value as Candidate | null | undefined;
    if (object?.kind !== this.#shape.kind || typeof object.apiVersion !== 'string') return false;
    return isObjectMeta(object.metadata);
  }

  one(value: unknown): T {
    const { kind, apiVersion } = this.#shape;
    const given = this.#shape.isPartial ? withoutRest(value) : value;
    // A key in a store is made of the name: an object without one must not get that far.
    if (!isRecord(given)) throw new TypeError('not an object with metadata and a name');
    const object: Candidate = given;
    if (!isObjectMeta(object.metadata)) requireObjectMeta(object.metadata);
    // In a cache it would stand in the place of an object of the same name.
    if ((object.kind ?? kind) !== kind) throw new TypeError(`a ${JSON.stringify(object.kind)}, not a ${kind}`);
    if (typeof (object.apiVersion ?? apiVersion) !== 'string') throw new TypeError('its apiVersion is not a string');
    // Assigned, not copied into a new object, which would cost as much again as finding the item.
    object.kind ??= kind;
    object.apiVersion ??= apiVersion;
    const shaped: unknown = object;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what else a T has is the server's word
    return shaped as T;
  }

  all(values: unknown[]): readonly T[] {
    for (let i = 0; i < values.length; i += 1) values[i] = this.one(values[i]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each has been shaped
    return values as T[];
  }
}

function isPartial(value: unknown): boolean {
  return isRecord(value) && value['kind'] === PARTIAL_KIND;
}

function withoutRest(value: unknown): unknown {
  if (!isRecord(value) || isPartial(value)) return value;
  return { kind: PARTIAL_KIND, apiVersion: PARTIAL_VERSION, metadata: value['metadata'] };
}
