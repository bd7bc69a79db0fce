import { expect, test } from 'vitest';
import { ItemRun } from './item-run.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function learned(item = '{"metadata":{"name":"a"}}'): ItemRun {
  const run = new ItemRun();
  run.learn(encode(item));
  return run;
}

test('a run ends behind the last item that another one like the first follows', () => {
  const bytes = encode('{"metadata":1},{"metadata":2},{"metadata":3');
  expect(learned().guess(bytes, 0)).toBe('{"metadata":1},{"metadata":2}'.length);
});

test('items in between are not looked at, nor what lies before the run', () => {
  const bytes = encode('{"metadata":1},{"metadata":2}]');
  expect(learned().guess(bytes, 0)).toBe('{"metadata":1}'.length);
  expect(learned().guess(bytes, 15)).toBe(-1);
});

test.each([['{"metadata":1},{"metada'], ['{"metadata":1}'], [''], ['{"metadata":1}, {"metadata":2}']])(
  'there is nothing to go by in %j',
  (text) => {
    expect(learned().guess(encode(text), 0)).toBe(-1);
  },
);

test('nothing is guessed before an item was seen, nor after one that begins with nothing to go by', () => {
  const bytes = encode('{},{},{"metadata":1},{"metadata":2}');
  expect(new ItemRun().guess(bytes, 0)).toBe(-1);
  expect(learned('{}').guess(bytes, 0)).toBe(-1);
});

test('after three wrong guesses there are no more', () => {
  const run = learned();
  const bytes = encode('{"metadata":1},{"metadata":2}');
  for (let i = 0; i < 3; i += 1) {
    expect(run.guess(bytes, 0)).toBe(14);
    run.wrong();
  }
  expect(run.guess(bytes, 0)).toBe(-1);
});

test('a guess is not looked for far from the end, where items are too large to come in runs', () => {
  const start = '{"metadata":1},{"metadata":"';
  expect(learned().guess(encode(start + 'x'.repeat(10_000)), 0)).toBe(14);
  expect(learned().guess(encode(start + 'x'.repeat(20_000)), 0)).toBe(-1);
});
