import { parseQuery } from '@listwatch/api';
import { expect, it } from 'vitest';
import { wantsPretty } from './wants-pretty.ts';

it.each([
  ['', undefined, false],
  ['', 'kubectl/v1.36', false],
  ['', 'curl/8.5', true],
  ['', 'Wget/1.21', true],
  ['', 'Mozilla/5.0 (X11)', true],
  ['', 'Mozilla/4.0', false],
  ['pretty=true', undefined, true],
  ['pretty=1', undefined, true],
  ['pretty=false', 'curl/8.5', false],
  ['pretty=bogus', 'curl/8.5', false],
  ['pretty=', 'curl/8.5', true],
])('?%s from %s: %s', (query, userAgent, pretty) => {
  expect(wantsPretty(parseQuery(query), userAgent)).toBe(pretty);
});
