import { expect, it } from 'vitest';
import { headerText } from '../wire/header-text.ts';
import { parseTarget } from './request-target.ts';

it.each([
  ['/api', { path: '/api', query: '' }],
  ['/api?', { path: '/api', query: '' }],
  ['/api?a=b?c', { path: '/api', query: 'a=b?c' }],
  ['https://host:1/api?x', { path: '/api', query: 'x' }],
  ['http://host?x', { path: '/', query: 'x' }],
  ['//double', { path: '//double', query: '' }],
  ['*', undefined],
  ['', undefined],
  ['host:443', undefined],
])('%s', (target, parsed) => {
  expect(parseTarget(target)).toEqual(parsed);
});

it('joins a header that was sent several times', () => {
  expect(headerText(['a', 'b'])).toBe('a, b');
  expect(headerText('a')).toBe('a');
  expect(headerText(undefined)).toBeUndefined();
});
