import { describe, expect, test } from 'vitest';
import { quote } from './quote.ts';

describe('quoting shows text as Kubernetes messages do', () => {
  test.each([
    ['', '""'],
    ['abc', '"abc"'],
    ['a b', '"a b"'],
    ['say "hi"', '"say \\"hi\\""'],
    ['back\\slash', '"back\\\\slash"'],
    ['\u0007\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
    ['\u0000\u001f\u007f', '"\\x00\\x1f\\x7f"'],
    ['wéb', '"wéb"'],
    ['日本 😀', '"日本 😀"'],
    ['\u0080\u00a0\u200b', '"\\u0080\\u00a0\\u200b"'],
    ['\u{e0001}', '"\\U000e0001"'],
    ["it's", '"it\'s"'],
  ])('%j', (text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });
});
