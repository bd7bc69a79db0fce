import { describe, expect, it } from 'vitest';
import { plantedFaults } from './planted-faults.mjs';

/** The source after each fault, on one line. */
function planted(source: string): readonly string[] {
  return plantedFaults(source).faults.map(({ start, end, replacement }) =>
    (source.slice(0, start) + replacement + source.slice(end)).replaceAll(/\s+/gu, ' '),
  );
}

describe('planted faults', () => {
  it('turn conditions round, shift their bounds, and leave out what they guard', () => {
    expect(planted('if (a < b) { c(); d(); }')).toEqual([
      'if (true) { c(); d(); }',
      'if (false) { c(); d(); }',
      'if (((a) <= (b))) { c(); d(); }',
      'if (((a) >= (b))) { c(); d(); }',
      'if (a < b) {}',
      'if (a < b) { ; d(); }',
      'if (a < b) { c(); ; }',
    ]);
  });

  it('keep the meaning of the expression around them', () => {
    expect(planted('x = a ?? b ?? c')).toEqual(['x = ((a ?? b) && (c))', 'x = ((a) && (b)) ?? c']);
    expect(planted('x = !a')).toEqual(['x = (a)']);
  });

  it.each([
    ['f(true, false)', ['f(false, false)', 'f(true, true)']],
    ['n++', ['n--']],
    ['x = performance.now() >= end', ['x = ((performance.now()) < (end))']],
    ['x = now() >= end', ['x = ((now()) > (end))', 'x = ((now()) < (end))']],
    ['while (true) x = y', ['while (false) x = y']],
    ['x = [1]', ['x = []']],
    ['x = a.filter(b)', ['x = a']],
    ['x = a.some(b)', ['x = a.every(b)']],
    ['x = () => y', ['x = () => undefined']],
    ['x = a - b', ['x = ((a) + (b))']],
  ])('%s', (source, expected) => {
    expect(planted(source).filter((text) => text !== ';')).toEqual(expected);
  });

  it.each([
    ["throw new Error(a ? 'b' : 'c')", 'the text of an error'],
    ["x = 'a' + b", 'joined text'],
    ['type A = [true]', 'a type'],
    ["import a from 'b'", 'an import'],
    ['[a, b] = c', 'a pattern'],
    ['timer.unref()', 'how long a process lives'],
    ['x = a.toString()', 'methods that every object has'],
  ])('are not made of %s: %s', (source) => {
    expect(planted(source)).toEqual([]);
  });

  it('know the function that they are in, by a name that stays when lines move', () => {
    const source = 'class A { get b() { return !c; } }\nconst d = () => { e(() => { f = !g; }); };\nh = !i;';
    const { faults, places } = plantedFaults(source);
    const negations = faults.filter(({ what }) => what.startsWith('without !'));
    expect(negations.map(({ place, line }) => [place, line])).toEqual([
      ['A.b', 1],
      ['d~1', 2],
      ['', 3],
    ]);
    expect(places.map(({ place, offset }) => [place, source[offset - 1]])).toEqual([
      ['A.b', '{'],
      ['d', '{'],
      ['d~1', '{'],
    ]);
  });
});
