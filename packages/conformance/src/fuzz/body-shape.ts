/** Bodies made from the shapes of a kind, then damaged. */

import { isRecord } from '@listwatch/api/values';
import type { SeededRandom } from '../server/seeded-random.ts';

/** The form of a value: a scalar's name, or a struct, a list or a map of others. */
export type BodyShape =
  | string
  | { readonly fields: Readonly<Record<string, BodyShape>> }
  | { readonly list: BodyShape }
  | { readonly map: BodyShape };

/** A kind and where it is served. */
export interface ShapedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly shape: BodyShape;
}

const TEXTS = ['', 'a', 'web', 'example.com/x', 'a.b', '10.0.0.1', 'IfNotPresent', 'TCP', 'é\u2028', '\0', '..', 'A_'];
const SCALARS: Readonly<Record<string, readonly unknown[]>> = {
  any: [null, {}, [], 'x', 1],
  bool: [true, false],
  bytes: ['', 'AAEC', 'dg==', 'dg', '***'],
  float64: [0, 1.5, 1e300],
  int32: [0, 1, 80, -1, 65_536, 2 ** 31],
  int64: [0, 1, 30, -1, 2 ** 53, 2 ** 63],
  intOrString: [80, 'http', '25%', '', -1],
  microTime: ['2026-01-01T00:00:00.000000Z', '2026-13-01T00:00:00Z', null],
  quantity: ['1', '500m', '1Gi', '1e3', '1e', '0'.repeat(200), 2, ''],
  string: TEXTS,
  time: ['2026-01-01T00:00:00Z', 'yesterday', null],
};

/** Damage that fits anywhere. */
const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -0.5,
  1e308,
  'x',
  '\ud800',
  'x'.repeat(5000),
  [],
  {},
  [null],
  [[[[[[[[]]]]]]]],
  { '': null },
  { constructor: { prototype: { x: 1 } } },
];

/** A document of the kind, filled by chance to a few levels. */
export function shapedObject(random: SeededRandom, kind: ShapedKind, name: string): unknown {
  const filled = fill(random, kind.shape, 0);
  const object = isRecord(filled) ? filled : {};
  const metadata = isRecord(object['metadata']) ? object['metadata'] : {};
  return { ...object, apiVersion: kind.apiVersion, kind: kind.kind, metadata: { ...metadata, name } };
}

/** The document as bytes, with up to three damages in the value and now and then one in the bytes. */
export function damagedBytes(random: SeededRandom, document: unknown): Buffer {
  let value = document;
  for (let left = random.below(4); left > 0; left--) value = damage(random, value);
  const bytes = Buffer.from(JSON.stringify(value) ?? 'null');
  if (bytes.length === 0 || !random.chance(0.1)) return bytes;
  const at = random.below(bytes.length);
  switch (random.below(4)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      bytes[at] = random.below(256);
      return bytes;
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at >> 1)]);
    default:
      return Buffer.concat([bytes, bytes]);
  }
}

function fill(random: SeededRandom, shape: BodyShape, depth: number): unknown {
  if (typeof shape === 'string') {
    return random.pick([null, ...(SCALARS[shape.replaceAll(/[*!]/gu, '')] ?? TEXTS)]) ?? 'x';
  }
  if ('list' in shape) return Array.from({ length: random.below(3) }, () => fill(random, shape.list, depth + 1));
  if ('map' in shape) {
    const entry = (): [string, unknown] => [random.pick(TEXTS), fill(random, shape.map, depth + 1)];
    return Object.fromEntries(Array.from({ length: random.below(4) }, entry));
  }
  // Fewer fields the deeper they stand: a Pod has thousands in all.
  const share = depth === 0 ? 0.9 : 0.35 / depth;
  const fields = Object.entries(shape.fields).filter(() => random.chance(share));
  return Object.fromEntries(fields.map(([name, field]) => [name, fill(random, field, depth + 1)]));
}

function damage(random: SeededRandom, value: unknown): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.2)) return [...value, random.pick(ODD) ?? null];
    if (random.chance(0.1)) return Array.from({ length: 300 }, () => value[0] as unknown);
    const at = random.below(value.length);
    return value.map((item: unknown, index) => (index === at ? damage(random, item) : item));
  }
  if (!isRecord(value)) return random.pick(ODD) ?? null;
  const names = Object.keys(value);
  if (names.length === 0 || random.chance(0.1)) return { ...value, [random.pick(TEXTS)]: random.pick(ODD) ?? null };
  const name = random.pick(names);
  if (random.chance(0.2)) return { ...value, [name]: undefined };
  if (random.chance(0.3)) return { ...value, [name]: random.pick(ODD) ?? null };
  return { ...value, [name]: damage(random, value[name]) };
}
