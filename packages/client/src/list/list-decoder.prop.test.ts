import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ObjectDecoder } from '../cluster.ts';
import { parseJsonBytes, parseJsonRun } from '../json/parse-json.ts';
import { ListDecoder } from './list-decoder.ts';

interface Gathered {
  readonly items: unknown[];
  readonly metadata: unknown;
  readonly kind: string | undefined;
}

const oneByOne: ObjectDecoder<unknown> = { one: parseJsonBytes };
const inRuns: ObjectDecoder<unknown> = { one: parseJsonBytes, run: parseJsonRun };

/** Cuts bytes at the given places; what is decoded must not depend on them. */
function decodeCut(bytes: Uint8Array, cuts: readonly number[], by: ObjectDecoder<unknown> = inRuns): Gathered {
  const decoder = new ListDecoder<unknown>(by, 64 * 1024 * 1024);
  const items: unknown[] = [];
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  for (const [index, from] of places.entries()) {
    // A copy that is wiped afterwards: a transport may use its memory again.
    const chunk = bytes.slice(from, places[index + 1] ?? bytes.length);
    decoder.push(chunk);
    for (let taken = decoder.take(); taken.length > 0; taken = decoder.take()) items.push(...taken);
    chunk.fill(0x7d);
  }
  decoder.end();
  return { items, metadata: decoder.metadata, kind: decoder.kind };
}

const tricky = fc.constantFrom('\\', '"', '{', '}', '[', ']', ',', ':', '\n', 'é', '😀', '\\"', '},{"metadata":', '');
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(tricky, { maxLength: 90 }).map((parts) => parts.join('')),
);
const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' });
/** Looks like the items themselves, to lead guesses astray. */
const templates = fc.array(fc.record({ metadata: fc.record({ name: text }) }), { maxLength: 4 });
const item = fc
  .record(
    { metadata: fc.record({ name: text, labels: fc.dictionary(text, text) }), spec: json, templates },
    { requiredKeys: ['metadata'] },
  )
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

const members = fc
  .record({
    kind: fc.constant('ConfigMapList'),
    apiVersion: fc.constant('v1'),
    metadata: fc.record({ resourceVersion: text, continue: text }),
    items: fc.array(item, { maxLength: 12 }),
    unknown: json,
    more: fc.oneof(fc.integer(), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }), text),
  })
  .chain((list) => fc.shuffledSubarray(Object.entries(list), { minLength: 6 }));

test('any list, its members in any order, in any pieces and with any blanks, is what JSON.parse makes of the whole', () => {
  fc.assert(
    fc.property(
      members,
      fc.constantFrom(undefined, 1, '\t'),
      fc.array(fc.nat(), { maxLength: 40 }),
      fc.constantFrom(oneByOne, inRuns),
      (entries, indent, cuts, decoder) => {
        const list = JSON.stringify(Object.fromEntries(entries), null, indent);
        const whole: Gathered = JSON.parse(list);
        const decoded = decodeCut(new TextEncoder().encode(list), cuts, decoder);
        expect(decoded).toEqual({ items: whole.items, metadata: whole.metadata, kind: 'ConfigMapList' });
      },
    ),
    { numRuns: 500 },
  );
});

test('a list in pieces of one byte is the list', () => {
  fc.assert(
    fc.property(members, (entries) => {
      const list = JSON.stringify(Object.fromEntries(entries));
      const bytes = new TextEncoder().encode(list);
      const { items } = decodeCut(bytes, Array.from(bytes.keys()));
      const whole: Gathered = JSON.parse(list);
      expect(items).toEqual(whole.items);
    }),
    { numRuns: 50 },
  );
});

test('a list that is cut anywhere is never taken for whole', () => {
  fc.assert(
    fc.property(members, fc.nat(), (entries, cut) => {
      const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
      expect(() => decodeCut(bytes.slice(0, cut % bytes.length), [])).toThrow(
        expect.objectContaining({ code: 'CLOSED' }),
      );
    }),
    { numRuns: 500 },
  );
});
