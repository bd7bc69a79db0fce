import { expect, it } from 'vitest';
import { informerAdvice } from './informer-advice.ts';
import type { MeasuredList } from './list-cost.ts';

const MIB = 1024 * 1024;

function list(facts: Partial<MeasuredList> & { readonly plural?: string }): MeasuredList {
  const { plural = 'pods', ...rest } = facts;
  return {
    type: 'measured',
    served: {
      group: '',
      version: 'v1',
      plural,
      kind: 'Pod',
      namespaced: true,
      singular: '',
      shortNames: [],
      categories: [],
      verbs: ['list', 'watch'],
      subresources: [],
      isPreferred: true,
    },
    name: plural,
    namespace: undefined,
    items: 500,
    bytes: MIB,
    totalItems: 500,
    totalBytes: MIB,
    isAtLeast: false,
    largestBytes: 10_000,
    managedFieldsShare: 0,
    metadataShare: undefined,
    ms: 1,
    ...rest,
  };
}

it.each([
  ['a small list', list({ managedFieldsShare: 0.9, metadataShare: 0.1 }), true, []],
  ['a small list without watch-list', list({}), false, [/^initialStrategy: 'listWatch'/u]],
  [
    'much besides metadata',
    list({ totalBytes: 5 * MIB, metadataShare: 0.2 }),
    true,
    [/^projection: 'metadata' \(80 %/u],
  ],
  ['nothing but metadata', list({ totalBytes: 5 * MIB, metadataShare: 0.9 }), true, []],
  ['managed fields', list({ totalBytes: 5 * MIB, managedFieldsShare: 0.3 }), true, [/^transform .*30 %/u]],
  ['secrets', list({ totalBytes: 5 * MIB, plural: 'secrets' }), true, [/^fieldSelector: 'type!=helm.sh\/release.v1'/u]],
  ['a large list', list({ totalBytes: 100 * MIB }), true, [/^labelSelector or namespaces/u, /^compact: true/u]],
  [
    'a huge list without watch-list',
    list({ totalBytes: 300 * MIB, totalItems: 60_000 }),
    false,
    [/^initialStrategy/u, /^labelSelector/u, /^compact/u, /^checkpoint/u, /^listSemantic: 'any'/u],
  ],
])('advice for %s', (_name, measured, watchList, expected) => {
  const advice = informerAdvice(measured, { watchList });
  expect(advice).toHaveLength(expected.length);
  for (const [index, pattern] of expected.entries()) expect(advice[index]).toMatch(pattern);
});
