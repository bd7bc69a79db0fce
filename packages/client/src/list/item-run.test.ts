import { describe, expect, test } from 'vitest';
import { ItemRun } from './item-run.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function learned(item = '{"metadata":{"name":"a"}}'): ItemRun {
  const run = new ItemRun();
  run.learn(encode(item), 0);
  return run;
}

const bySeparator = (run: ItemRun, text: string, from = 0): number => run.guess('separator', encode(text), from);
const byEnd = (text: string, from = 0): number => new ItemRun().guess('end', encode(text), from);

const two = '{"metadata":1},{"metadata":2}';

describe('by separators', () => {
  test('a run ends behind the last item that another one like the first follows', () => {
    expect(bySeparator(learned(), `${two},{"metadata":3`)).toBe(two.length);
  });

  test('items in between are not looked at, nor what lies before the run', () => {
    expect(bySeparator(learned(), `${two}]`)).toBe('{"metadata":1}'.length);
    expect(bySeparator(learned(), `${two}]`, 15)).toBe(-1);
  });

  test.each([['{"metadata":1},{"metada'], ['{"metadata":1}'], [''], ['{"metadata":1}, {"metadata":2}']])(
    'there is nothing to go by in %j',
    (text) => {
      expect(bySeparator(learned(), text)).toBe(-1);
    },
  );

  test('how items begin is learned from the beginning of one, once enough of it is here', () => {
    const run = new ItemRun();
    expect(bySeparator(run, two)).toBe(-1);
    run.learn(encode('[{"meta'), 1);
    expect(bySeparator(run, two)).toBe(-1);
    run.learn(encode('{"metadata":{"na'), 0);
    expect(bySeparator(run, two)).toBe(14);
  });

  test.each([['{}'], [`{"${'x'.repeat(100)}":1}`]])('nothing is learned from %j', (item) => {
    expect(bySeparator(learned(item), `{},{},${two}`)).toBe(-1);
  });

  test('a guess is not looked for far from the end, where items are too large to come in runs', () => {
    const start = '{"metadata":1},{"metadata":"';
    expect(bySeparator(learned(), start + 'x'.repeat(10_000))).toBe(14);
    expect(bySeparator(learned(), start + 'x'.repeat(20_000))).toBe(-1);
  });
});

describe('by the end of the bytes', () => {
  test.each([[''], ['\n'], [']}'], [']}\n']])('a run that %j is left behind ends with its last item', (behind) => {
    expect(byEnd(`[${two}${behind}`, 1)).toBe(1 + two.length);
  });

  test.each([[`${two}]`], [`${two},`], ['{"metadata":1'], ['']])('there is nothing to go by in %j', (text) => {
    expect(byEnd(text)).toBe(-1);
  });

  test('what lies before the run is none of it', () => {
    expect(byEnd('{}', 2)).toBe(-1);
  });
});

test.each(['end', 'separator'] as const)('after three wrong guesses by %s there are no more of these', (way) => {
  const run = learned();
  for (let i = 0; i < 3; i += 1) {
    expect(run.guess(way, encode(two), 0)).toBeGreaterThan(0);
    run.wrong(way);
  }
  expect(run.guess(way, encode(two), 0)).toBe(-1);
  expect(run.guess(way === 'end' ? 'separator' : 'end', encode(two), 0)).toBeGreaterThan(0);
});
