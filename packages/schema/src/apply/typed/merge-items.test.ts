import { describe, expect, it } from 'vitest';
import type { ApplyList } from '../apply-type.ts';
import { mergeItems } from './merge-items.ts';

const set: ApplyList = { isAtomic: false, keys: [], item: { scalar: 'string', list: undefined, map: undefined } };

/** Letters are items. */
function merged(live: string, config: string): string {
  return mergeItems(live.split(''), config.split(''), set, (stored, applied) => applied ?? stored).join('');
}

describe('the order of merged items', () => {
  it.each([
    ['', 'ab', 'ab'],
    ['ab', '', 'ab'],
    ['ab', 'ba', 'ba'],
    ['axb', 'ab', 'axb'],
    ['xab', 'ba', 'xba'],
    ['axb', 'nab', 'naxb'],
    // Several new items stand before the first that both have: the stored one behind that stays behind it.
    ['axb', 'nmab', 'nmaxb'],
    ['axb', 'nmoab', 'nmoaxb'],
    ['axbyc', 'nmaobpc', 'nmaxobypc'],
  ])('%s with %s applied is %s', (live, config, expected) => {
    expect(merged(live, config)).toBe(expected);
  });

  it('of any two lists: the applied order, and no item twice or lost', () => {
    const lists = permutations(['a', 'b', 'c', 'd']);
    for (const live of lists) {
      for (const config of lists) {
        const all = merged(live, config);
        expect(all.split('').toSorted()).toEqual([...new Set((live + config).split(''))].toSorted());
        expect(
          all
            .split('')
            .filter((item) => config.includes(item))
            .join(''),
        ).toBe(config);
      }
    }
  });
});

/** Of all subsets. */
function permutations(items: readonly string[]): readonly string[] {
  return [
    '',
    ...items.flatMap((first) => permutations(items.filter((item) => item !== first)).map((rest) => first + rest)),
  ];
}
