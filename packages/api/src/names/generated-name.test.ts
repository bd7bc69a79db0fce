import { describe, expect, it } from 'vitest';
import { generatedName } from './generated-name.ts';

describe('a generated name', () => {
  it('is the base and five letters or digits that make no word', () => {
    const names = Array.from({ length: 200 }, () => generatedName('web-'));
    for (const name of names) expect(name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(new Set(names).size).toBeGreaterThan(190);
  });

  it('fits into 63 characters', () => {
    expect(generatedName('b'.repeat(100))).toHaveLength(63);
    expect(generatedName('b'.repeat(58))).toHaveLength(63);
  });
});
