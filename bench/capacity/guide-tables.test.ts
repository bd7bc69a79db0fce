import { expect, it } from 'vitest';
import { guideTexts } from './guide-tables.ts';

it('the guide shows the unit costs that the model uses (npm run bench:capacity -- tables)', () => {
  const { now, wanted } = guideTexts();
  expect(now).toBe(wanted);
});
