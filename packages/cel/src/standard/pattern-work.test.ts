import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { PATTERN_WORK_MAX, patternWork } from './pattern-work.ts';

describe('the work of a pattern', () => {
  it.each([
    ['many ranges in either case', `(?i)[${String.raw`\x{80}-\x{10ffff}`.repeat(480)}]`],
    ['many repeats', 'x{999}'.repeat(1360)],
    ['a repeat of a repeat', '((a{30}b){30}){1,9}'.repeat(2)],
    ['Unicode classes', String.raw`\pL|\pN|`.repeat(900)],
    ['Unicode classes in a class', String.raw`[\pL\pN]`.repeat(800)],
    ['a repeat of a long group', `(${'ab'.repeat(300)}){40}`],
  ])('of %s is more than is compiled', (_, pattern) => {
    expect(patternWork(pattern)).toBeGreaterThan(PATTERN_WORK_MAX);
  });

  it.each([
    // The costliest of Cilium, Kyverno, Istio, the Gateway API and the Prometheus operator.
    [
      1500,
      String.raw`^\s*((([0-9A-Fa-f]{1,4}:){7}(:|([0-9A-Fa-f]{1,4})))|(([0-9A-Fa-f]{1,4}:){6}:([0-9A-Fa-f]{1,4})?)|(([0-9A-Fa-f]{1,4}:){5}(((:[0-9A-Fa-f]{1,4}){0,1}):([0-9A-Fa-f]{1,4})?)))(%.+)?/([0-9]|[1-9][0-9]|1[0-1][0-9]|12[0-8])$`,
    ],
    [400, '^([0-9]|[1-9][0-9]{1,8}|[1-3][0-9]{9}|4[01][0-9]{8}|42[0-8][0-9]{7}):[0-9]{1,5}$'],
    [200, '(^$|^[a-f0-9]{64}$)'],
    [200, String.raw`^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`],
    [200, String.raw`^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$`],
    [500, '^((?i)january|february|march|april|may|june|july|august|september|october|november|december|1[0-2]|[1-9])$'],
  ])('of patterns of well-known kinds is below %d', (max, pattern) => {
    expect(patternWork(pattern)).toBeLessThan(max);
  });

  it('counts no repeat between \\Q and \\E, nor in a class', () => {
    expect(patternWork(String.raw`\Qa{999}\E`)).toBeLessThan(30);
    expect(patternWork('[a{999}]{2}')).toBeLessThan(30);
    expect(patternWork('a{,999}{x}')).toBeLessThan(30);
  });

  it('is never less than the instructions of the pattern', () => {
    const parts = [
      'a',
      '.',
      '\\d',
      '\\.',
      '[a-z]',
      '[^]a]',
      '[[:alpha:]_-]',
      '\\pL',
      '^',
      '$',
      '\\b',
      '\\x41',
      '\\x{1F600}',
    ];
    const repeats = ['', '', '*', '+?', '?', '{3}', '{2,}', '{0,4}', '{1,7}?'];
    let seed = 7;
    const one = <T>(list: readonly T[]): T | undefined => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return list[seed % list.length];
    };
    const made = (depth: number): string => {
      const groups = depth === 0 ? [] : [`(${made(depth - 1)})`, `(?:${made(depth - 1)}|${made(depth - 1)})`, '(?i:k)'];
      return Array.from({ length: 4 }, () => `${one([...parts, ...groups])}${one(repeats)}`).join(one(['', '|']));
    };
    let compiled = 0;
    for (let round = 0; round < 1500; round += 1) {
      const pattern = made(round % 3);
      if (patternWork(pattern) > PATTERN_WORK_MAX) continue;
      const size = sizeOf(pattern);
      if (size === undefined) continue;
      compiled += 1;
      expect([pattern, patternWork(pattern) >= size]).toEqual([pattern, true]);
    }
    expect(compiled).toBeGreaterThan(300);
  });
});

function sizeOf(pattern: string): number | undefined {
  try {
    return RE2JS.compile(pattern).programSize();
  } catch {
    return undefined;
  }
}
