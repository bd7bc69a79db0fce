import { expect, it } from 'vitest';
import { restartDelayMs } from './restart-delay.ts';

it('a reader that ends again and again is started ever later, up to ten seconds', () => {
  expect([0, 1, 2, 3].map(restartDelayMs)).toEqual([100, 200, 400, 800]);
  expect([7, 50, 2000].map(restartDelayMs)).toEqual([10_000, 10_000, 10_000]);
});
