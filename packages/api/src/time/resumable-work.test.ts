import { describe, expect, it } from 'vitest';
import { foldItems, type IsDue, mapItems, resumableSteps } from './resumable-work.ts';

/** A pause behind every `items` of a step. */
function every(items: number): () => IsDue {
  return () => {
    let done = 0;
    return () => {
      done += 1;
      return done >= items;
    };
  };
}

/** The result of the work, how often it paused, and which items were visited. */
function counted<T>(work: (visit: (item: unknown) => void) => T, items: number): readonly [T, number, unknown[]] {
  const visited: unknown[] = [];
  const steps = resumableSteps(() => work((item) => visited.push(item)), every(items));
  for (let pauses = 0; ; pauses += 1) {
    const { done, value } = steps.next();
    if (done === true) return [value, pauses, visited];
  }
}

const TEN = Array.from({ length: 10 }, (_, index) => index);

/** The place of the first item that was there before. */
function firstTwice(): readonly number[] {
  const seen = new Set<number>();
  return foldItems(
    [1, 2, 1, 3, 1],
    (): number[] => [],
    (twice, item, index) => {
      if (seen.has(item)) twice.push(index);
      seen.add(item);
      return twice.length < 1;
    },
  );
}

/** Parts that throw, and others behind them. */
function withCaught(): readonly unknown[] {
  const caught = mapItems([1, 2], (item) => {
    try {
      mapItems([item], () => {
        throw new RangeError('no');
      });
    } catch (error) {
      if (error instanceof RangeError) return mapItems([item, item], String);
      throw error;
    }
    return [];
  });
  return [caught, mapItems([3], String)];
}

describe('resumable work', () => {
  it('visits each item once, in order, however often it pauses', () => {
    const work = (visit: (item: unknown) => void): readonly number[] =>
      mapItems(TEN, (item) => {
        visit(item);
        return item * 2;
      });
    const doubled = TEN.map((item) => item * 2);
    expect(counted(work, 1)).toEqual([doubled, 10, TEN]);
    expect(counted(work, 4)).toEqual([doubled, 2, TEN]);
    expect(counted(work, 100)).toEqual([doubled, 0, TEN]);
  });

  it('goes on within an item whose parts are a list, and visits no part twice', () => {
    const [result, , visited] = counted(
      (visit) =>
        mapItems(['a', 'b'], (letter) => {
          const parts = mapItems([1, 2, 3], (number) => {
            visit(`${letter}${number}`);
            return number;
          });
          return `${letter}${mapItems(parts, (part) => part * 10).join('')}`;
        }),
      1,
    );
    expect([result, visited]).toEqual([
      ['a102030', 'b102030'],
      ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'],
    ]);
  });

  it('keeps what a fold knows of the items before, and ends it where the work says so', () => {
    expect([counted(firstTwice, 1)[0], firstTwice()]).toEqual([[2], [2]]);
  });

  it('is what it is at once when nothing asks for steps, and inside of work that is done at once', () => {
    const outer = resumableSteps(() => {
      const inner = resumableSteps(() => mapItems([1, 2], String), every(1));
      expect(inner.next().done).toBe(false);
      return mapItems([3], String);
    }, every(9));
    expect(outer.next()).toEqual({ done: true, value: ['3'] });
    expect(mapItems([1, 2], String)).toEqual(['1', '2']);
  });

  it('throws what the work throws, and leaves nothing behind', () => {
    const steps = resumableSteps(() => {
      throw new RangeError('no');
    }, every(1));
    expect(() => steps.next()).toThrow(new RangeError('no'));
    expect(mapItems(TEN, (item) => item)).toEqual(TEN);
  });

  it('whose parts throw to the work itself goes on behind them', () => {
    expect(counted(withCaught, 1)[0]).toEqual(withCaught());
  });
});
