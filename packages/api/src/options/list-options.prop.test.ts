import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FieldSelector } from '../selectors/field-selector.ts';
import { parseLabelSelector } from '../selectors/label-selector.ts';
import { type ParsedListOptions, parseListOptions, printListOptions } from './list-options.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const integer = fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });

const options: fc.Arbitrary<ParsedListOptions> = fc.record({
  labelSelector: fc.constantFrom('', 'a=1', 'b in (x,y),!c', 'n>5').map(parseLabelSelector),
  fieldSelector: fc
    .array(fc.record({ field: fc.constantFrom('a', 'b.c'), operator: fc.constantFrom('=', '!='), value: text }), {
      maxLength: 3,
    })
    .map((terms) => new FieldSelector(terms)),
  watch: fc.boolean(),
  allowWatchBookmarks: fc.boolean(),
  sendInitialEvents: fc.option(fc.boolean(), { nil: undefined }),
  resourceVersion: text,
  resourceVersionMatch: text,
  limit: integer,
  continue: text,
  timeoutSeconds: fc.option(integer, { nil: undefined }),
  listwatchProgress: fc.boolean(),
});

const plain = (parsed: ParsedListOptions): unknown => ({
  ...parsed,
  labelSelector: parsed.labelSelector.text,
  fieldSelector: parsed.fieldSelector.text,
});

test('reading printed options gives the options back', () => {
  fc.assert(
    fc.property(options, (given) => {
      expect(plain(parseListOptions(printListOptions(given)))).toEqual(plain(given));
    }),
  );
});
