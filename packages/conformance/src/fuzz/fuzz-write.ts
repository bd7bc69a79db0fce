/** Writes that fit together, so that some of them succeed: the right kind, name and media type, with little wrong. */

import fc from 'fast-check';
import { fuzzPatch, mutated, rename } from './fuzz-body.ts';
import { FUZZ_KINDS, type FuzzKind, type Json } from './fuzz-kinds.ts';
import { mostly } from './mostly.ts';

/** The parts of a request that belong together. */
export interface FuzzWrite {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer | undefined;
}

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

/** A write to one of the kinds. */
export const fuzzWrite: fc.Arbitrary<FuzzWrite> = fc.constantFrom(...FUZZ_KINDS).chain(writeOf);

/** A write to this kind. */
export function writeOf(kind: FuzzKind): fc.Arbitrary<FuzzWrite> {
  return fc
    .record({
      namespace: fc.constantFrom('fuzz-0', 'default'),
      name: mostly(fc.constantFrom(...NAMES), fc.constant('')),
      verb: fc.constantFrom('create', 'create', 'update', 'patch', 'delete', 'status'),
      object: mostly(fc.constant<Json>(kind.object), mutated([kind.object], 1), 2),
      version: mostly(fc.constant(''), fc.constantFrom('0', '1', '30', 'abc'), 8),
      patch: fuzzPatch,
    })
    .map(({ namespace, name, verb, object, version, patch }): FuzzWrite => {
      const { collection, path } = objectPath(kind, namespace, name === '' ? 'a' : name);
      switch (verb) {
        case 'create':
          return {
            method: 'POST',
            path: collection,
            contentType: JSON_TYPE,
            body: jsonBytes(rename(object, name, version)),
          };
        case 'update':
          return { method: 'PUT', path, contentType: JSON_TYPE, body: jsonBytes(rename(object, name, version)) };
        case 'status':
          return {
            method: 'PUT',
            path: `${path}/status`,
            contentType: JSON_TYPE,
            body: jsonBytes(rename(object, name, version)),
          };
        case 'patch': {
          const type = Array.isArray(patch) ? 'json-patch' : 'merge-patch';
          return { method: 'PATCH', path, contentType: `application/${type}+json`, body: jsonBytes(patch) };
        }
        case 'delete':
          return { method: 'DELETE', path, contentType: '', body: undefined };
      }
    });
}

const JSON_TYPE = 'application/json';

/** Where an object of the kind is, and its collection. */
export function objectPath(
  { root, plural, namespaced }: FuzzKind,
  namespace: string,
  name: string,
): { readonly collection: string; readonly path: string } {
  const collection = `${root}/${namespaced ? `namespaces/${namespace}/` : ''}${plural}`;
  return { collection, path: `${collection}/${name}` };
}

/** The value as a body. */
export function jsonBytes(value: Json): Buffer {
  return Buffer.from(JSON.stringify(value));
}
