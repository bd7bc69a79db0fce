import { expect, it } from 'vitest';
import { acceptedTypes, parseAccept } from './accept-clause.ts';

const names = (header: string) => parseAccept(header).map(({ type, subtype }) => `${type}/${subtype}`);

it('puts the better quality first, and the specific before the general', () => {
  expect(names('a/b;q=0.2, c/d;q=0.9, e/f')).toEqual(['e/f', 'c/d', 'a/b']);
  expect(names('*/*, a/*, a/b')).toEqual(['a/b', 'a/*', '*/*']);
  expect(names('a/b, c/d')).toEqual(['a/b', 'c/d']);
});

it('drops clauses that are no media range and takes a lone star for everything', () => {
  expect(names('nonsense, a/b/c, *, a/b')).toEqual(['a/b', '*/*']);
});

it('keeps parameters, with white space around them ignored', () => {
  expect(
    Object.fromEntries(parseAccept('a/b ; as = Table ; v=v1 ; flag').flatMap(({ parameters }) => [...parameters])),
  ).toEqual({
    as: 'Table',
    v: 'v1',
  });
});

it('takes a quality that is no number for none', () => {
  expect(parseAccept('a/b;q=x')[0]?.quality).toBe(0);
});

it('lists the types as they are written', () => {
  expect(acceptedTypes('a/b;q=1 , c/d')).toEqual(['a/b', 'c/d']);
});
