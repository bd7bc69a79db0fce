import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FieldSelector, type FieldTerm, parseFieldSelector } from './field-selector.ts';
import { SelectorError } from './selector-error.ts';

const fields = fc.constantFrom('metadata.name', 'metadata.namespace', 'spec.nodeName', 'toString');
const values = fc.string({ unit: fc.constantFrom('a', 'b', '\\', ',', '=', '!', ' ', '😀', '\n'), maxLength: 4 });
const term: fc.Arbitrary<FieldTerm> = fc.record({ field: fields, operator: fc.constantFrom('=', '!='), value: values });
const terms = fc.array(term, { maxLength: 4 });
const object = fc.dictionary(fields, values, { noNullPrototype: true });

test('parsing a printed selector gives the selector back', () => {
  fc.assert(
    fc.property(terms, (list) => {
      const selector = new FieldSelector(list);
      const again = parseFieldSelector(selector.text);
      expect(again.terms).toEqual(selector.terms);
      expect(again.text).toBe(selector.text);
    }),
  );
});

test('matching compares each field, an absent one as empty', () => {
  fc.assert(
    fc.property(terms, object, (list, actual) => {
      const holds = list.every(({ field, operator, value }) => {
        const found = Object.hasOwn(actual, field) ? actual[field] : '';
        return operator === '=' ? found === value : found !== value;
      });
      expect(new FieldSelector(list).matches(actual)).toBe(holds);
    }),
  );
});

function attempt(text: string): FieldSelector | SelectorError {
  try {
    return parseFieldSelector(text);
  } catch (error) {
    if (error instanceof SelectorError) return error;
    throw error;
  }
}

test('any text either parses or is refused with a place inside it', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '\\', ',', '=', '!', ' '), maxLength: 12 }), (text) => {
      const result = attempt(text);
      if (result instanceof SelectorError) {
        expect(text.slice(result.position, result.position + result.found.length)).toBe(result.found);
      } else {
        expect(parseFieldSelector(result.text).text).toBe(result.text);
      }
    }),
  );
});
