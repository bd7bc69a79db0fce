import { describe, expect, it } from 'vitest';
import { reviewSelectors, selectorProblems } from './review-selectors.ts';

const term = (key: string, operator: string, ...values: readonly string[]) => ({ key, operator, values });
const requirements = (...all: readonly object[]) => ({ requirements: all });

/** What is understood of each selector, and what is said of the rest. */
const rows: readonly (readonly [
  string,
  object | undefined,
  object | undefined,
  unknown,
  unknown,
  readonly string[],
])[] = [
  ['nothing', undefined, undefined, undefined, undefined, []],
  ['empty ones', {}, {}, undefined, undefined, []],
  [
    'texts',
    { rawSelector: 'a=b,c!=d' },
    { rawSelector: 'e in (f,g),!h' },
    [term('a', 'In', 'b'), term('c', 'NotIn', 'd')],
    [term('e', 'In', 'f', 'g'), term('h', 'DoesNotExist')],
    [],
  ],
  [
    'texts that are no selectors',
    { rawSelector: 'a' },
    { rawSelector: '((' },
    undefined,
    undefined,
    ['fieldSelector ignored', 'labelSelector ignored'],
  ],
  [
    'requirements',
    requirements(term('a', 'In', 'b'), term('c', 'NotIn', 'd')),
    requirements(term('e', 'In', 'f', 'g'), term('h', 'NotIn', 'i'), term('j', 'Exists'), term('k', 'DoesNotExist')),
    [term('a', 'In', 'b'), term('c', 'NotIn', 'd')],
    [term('e', 'In', 'f', 'g'), term('h', 'NotIn', 'i'), term('j', 'Exists'), term('k', 'DoesNotExist')],
    [],
  ],
  [
    'requirements of which some are unknown',
    requirements(term('a', 'In', 'b'), term('c', 'Exists'), term('d', 'In', 'e', 'f'), term('g', 'NotIn')),
    requirements(term('h', 'Gt', '1'), term('i', 'Exists')),
    [term('a', 'In', 'b')],
    [term('i', 'Exists')],
    ['fieldSelector partially ignored', 'labelSelector partially ignored'],
  ],
  [
    'requirements of which none is known',
    requirements(term('a', 'Near', 'b')),
    requirements(term('c', 'Near', 'd')),
    undefined,
    undefined,
    ['fieldSelector ignored', 'labelSelector ignored'],
  ],
];

describe('the selectors of a review', () => {
  it.each(rows)('with %s', (_, fieldSelector, labelSelector, fields, labels, problems) => {
    const resource = { fieldSelector, labelSelector };
    expect(reviewSelectors(resource)).toEqual({
      ...(fields === undefined ? {} : { fieldSelector: fields }),
      ...(labels === undefined ? {} : { labelSelector: labels }),
    });
    expect(selectorProblems({ resourceAttributes: resource })).toEqual(
      problems.map((problem) => `spec.resourceAttributes.${problem} due to parse error`),
    );
  });

  it('with a text that cannot be read says how much of the requirements beside it would have been used', () => {
    const fieldSelector = { rawSelector: 'a', ...requirements(term('a', 'In', 'b')) };
    expect(selectorProblems({ resourceAttributes: { fieldSelector } })).toEqual([
      'spec.resourceAttributes.fieldSelector partially ignored due to parse error',
    ]);
  });

  it('are none in a review of a path', () => {
    expect(selectorProblems({ nonResourceAttributes: { path: '/' } })).toEqual([]);
  });
});
