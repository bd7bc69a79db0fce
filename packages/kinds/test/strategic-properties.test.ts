import { applyStrategicPatch, createThreeWayPatch, createTwoWayPatch } from '@listwatch/schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadSchemas } from '../src/load-schemas.ts';

const schemas = await loadSchemas(['apps/v1']);
const POD = 'core/v1.Pod';

const word = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString');
const labels = fc.dictionary(word, word, { maxKeys: 4 });

/** Items with keys of their own; not empty: Kubernetes drops empty lists. */
function keyed<T>(key: string, keys: fc.Arbitrary<unknown>, rest: fc.Arbitrary<T>): fc.Arbitrary<object[]> {
  return fc
    .uniqueArray(fc.tuple(keys, rest), { selector: ([value]) => value, minLength: 1, maxLength: 5 })
    .map((items) => items.map(([value, item]) => ({ ...item, [key]: value })));
}

const optional = { requiredKeys: [] };
const container = fc.record(
  {
    image: word,
    args: fc.array(word, { minLength: 1, maxLength: 3 }),
    env: keyed('name', word, fc.record({ value: word }, optional)),
    ports: keyed('containerPort', fc.integer({ min: 1, max: 5 }), fc.record({ protocol: word }, optional)),
    resources: fc.record({ limits: labels }, optional),
  },
  optional,
);
const volume = fc.oneof(
  fc.record({ emptyDir: fc.record({ medium: word }, optional) }),
  fc.record({ configMap: fc.record({ name: word, optional: fc.boolean() }, optional) }),
);
const pod = fc.record({
  metadata: fc.record(
    { labels, finalizers: fc.uniqueArray(word, { minLength: 1, maxLength: 4 }), annotations: labels },
    optional,
  ),
  spec: fc.record(
    {
      containers: keyed('name', word, container),
      volumes: keyed('name', word, volume),
      nodeSelector: labels,
      tolerations: fc.array(fc.record({ key: word }, optional), { minLength: 1, maxLength: 3 }),
      securityContext: fc.record({ runAsUser: fc.integer(), supplementalGroups: fc.array(fc.integer()) }, optional),
    },
    optional,
  ),
});

/** Kubernetes loses a change of the mere order of scalars when the new order is sorted. */
function withSortedFinalizers(object: object): unknown {
  const { metadata, ...rest } = Object(object);
  const { finalizers, ...others } = metadata;
  return { ...rest, metadata: { ...others, ...(finalizers && { finalizers: finalizers.toSorted() }) } };
}

describe('the difference of two objects', () => {
  it('makes the second of the first, in the order of the second', () => {
    fc.assert(
      fc.property(pod, pod, (original, modified) => {
        const patch = createTwoWayPatch(schemas, POD, original, modified);
        const result = applyStrategicPatch(schemas, POD, original, patch);
        expect(withSortedFinalizers(result)).toEqual(withSortedFinalizers(modified));
      }),
      { numRuns: 400 },
    );
  });

  it('changes nothing when it is applied again', () => {
    fc.assert(
      fc.property(pod, pod, (original, modified) => {
        const patch = createTwoWayPatch(schemas, POD, original, modified);
        expect(applyStrategicPatch(schemas, POD, modified, patch)).toEqual(modified);
      }),
      { numRuns: 200 },
    );
  });

  it('of three objects makes what is wanted, and keeps what others have added', () => {
    fc.assert(
      fc.property(pod, pod, labels, (original, modified, theirs) => {
        const others = Object.fromEntries(Object.entries(theirs).map(([name, value]) => [`other/${name}`, value]));
        const current = {
          ...original,
          metadata: { ...original.metadata, labels: { ...original.metadata.labels, ...others } },
        };
        const patch = createThreeWayPatch(schemas, POD, { original, modified, current });
        const result = applyStrategicPatch(schemas, POD, current, patch);
        const wanted = { ...modified.metadata.labels, ...others };
        const { labels: got = {}, ...metadata } = Object(result['metadata']);
        const { labels: _labels, ...rest } = modified.metadata;
        expect(withSortedFinalizers({ ...result, metadata })).toEqual(
          withSortedFinalizers({ ...modified, metadata: rest }),
        );
        // A map that `modified` does not have is deleted with what others have put into it.
        if (modified.metadata.labels !== undefined || original.metadata.labels === undefined)
          expect(got).toEqual(wanted);
      }),
      { numRuns: 200 },
    );
  });

  it('is empty when nothing has changed, but for the order of lists of scalars', () => {
    fc.assert(
      fc.property(pod, (object) => {
        const { finalizers: _unsorted, ...metadata } = object.metadata;
        expect(
          createTwoWayPatch(schemas, POD, { ...object, metadata }, structuredClone({ ...object, metadata })),
        ).toEqual({});
      }),
    );
  });
});
