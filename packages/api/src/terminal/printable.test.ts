import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable, printableJson, printableLines } from './printable.ts';

describe('printable text', () => {
  it.each([
    ['a terminal escape', '\u001b]0;owned\u0007', String.raw`\u001b]0;owned\u0007`],
    ['an escape in one byte', '\u009b31mred', String.raw`\u009b31mred`],
    ['a new line', 'a\r\nlistwatch: all is well', String.raw`a\r\nlistwatch: all is well`],
    ['another line separator', 'a\u2028b\u2029c\u0085d', String.raw`a\u2028b\u2029c\u0085d`],
    ['text in reverse', 'user\u202egnp.exe\u2066', String.raw`user\u202egnp.exe\u2066`],
    ['an invisible character', 'pay\u200bpal\u{e0001}', String.raw`pay\u200bpal\udb40\udc01`],
    ['backspaces and DEL', 'abc\b\b\u007f', String.raw`abc\u0008\u0008\u007f`],
    ['half of a character', '\ud800x', String.raw`\ud800x`],
  ])('escapes %s', (_, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it('leaves everything else alone', () => {
    const text = 'web-1 é日本語 😀 "quoted" \\ ~';
    expect([printable(text), printableLines(text), printableJson(text)]).toEqual([text, text, text]);
  });

  it('of several lines keeps the lines', () => {
    expect(printableLines('Error: \u001b[2J\n    at x')).toBe('Error: \\u001b[2J\n    at x');
  });

  it('whatever comes, nothing in it can steer a terminal, and JSON means what it meant', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
        const json = printableJson(JSON.stringify({ text }));
        expect(json).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
        expect(JSON.parse(json)).toEqual({ text });
      }),
    );
  });
});
