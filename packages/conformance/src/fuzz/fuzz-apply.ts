/** Apply patches: configurations in JSON and YAML, with every option, and with managedFields that clients should not send. */

import { isRecord } from '@listwatch/api/values';
import fc from 'fast-check';
import { mutated, rename } from './fuzz-body.ts';
import { CUSTOM_KINDS } from './fuzz-definitions.ts';
import { FUZZ_KINDS, type Json } from './fuzz-kinds.ts';
import { type FuzzWrite, jsonBytes, objectPath } from './fuzz-write.ts';
import { mostly } from './mostly.ts';

const APPLY = 'application/apply-patch+yaml';

/** Sets of fields, most of them damaged. */
const FIELDS: readonly Json[] = [
  { 'f:data': { 'f:k': {} } },
  { 'f:spec': { '.': {}, 'f:steps': { 'k:{"name":"one","port":1}': { '.': {}, 'f:run': {} } } } },
  { 'f:spec': { 'f:set': { 'v:"a"': {}, 'v:': {}, 'v:{': {} }, 'f:atoms': { 'i:0': {}, 'i:x': {}, 'i:-1': {} } } },
  { 'f:metadata': { 'f:labels': { 'f:app': {} } }, 'f:__proto__': { 'f:constructor': {} } },
  { 'k:{': {} },
  { 'k:{"a":1e999}': {}, 'k:[]': {}, 'k:{}': {} },
  { 'x:odd': {}, f: {}, '': {} },
  { '.': { '.': {} } },
  { 'f:a': null },
  { 'f:a': [] },
  { 'f:spec': 1 },
  [],
  null,
  'x',
];
const entry: fc.Arbitrary<Json> = fc.record({
  manager: fc.constantFrom<Json>('me', 'other', '', 'x'.repeat(129), 5),
  operation: fc.constantFrom<Json>('Apply', 'Update', 'Update', 'x', null),
  apiVersion: fc.constantFrom<Json>('v1', 'apps/v1', 'fuzz.example.com/v1', 'fuzz.example.com/v1beta1', 'v9', '', null),
  fieldsType: mostly(fc.constant<Json>('FieldsV1'), fc.constantFrom<Json>('', 'FieldsV2', null)),
  fieldsV1: fc.constantFrom(...FIELDS),
  time: fc.constantFrom<Json>('2026-01-01T00:00:00Z', null, 'x'),
  subresource: fc.constantFrom<Json>('', 'status', 'scale', 'nope'),
});
const owners: fc.Arbitrary<Json> = fc.oneof(
  { arbitrary: fc.array(entry, { maxLength: 3 }), weight: 4 },
  { arbitrary: fc.constantFrom<Json>(null, [{}], [null], {}, 'x'), weight: 1 },
);

const query = fc
  .record({
    fieldManager: mostly(fc.constantFrom('me', 'other', 'third'), fc.constantFrom('', 'x'.repeat(129), '%00')),
    force: fc.constantFrom('', '', '&force=true', '&force=false', '&force=x'),
    dryRun: mostly(fc.constant(''), fc.constantFrom('&dryRun=All', '&dryRun=x')),
    fieldValidation: fc.constantFrom('', '', '&fieldValidation=Strict', '&fieldValidation=Warn'),
  })
  .map(
    ({ fieldManager, force, dryRun, fieldValidation }) =>
      `?fieldManager=${fieldManager}${force}${dryRun}${fieldValidation}`,
  );

/** An apply to one of the kinds, or an update that brings managedFields along. */
export const fuzzApply: fc.Arbitrary<FuzzWrite> = fc
  .constantFrom(...FUZZ_KINDS, ...CUSTOM_KINDS, ...CUSTOM_KINDS)
  .chain((kind) =>
    fc
      .record({
        name: fc.constantFrom('a', 'b', 'c', 'd'),
        subresource: mostly(fc.constant(''), fc.constantFrom('/status', '/scale', '/nope'), 6),
        config: mostly(fc.constant<Json>(kind.object), mutated([kind.object], 2), 2),
        managedFields: mostly(fc.constant(undefined), owners, 3),
        layout: fc.constantFrom('json', 'yaml', 'merge', 'cut'),
        query,
      })
      .map(({ name, subresource, config, managedFields, layout, query: options }): FuzzWrite => {
        const { path } = objectPath(kind, 'fuzz-0', name);
        const named = withOwners(rename(config, name, ''), managedFields);
        const target = `${path}${subresource}${options}`;
        const bytes = jsonBytes(named);
        switch (layout) {
          case 'json':
            return { method: 'PATCH', path: target, contentType: APPLY, body: bytes };
          case 'yaml':
            return { method: 'PATCH', path: target, contentType: APPLY, body: Buffer.from(yamlOf(named)) };
          case 'cut':
            return { method: 'PATCH', path: target, contentType: APPLY, body: bytes.subarray(0, bytes.length - 2) };
          case 'merge':
            return { method: 'PATCH', path: target, contentType: 'application/merge-patch+json', body: bytes };
        }
      }),
  );

function withOwners(config: Json, managedFields: Json | undefined): Json {
  if (managedFields === undefined || !isRecord(config)) return config;
  const { metadata = {} } = config;
  return isRecord(metadata) ? { ...config, metadata: { ...metadata, managedFields } } : config;
}

/** The outermost level in block style, the rest as JSON, which YAML reads too. */
function yamlOf(value: Json): string {
  if (!isRecord(value)) return JSON.stringify(value);
  return Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${JSON.stringify(inner)}\n`)
    .join('');
}
