import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_DEPTH, mayHaveLongNumbers, scanJson } from './json-scan.ts';

const scan = (json: string) => scanJson(Buffer.from(json));

describe('a scan of JSON', () => {
  it.each([
    ['5', 0],
    ['{}', 1],
    ['[[],[[1]]]', 3],
    ['"[[[["', 0],
    ['["\\"[[[", "\\\\", []]', 2],
  ])('%s is %i deep', (json, depth) => expect(scan(json).depth).toBe(depth));

  it.each([
    ['{"a":1,"a":{"b:":2}}', 3],
    ['[":","a:b"]', 0],
  ])('%s has %i members, repeated ones included', (json, members) => expect(scan(json).members).toBe(members));

  it.each([
    ['[9007199254740993]', true],
    ['[-1.234567890123456e10]', true],
    ['["9007199254740993", 123456789012345]', false],
  ])('%s has long numbers: %s', (json, expected) => expect(scan(json).longNumbers > 0).toBe(expected));

  it.each([
    ['[1.0]', true],
    ['{"a":1e3}', true],
    ['[true,false,null,-12,"1.0e"]', false],
  ])('%s has fractions or exponents: %s', (json, expected) => expect(scan(json).hasFractions).toBe(expected));

  it('ends where the nesting is too deep, however much follows', () => {
    expect(scan('['.repeat(3_000_000))).toMatchObject({ tooDeepAt: MAX_DEPTH, parts: MAX_DEPTH + 1 });
    expect(scan('['.repeat(MAX_DEPTH)).tooDeepAt).toBe(-1);
  });

  it('takes any bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => scanJson(bytes).parts >= 0));
  });

  it('of what JSON.stringify writes counts the depth and the members of the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(scan(JSON.stringify(value))).toMatchObject({ depth: depthOf(value), members: membersOf(value) });
      }),
    );
  });
});

it('16 digits in a row are found wherever they stand, and 15 are not', () => {
  for (let before = 0; before < 40; before += 1) {
    const found = (digits: string) => mayHaveLongNumbers(Buffer.from(`${'x'.repeat(before)}${digits}y`));
    expect([found('9'.repeat(15)), found('9'.repeat(16)), found('9'.repeat(40))]).toEqual([false, true, true]);
  }
});

it('16 digits that begin a string are no number', () => {
  expect(mayHaveLongNumbers(Buffer.from(`{"resourceVersion":"${'9'.repeat(16)}"}`))).toBe(false);
  expect(mayHaveLongNumbers(Buffer.from(`{"a":"${'9'.repeat(40)}","b":-${'9'.repeat(16)}}`))).toBe(true);
});

it('every run of 16 digits is found, but those that begin a string', () => {
  const part = fc.oneof(
    fc.nat(40).map((count) => '7'.repeat(count)),
    fc.constantFrom('"', ',', 'x', '-', '":'),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      const isLong = ({ 0: run, index }: RegExpMatchArray): boolean =>
        run.length >= 16 && text[(index ?? 0) - 1] !== '"';
      expect(mayHaveLongNumbers(Buffer.from(text))).toBe([...text.matchAll(/\d+/gu)].some(isLong));
    }),
  );
});

it('a string of three million digits is read once, not from each of them', () => {
  // Byte by byte back to the quote it takes minutes.
  expect(mayHaveLongNumbers(Buffer.from(`{"a":"${'9'.repeat(3_000_000)}"}`))).toBe(false);
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce<number>((sum, member) => sum + membersOf(member), 0);
  return inside + (Array.isArray(value) ? 0 : Object.keys(value).length);
}
