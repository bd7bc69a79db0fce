/** Writes of CustomResourceDefinitions that come and go, and of objects of their kinds. */

import fc from 'fast-check';
import { mutated, rename } from './fuzz-body.ts';
import { CUSTOM_KINDS, DEFINITIONS, FUZZ_DEFINITIONS, HOSTILE_DEFINITIONS } from './fuzz-definitions.ts';
import type { Json } from './fuzz-kinds.ts';
import { type FuzzWrite, jsonBytes, objectPath, writeOf } from './fuzz-write.ts';
import { mostly } from './mostly.ts';

const NAMES = ['a', 'b', 'c', 'd'];

const anyDefinition: fc.Arbitrary<readonly [name: string, definition: Json]> = fc
  .constantFrom(...FUZZ_DEFINITIONS, ...FUZZ_DEFINITIONS, ...HOSTILE_DEFINITIONS)
  .chain((definition) =>
    fc.tuple(fc.constant(definition.metadata.name), mostly(fc.constant<Json>(definition), mutated([definition], 2), 2)),
  );

const definitionWrite: fc.Arbitrary<FuzzWrite> = fc
  .record({
    drawn: anyDefinition,
    verb: fc.constantFrom('create', 'create', 'merge', 'merge', 'update', 'status', 'delete'),
  })
  .map(({ drawn: [name, definition], verb }): FuzzWrite => {
    const path = `${DEFINITIONS}/${name}`;
    const body = jsonBytes(definition);
    switch (verb) {
      case 'create':
        return { method: 'POST', path: DEFINITIONS, contentType: 'application/json', body };
      case 'merge':
        return { method: 'PATCH', path, contentType: 'application/merge-patch+json', body };
      case 'update':
        return { method: 'PUT', path, contentType: 'application/json', body };
      case 'status':
        return { method: 'PUT', path: `${path}/status`, contentType: 'application/json', body };
      case 'delete': {
        // Only flaps come and go: the others should have objects.
        const target = name.startsWith('flaps') ? path : `${path}x`;
        return { method: 'DELETE', path: target, contentType: '', body: undefined };
      }
    }
  });

const FIELD_SELECTORS = ['spec.color=red', 'spec.color!=red', 'spec.size=3', 'spec.name=a', 'spec.color'];
const SCALE = { apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 3 } };

function read(path: string): FuzzWrite {
  return { method: 'GET', path, contentType: '', body: undefined };
}

/** Reads that ask for fields which a definition declares, and writes of `scale`. */
const customRead: fc.Arbitrary<FuzzWrite> = fc
  .record({
    kind: fc.constantFrom(...CUSTOM_KINDS),
    name: fc.constantFrom(...NAMES),
    selector: fc.constantFrom(...FIELD_SELECTORS),
    verb: fc.constantFrom('list', 'watch', 'scale', 'getScale', 'deletecollection'),
    scale: mutated([{ ...SCALE, metadata: {} }], 2),
  })
  .map(({ kind, name, selector, verb, scale }): FuzzWrite => {
    const { collection, path } = objectPath(kind, 'fuzz-0', name);
    const query = `fieldSelector=${encodeURIComponent(selector)}`;
    switch (verb) {
      case 'list':
        return read(`${collection}?${query}`);
      case 'watch':
        return read(`${collection}?${query}&watch=1&timeoutSeconds=1`);
      case 'getScale':
        return read(`${path}/scale`);
      case 'deletecollection':
        return { ...read(`${collection}?${query}`), method: 'DELETE' };
      case 'scale': {
        const body = jsonBytes(rename(scale, name, ''));
        return { method: 'PUT', path: `${path}/scale`, contentType: 'application/json', body };
      }
    }
  });

/** A write of a definition, or of an object of one. */
export const fuzzCustom: fc.Arbitrary<FuzzWrite> = fc.oneof(
  { arbitrary: fc.constantFrom(...CUSTOM_KINDS).chain(writeOf), weight: 6 },
  { arbitrary: customRead, weight: 2 },
  { arbitrary: definitionWrite, weight: 2 },
);
