import { type LabelSelectorSpec, labelSelector } from '@listwatch/api';
import type { KubeObject } from '@listwatch/rules/internal';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ObjectSelectors } from './object-selectors.ts';
import { selectsObject, storedSelector } from './selected-labels.ts';

const key = fc.constantFrom('app', 'tier', 'constructor');
const value = fc.constantFrom('1', '2', '');
const labels = fc.dictionary(key, value, { noNullPrototype: true });

const expression = fc.oneof(
  fc.record({ key, operator: fc.constantFrom('In', 'NotIn'), values: fc.array(value, { minLength: 1, maxLength: 2 }) }),
  fc.record({ key, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
);
const selector = fc
  .record({ matchLabels: fc.oneof(fc.constant({}), labels), matchExpressions: fc.array(expression, { maxLength: 2 }) })
  // An object of its own each time, as in the configurations.
  .map(storedSelector);

/** Also what has no metadata, and metadata without labels. */
const object = fc.option(
  fc.oneof(
    fc.constant({ kind: 'PodExecOptions' }),
    fc.constant({ metadata: {} }),
    labels.map((own) => ({ metadata: { labels: own } })),
  ),
  { nil: undefined },
);

it('many selectors take exactly what one of them takes', () => {
  fc.assert(
    fc.property(fc.array(selector, { maxLength: 4 }), object, object, (selectors, now, before) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the options of a connection, and lenient clients
      const objects = { object: now as KubeObject | undefined, old: before as KubeObject | undefined };
      const expected = selectors.some((one) => selectsObject(one, objects));
      expect(new ObjectSelectors(selectors).takeAny(objects)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});

function comparisons(spec: (index: number) => LabelSelectorSpec, own: Readonly<Record<string, string>>): number {
  let count = 0;
  const selectors = Array.from({ length: 200 }, (_, index) => {
    const made = labelSelector(spec(index));
    return Object.assign(Object.create(made), {
      matches: (found: Readonly<Record<string, string>>) => {
        count += 1;
        return made.matches(found);
      },
    });
  });
  const taken = new ObjectSelectors(selectors).takeAny({
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels: own } },
    old: undefined,
  });
  expect(taken).toBe(false);
  return count;
}

it('an object without the labels that they need is compared with none of them, whatever their number', () => {
  const compared = [
    comparisons((index) => ({ matchLabels: { [`key-${index}`]: 'yes' } }), { app: '1' }),
    comparisons((index) => ({ matchLabels: { tenant: `t-${index}` } }), { tenant: 'other' }),
    comparisons((index) => ({ matchExpressions: [{ key: `key-${index}`, operator: 'Exists' }] }), {}),
    // One that needs it is compared, and equal ones once.
    comparisons((index) => ({ matchLabels: { tenant: `t-${index}`, zone: 'a' } }), { tenant: 't-7' }),
    comparisons(() => ({ matchExpressions: [{ key: 'ignored', operator: 'DoesNotExist' }] }), { ignored: '' }),
  ];
  expect(compared).toEqual([0, 0, 0, 1, 1]);
});
