import { expect, it } from 'vitest';
import { backoffMs, resolveBackoff } from './backoff.ts';

const config = resolveBackoff({});

it('a pause is as long as the server asks for, but not for ever', () => {
  expect(backoffMs(config, 1, 0, 60_000)).toBe(60_000);
  expect(backoffMs(config, 1, 0, 600_000)).toBe(600_000);
  for (const asked of [600_001, 1e300, Number.POSITIVE_INFINITY]) expect(backoffMs(config, 1, 0, asked)).toBe(600_000);
  expect(backoffMs(config, 1, 0, -1)).toBe(800);
});
