/** Bodies for the fuzzer: objects and patches with something wrong in them, and bytes that are neither. */

import { isRecord } from '@listwatch/api/values';
import fc from 'fast-check';
import { FUZZ_KINDS, type Json } from './fuzz-kinds.ts';

const ODD_VALUES: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  'x',
  '5',
  '1Gi',
  '..',
  '-',
  'A',
  '\0',
  'ü\u2028',
  'x'.repeat(300),
  [],
  {},
  [null],
  [[[[]]]],
  { '': '' },
  { a: { b: { c: {} } } },
  [{ name: 'a' }, { name: 'a' }],
  '2026-01-01T00:00:00Z',
];
const oddValue: fc.Arbitrary<Json> = fc.oneof(
  { arbitrary: fc.constantFrom(...ODD_VALUES), weight: 4 },
  { arbitrary: fc.json({ maxDepth: 2 }).map((text): Json => JSON.parse(text)), weight: 1 },
);

/** A change in an object: where, by a number for each level, and what to put there; undefined takes it away. */
const mutation = fc.tuple(
  fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }),
  fc.option(oddValue, { nil: undefined, freq: 5 }),
);

/** One of the objects with at most this many changes. */
export function mutated(objects: readonly Json[], maxChanges: number): fc.Arbitrary<Json> {
  return fc
    .tuple(fc.constantFrom(...objects), fc.array(mutation, { maxLength: maxChanges }))
    .map(([object, changes]) =>
      changes.reduce((changed, [place, value]) => put(changed, place, value) ?? null, object),
    );
}

const OBJECTS: readonly Json[] = [
  ...FUZZ_KINDS.map(({ object }) => object),
  { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background', preconditions: { uid: 'x' } },
];
const NAMES = ['a', 'b', 'c', 'd', 'a.b', ''];
const VERSIONS = ['', '', '', '0', '1', '50', 'abc'];
const anyObject = fc
  .tuple(mutated(OBJECTS, 2), fc.constantFrom(...NAMES), fc.constantFrom(...VERSIONS))
  .map(([object, name, version]) => rename(object, name, version));

const POINTERS: readonly Json[] = [
  '/data/k',
  '/metadata/labels/x',
  '/data',
  '/metadata/name',
  '/metadata/resourceVersion',
  '/metadata',
  '/nope',
  '',
  '/',
  '/a/b/c',
  '/spec/containers/-',
  '/spec/containers/99',
  '/~2',
  'data',
  '/__proto__/x',
  5,
];
const operation: fc.Arbitrary<Json> = fc
  .record({
    op: fc.constantFrom<Json>('add', 'remove', 'replace', 'move', 'copy', 'test', 'frob', '', 1),
    path: fc.constantFrom(...POINTERS),
    from: fc.constantFrom(...POINTERS),
    value: oddValue,
    left: fc.constantFrom('', '', '', '', 'op', 'path', 'from', 'value'),
  })
  .map(({ left, ...parts }) => Object.fromEntries(Object.entries(parts).filter(([key]) => key !== left)));

/** A patch of any kind. */
export const fuzzPatch: fc.Arbitrary<Json> = fc.oneof(
  fc.array(operation, { maxLength: 4 }),
  fc.constantFrom<Json>(
    { data: { k: null, z: '1' } },
    { metadata: { labels: { a: 'b' }, finalizers: ['example.com/f'] } },
    { metadata: { finalizers: null } },
    { metadata: null },
    { spec: null },
    { $patch: 'replace' },
  ),
  fc.tuple(oddValue, oddValue).map(([metadata, data]): Json => ({ metadata, data })),
  oddValue,
);

/** Texts that are no objects of the API. */
const ODD_TEXTS = [
  '',
  '{',
  '[]',
  'null',
  '"x"',
  '{}{}',
  '[[[[[[',
  '['.repeat(2000),
  '{"a":NaN}',
  '\ufeff{}',
  '{"metadata":{"name":1e999}}',
  'a: b\n- c',
  '&a [*a, *a]',
  '!!js/x {}',
  '---\n---\n',
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"\ud800"}}',
  '{"metadata":{"name":"\\ud800"},"data":{"\\udc00":"\\ud800\\ud800"}}',
  '{"__proto__":{"kind":"Pod"},"metadata":{"__proto__":{"name":"a"}}}',
  `{"a":${'9'.repeat(100_000)}}`,
  `${'{'.repeat(90)}a${'}: 1'.repeat(89)}}`,
  '['.repeat(10_000),
  '- '.repeat(5000),
  `a: &a [${'x,'.repeat(99)}]\nb: &b [${'*a,'.repeat(99)}]\nc: &c [${'*b,'.repeat(99)}]\nd: [${'*c,'.repeat(99)}]`,
  'metadata: {name: a}\n<<: {data: {a: yes}}\n',
  `[${'1,'.repeat(100_000)}1]`,
];
/** An object whose numbers are integers of 64 bits, or beyond. */
const longNumbers = fc
  .tuple(anyObject, fc.constantFrom('9007199254740993', '-9223372036854775808', '9223372036854775808', '1.0', '1e3'))
  .map(([object, number]) => JSON.stringify(object).replaceAll(/:-?\d+(?=[,}])/gu, `:${number}`));
const text = fc.oneof(
  { arbitrary: fc.oneof(anyObject, fuzzPatch, anyObject).map((value) => JSON.stringify(value)), weight: 12 },
  { arbitrary: anyObject.map((value) => JSON.stringify(value).slice(0, -3)), weight: 1 },
  { arbitrary: anyObject.map((value) => JSON.stringify(value).replace('{', '{"kind":"X","kind":"Y",')), weight: 1 },
  { arbitrary: longNumbers, weight: 2 },
  { arbitrary: fc.constantFrom(...ODD_TEXTS), weight: 1 },
);

/** A body. */
export const fuzzBody: fc.Arbitrary<Buffer> = fc.oneof(
  { arbitrary: text.map((body) => Buffer.from(body)), weight: 20 },
  { arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)), weight: 1 },
  { arbitrary: fc.constant(Buffer.from('6b3873000a0c', 'hex')), weight: 1 },
);

/** The object under another name, made up when it is empty, and at a version unless that is empty. */
export function rename(object: Json, name: string, resourceVersion: string): Json {
  if (!isRecord(object)) return object;
  const { metadata } = object;
  if (!isRecord(metadata)) return object;
  const version = resourceVersion === '' ? {} : { resourceVersion };
  return { ...object, metadata: { ...metadata, ...(name === '' ? { generateName: 'g-' } : { name }), ...version } };
}

function put(value: Json, [first = 0, ...rest]: readonly number[], odd: Json | undefined): Json | undefined {
  if (typeof value !== 'object' || value === null) return odd;
  const entries = Object.entries(value);
  const [key, old] = entries[first % (entries.length + 1)] ?? ['unknown', null];
  const inner = rest.length === 0 ? odd : put(old, rest, odd);
  if (Array.isArray(value)) return inner === undefined ? value.slice(1) : [...value.slice(1), inner];
  const others = entries.filter(([name]) => name !== key);
  return Object.fromEntries(inner === undefined ? others : [...others, [key, inner]]);
}
