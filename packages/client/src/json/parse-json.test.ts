import { describe, expect, it } from 'vitest';
import { parseJsonLines, parseJsonRun } from './parse-json.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const large = 'x'.repeat(2 * 1024 * 1024);

describe('a run', () => {
  it('is parsed, whatever was parsed before it and however long that was', () => {
    for (const values of [[{ a: 1 }], [{ a: 1 }, { b: '],[' }], [{ a: large }], [{ a: 'é' }], []]) {
      expect(parseJsonRun(encode(JSON.stringify(values).slice(1, -1)))).toEqual(values);
    }
  });

  it.each(['{"a":1},', '{"a":1},{"b"', '{"a":1}],[{"b":1}', '{"a":1}\n{"b":1}'])('%j fails', (text) => {
    expect(() => parseJsonRun(encode(text))).toThrow(SyntaxError);
  });

  it('of bytes that are no UTF-8 fails', () => {
    expect(() => parseJsonRun(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(TypeError);
  });
});

describe('lines', () => {
  it('are parsed and not changed', () => {
    const bytes = encode('{"a":1}\n{"b":"\\n"}\n{"c":[1,2]}');
    const copy = bytes.slice();
    expect(parseJsonLines(bytes)).toEqual([{ a: 1 }, { b: '\n' }, { c: [1, 2] }]);
    expect(bytes).toEqual(copy);
  });

  it.each([
    '{\n"a":1}',
    '{"a":\n1}',
    '{"a":[1\n]}',
    '{"a":1}{"b":1}',
    '{"a":1},{"b":1}',
    '{"a":1}\n\n{"b":1}',
    '{"a":1}\n',
  ])('%j is not a value on each line', (text) => {
    expect(parseJsonLines(encode(text))).toBeUndefined();
  });
});
