import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, withoutSame } from './line-diff.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });

/** The length of the longest common subsequence: what a shortest difference keeps. */
function common(before: readonly string[], after: readonly string[]): number {
  const best = Array.from({ length: before.length + 1 }, () => Array.from({ length: after.length + 1 }, () => 0));
  for (const [i, left] of before.entries()) {
    for (const [j, right] of after.entries()) {
      const row = best[i + 1] ?? [];
      row[j + 1] = left === right ? (best[i]?.[j] ?? 0) + 1 : Math.max(best[i]?.[j + 1] ?? 0, row[j] ?? 0);
    }
  }
  return best[before.length]?.[after.length] ?? 0;
}

describe('the difference of two texts', () => {
  it('is the shortest that leads from one to the other', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = diffLines(before, after);
        expect(diff.filter(({ type }) => type !== 'added').map(({ text }) => text)).toEqual(before);
        expect(diff.filter(({ type }) => type !== 'removed').map(({ text }) => text)).toEqual(after);
        expect(diff.filter(({ type }) => type === 'same')).toHaveLength(common(before, after));
      }),
      { numRuns: 1000 },
    );
  });

  it('of two large texts without a common line is a replacement, not minutes of work', () => {
    const before = Array.from({ length: 20_000 }, (_, index) => `a${index}`);
    const after = Array.from({ length: 20_000 }, (_, index) => `b${index}`);
    expect(diffLines(before, after)).toHaveLength(40_000);
  });

  it('shows three lines around a change and counts the others', () => {
    const before = Array.from({ length: 20 }, (_, index) => String(index));
    const parts = withoutSame(diffLines(before, before.with(10, 'x')));
    expect(parts.map((part) => (part.type === 'gap' ? `gap ${part.lines}` : `${part.type} ${part.text}`))).toEqual([
      'gap 7',
      'same 7',
      'same 8',
      'same 9',
      'removed 10',
      'added x',
      'same 11',
      'same 12',
      'same 13',
      'gap 6',
    ]);
  });
});
