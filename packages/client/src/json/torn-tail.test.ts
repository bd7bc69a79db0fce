import { expect, it } from 'vitest';
import { TornTail } from './torn-tail.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const before = '{"a":1},'.repeat(20);

function keeps(tail: string, front = before): boolean {
  return new TornTail().keep(encode(front + tail), front.length);
}

it('what was kept comes again in front of the bytes that follow, once', () => {
  const tail = new TornTail();
  const bytes = encode(`${before}{"b":{"c":1},"d`);
  expect(tail.keep(bytes, before.length)).toBe(true);
  bytes.fill(0);
  expect(decode(tail.join(encode('":2}')))).toBe('{"b":{"c":1},"d":2}');
  expect(decode(tail.join(encode('x')))).toBe('x');
});

it.each(['{', '{"a":', '{"a":{"b":1}, "c"', '{"a":"}"'])('%j is kept', (tail) => {
  expect(keeps(tail)).toBe(true);
});

it.each(['{"a":1}', '{"a":{"b":1}', '{"a":1}\n', '{"a":1}{"b"', '{"a":1}\n {"b"', '{"a":"}{'])(
  '%j may hold a whole value and is not kept',
  (tail) => {
    expect(keeps(tail)).toBe(false);
  },
);

it('a large part of the bytes is kept a few times only: with small pieces it would be copied again and again', () => {
  const tail = new TornTail();
  const small = encode(`${before}{"a":"bcd`);
  const large = encode('{"a":"bcd');
  const keep = (bytes: Uint8Array, at: number): boolean => {
    const isKept = tail.keep(bytes, at);
    tail.join(bytes);
    return isKept;
  };
  expect([1, 2, 3, 4, 5].map(() => keep(large, 0))).toEqual([true, true, true, false, false]);
  expect([keep(small, before.length), keep(large, 0)]).toEqual([true, true]);
});
