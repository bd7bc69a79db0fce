import { describe, expect, it } from 'vitest';
import { ServerWarnings } from './server-warnings.ts';

function shown(texts: readonly string[]): readonly string[] {
  const lines: string[] = [];
  const warnings = new ServerWarnings();
  warnings.showOn((line) => lines.push(line));
  for (const text of texts) warnings.hear({ text });
  return lines;
}

describe('the warnings of a server', () => {
  it('are shown once each, with control characters escaped', () => {
    expect(shown(['v1 is old', 'v1 is old', 'a\u001b[2J'])).toEqual([
      'Warning: v1 is old',
      String.raw`Warning: a\u001b[2J`,
    ]);
  });

  it('are not all remembered: one that comes again after a hundred others is shown again', () => {
    const others = Array.from({ length: 100 }, (_, i) => `number ${i}`);
    expect(shown(['first', ...others, 'first']).filter((line) => line.endsWith('first'))).toHaveLength(2);
    expect(shown(['first', ...others.slice(1), 'first']).filter((line) => line.endsWith('first'))).toHaveLength(1);
  });
});
