import {
  canonical,
  type DecodePlan,
  DecodePlans,
  decodeProblem,
  type StructPlan,
  withDefaults,
} from '@listwatch/schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KIND_TABLE } from '../src/data.ts';
import { loadSchemas } from '../src/load-schemas.ts';

const plans = new DecodePlans(await loadSchemas());
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
  '1h',
  '2024-01-01T00:00:00Z',
);

/** Values for any schema, right or wrong. */
function valueOf(plan: DecodePlan, depth: number): fc.Arbitrary<unknown> {
  if (depth === 0) return scalar;
  switch (plan.is) {
    case 'scalar':
      return scalar;
    case 'form':
      return fc.oneof(scalar, ...Object.values(plan.branches).map((one) => (one ? valueOf(one, depth - 1) : scalar)));
    case 'list':
      return fc.oneof(scalar, fc.array(valueOf(plan.item, depth - 1), { maxLength: 2 }));
    case 'map':
      return fc.oneof(scalar, fc.dictionary(fc.string(), valueOf(plan.item, depth - 1), { maxKeys: 2 }));
    case 'struct':
      return fc.oneof(scalar, structOf(plan, depth));
  }
}

function structOf(plan: StructPlan, depth: number): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .subarray([...plan.fields], { maxLength: Math.min(3, plan.fields.length) })
    .chain((fields) =>
      fc.record(Object.fromEntries(fields.map((field) => [field.name, valueOf(field.plan, depth - 1)]))),
    );
}

const objects = fc
  .constantFrom(...KIND_TABLE.map(({ type }) => plans.struct(type)))
  .chain((plan) => fc.tuple(fc.constant(plan), structOf(plan, 6)));
const RUNS = { numRuns: 1000 };

describe('the canonical form of any kind', () => {
  it('is the same again when it is made twice', () => {
    fc.assert(
      fc.property(objects, ([plan, value]) => {
        const once = canonical(plan, value);
        expect(JSON.stringify(canonical(plan, once))).toBe(JSON.stringify(once));
      }),
      RUNS,
    );
  });

  it('has no problem that was not there', () => {
    fc.assert(
      fc.property(objects, ([plan, value]) => {
        fc.pre(decodeProblem(plan, value) === undefined);
        expect(decodeProblem(plan, canonical(plan, value))).toBeUndefined();
      }),
      RUNS,
    );
  });

  it('with its defaults has them once', () => {
    fc.assert(
      fc.property(objects, ([plan, value]) => {
        const once = withDefaults(plan, canonical(plan, value));
        expect(withDefaults(plan, once)).toBe(once);
      }),
      RUNS,
    );
  });
});
