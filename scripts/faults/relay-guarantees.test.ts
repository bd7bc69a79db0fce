import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { BROKEN_GUARANTEES } from './relay-guarantees.ts';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
/** The first column of the table of guarantees in the design note. */
const promised = read('docs/design/0047-relay.md')
  .split('\n## ')
  .filter((section) => section.startsWith('Guarantees'))
  .flatMap((section) => [...section.matchAll(/^\| ([^|]+?) +\|/gmu)].slice(2))
  .map(([, name = '']) => name);

it('each of the sixteen guarantees of the design note is broken at least once', () => {
  expect(promised).toHaveLength(16);
  expect([...new Set(BROKEN_GUARANTEES.map(({ guarantee }) => guarantee))]).toEqual(promised);
});

it.each(BROKEN_GUARANTEES)('$guarantee: the place where $mistake is there, once', ({ file, from, test }) => {
  expect(read(file).split(from)).toHaveLength(2);
  expect(read(test)).toContain('it');
});
