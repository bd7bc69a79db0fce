import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LabelOperator, labelRequirement } from './label-requirement.ts';
import { LabelSelector, parseLabelSelector } from './label-selector.ts';
import { SelectorError } from './selector-error.ts';

const keys = fc.constantFrom('a', 'b', 'c', 'in', 'notin', 'example.com/x', 'constructor');
const words = fc.constantFrom('', '1', '2', '10', 'x', 'in', 'Y_z', '9007199254740993');
const integers = fc.constantFrom('1', '2', '10', '9007199254740992');

const condition = fc.oneof(
  fc.record({
    key: keys,
    operator: fc.constantFrom<LabelOperator>('=', '==', '!='),
    values: words.map((word) => [word]),
  }),
  fc.record({
    key: keys,
    operator: fc.constantFrom<LabelOperator>('in', 'notin'),
    values: fc.array(words, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ key: keys, operator: fc.constantFrom<LabelOperator>('exists', '!'), values: fc.constant<string[]>([]) }),
  fc.record({
    key: keys,
    operator: fc.constantFrom<LabelOperator>('gt', 'lt'),
    values: integers.map((word) => [word]),
  }),
);
const conditions = fc.array(condition, { maxLength: 5 });
const labels = fc.dictionary(keys, words, { noNullPrototype: true });

type Condition = typeof condition extends fc.Arbitrary<infer T> ? T : never;

const build = (list: readonly Condition[]): LabelSelector =>
  new LabelSelector(list.map(({ key, operator, values }) => labelRequirement(key, operator, values)));

type Meaning = (value: string | undefined, values: readonly string[]) => boolean;

const isIn: Meaning = (value, values) => value !== undefined && values.includes(value);
const integer = (text: string | undefined): bigint | undefined =>
  text !== undefined && /^\d+$/.test(text) ? BigInt(text) : undefined;

/** The meaning of each operator, said as plainly as possible. */
const MEANING: Readonly<Record<LabelOperator, Meaning>> = {
  '=': isIn,
  '==': isIn,
  in: isIn,
  '!=': (value, values) => !isIn(value, values),
  notin: (value, values) => !isIn(value, values),
  exists: (value) => value !== undefined,
  '!': (value) => value === undefined,
  gt: (value, [bound]) => (integer(value) ?? -1n) > (integer(bound) ?? 0n),
  lt: (value, [bound]) => (integer(value) ?? 2n ** 64n) < (integer(bound) ?? 0n),
};

const model = ({ key, operator, values }: Condition, object: Readonly<Record<string, string>>): boolean =>
  MEANING[operator](Object.hasOwn(object, key) ? object[key] : undefined, values);

const plain = (selector: LabelSelector): unknown =>
  selector.requirements.map(({ key, operator, values }) => ({ key, operator, values }));

test('matching means what the operators mean', () => {
  fc.assert(
    fc.property(conditions, labels, (list, object) => {
      expect(build(list).matches(object)).toBe(list.every((one) => model(one, object)));
    }),
  );
});

test('parsing a printed selector gives the selector back', () => {
  fc.assert(
    fc.property(conditions, (list) => {
      const selector = build(list);
      const again = parseLabelSelector(selector.text);
      expect(plain(again)).toEqual(plain(selector));
      expect(again.text).toBe(selector.text);
    }),
  );
});

test('every object that matches has every exact term', () => {
  fc.assert(
    fc.property(conditions, labels, (list, object) => {
      const selector = build(list);
      fc.pre(selector.matches(object));
      for (const { key, value } of selector.exactTerms) expect(object[key]).toBe(value);
    }),
  );
});

function attempt(text: string): LabelSelector | SelectorError {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    if (error instanceof SelectorError) return error;
    throw error;
  }
}

test('any text either parses or is refused with a place inside it', () => {
  const fragment = fc.constantFrom(
    'a',
    'in',
    'notin',
    '=',
    '==',
    '!',
    '!=',
    '(',
    ')',
    ',',
    '<',
    '>',
    ' ',
    '5',
    '-',
    '\0',
    'é',
  );
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 12 }), (fragments) => {
      const text = fragments.join('');
      const result = attempt(text);
      if (result instanceof SelectorError) {
        expect(text.slice(result.position, result.position + result.found.length)).toBe(result.found);
      } else {
        expect(parseLabelSelector(result.text).text).toBe(result.text);
      }
    }),
  );
});
