import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pod } from '../built-in-definitions.test-d.ts';
import { canonical } from './canonical.ts';
import { decodeProblem } from './decode-problem.ts';
import { isRecord } from './json-value.ts';
import type { Shape, StructShape } from './shape.ts';

/** Values for any shape, right or wrong. */
function valueOf(shape: Shape, depth: number): fc.Arbitrary<unknown> {
  const scalar = fc.constantFrom(
    null,
    undefined,
    '',
    'x',
    0,
    7,
    1.5,
    true,
    false,
    [],
    {},
    '1Gi',
    '2024-01-01T00:00:00Z',
  );
  if (typeof shape === 'string' || depth === 0) return scalar;
  if ('list' in shape) return fc.oneof(scalar, fc.array(valueOf(shape.list, depth - 1), { maxLength: 2 }));
  if ('map' in shape)
    return fc.oneof(scalar, fc.dictionary(fc.string(), valueOf(shape.map, depth - 1), { maxKeys: 2 }));
  return fc.oneof(scalar, structOf(shape, depth));
}

function structOf(shape: StructShape, depth: number): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(shape.fields).map(([name, field]) => [name, valueOf(field, depth - 1)]);
  const some = fc.subarray(fields, { maxLength: Math.min(3, fields.length) });
  return some.chain((entries) => fc.record(Object.fromEntries(entries)));
}

describe('canonical', () => {
  it('gives the same again when it is asked twice', () => {
    fc.assert(
      fc.property(structOf(pod.shape, 5), (value) => {
        const once = canonical(pod.shape, value);
        expect(JSON.stringify(canonical(pod.shape, once))).toBe(JSON.stringify(once));
      }),
    );
  });

  it('makes no problem that was not there', () => {
    fc.assert(
      fc.property(structOf(pod.shape, 5), (value) => {
        fc.pre(isRecord(value) && decodeProblem(pod.shape, value) === undefined);
        expect(decodeProblem(pod.shape, canonical(pod.shape, value))).toBeUndefined();
      }),
    );
  });
});
