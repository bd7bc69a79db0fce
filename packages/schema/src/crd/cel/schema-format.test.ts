import { expect, it } from 'vitest';
import { parsedDuration } from './schema-format.ts';

it.each([
  ['1h30m', 5_400_000_000_000n],
  ['3 days', 259_200_000_000_000n],
  ['12days 5 min', 1_037_100_000_000_000n],
])('the duration %s is read', (text, nanoseconds) => {
  expect(parsedDuration(text)).toMatchObject({ nanoseconds });
});

it.each([
  ['digits', '1'],
  ['numbers', '1 '],
])('300 KB of %s without a unit are no duration, which is seen in one go', (_, piece) => {
  // Each digit was a start of its own: this took minutes.
  expect(parsedDuration(piece.repeat(300_000 / piece.length))).toBeNull();
});
