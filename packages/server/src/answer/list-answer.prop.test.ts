import { backgroundClock } from '@listwatch/api';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cacheObject } from '../cache/cached-object.ts';
import { ResourceCache } from '../cache/resource-cache.ts';
import { configMap, lease } from '../kinds/built-in-definitions.fixture.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { answerList } from './list-answer.ts';

const FORM = { mediaType: 'application/json', as: 'object', metaVersion: 'v1', pretty: false } as const;

/** Some smaller than what a list leaves out of them, some larger than a chunk, most in between. */
const size = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 3000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 30_000, max: 34_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 65_000, max: 140_000 }) },
);

it('a list in any pieces is the JSON of its items without kind and apiVersion, as long as its head says', () => {
  let streamed = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(configMap, lease),
      fc.array(size, { maxLength: 60, size: 'max' }),
      fc.integer({ min: 0, max: 70_000 }),
      (definition, sizes, nextLength) => {
        const cache = new ResourceCache({ definition, clock: backgroundClock });
        const { root } = cache;
        const layout = layoutOf(definition);
        const extras = sizes.map((length) => (length === 0 ? {} : { data: { text: 'x'.repeat(length) } }));
        const objects = extras.map((extra, i) => {
          const value = layout.encode({ ...layout.type, metadata: {}, ...extra });
          return cacheObject(definition, layout, root, { key: `${root}x/${i}`, value, modRevision: BigInt(i + 1) });
        });
        // A token of any length: the head may fill a chunk by itself.
        const next = nextLength < 60_000 ? undefined : 'n'.repeat(nextLength);
        const response = answerList(cache, { objects, revision: 9n, next, remaining: undefined }, FORM, 'None');
        const chunks = response.type === 'bytes' ? [response.body] : response.chunks;
        if (Symbol.asyncIterator in chunks) throw new Error('a list is made without waiting');
        const text = Array.from(chunks, (chunk) => chunk.toString()).join('');
        const items = extras.map((extra, i) => ({ metadata: { resourceVersion: String(i + 1) }, ...extra }));
        expect(text.slice(text.indexOf('"items":'))).toBe(`"items":${JSON.stringify(items)}}\n`);
        if (response.type === 'bytes') return;
        streamed += 1;
        expect(response.headers['content-length']).toBe(String(Buffer.byteLength(text)));
      },
    ),
    { numRuns: 60 },
  );
  expect(streamed).toBeGreaterThan(10);
});
