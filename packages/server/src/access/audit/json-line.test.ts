import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLine, jsonLineWithoutManagedFields } from './json-line.ts';

const line = (text: string): string => jsonLine(Buffer.from(text));
const lean = (text: string): string => jsonLineWithoutManagedFields(Buffer.from(text));

describe('JSON on one line', () => {
  it('that is on one already stays as it is, but for its end', () => {
    expect(line('{"a": 1}\n')).toBe('{"a": 1}');
  });

  it('loses the whitespace between its parts only', () => {
    expect(line('{\n  "a b": "c  d\\"  \\\\",\r\n\t"e": [ 1, 2 ]\n}\n')).toBe('{"a b":"c  d\\"  \\\\","e":[1,2]}');
  });

  it('is the same value, whatever it holds', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (json) => {
        const value: unknown = JSON.parse(json);
        const laidOut = JSON.stringify(value, null, 2);
        expect(JSON.parse(line(laidOut))).toEqual(value);
        expect(line(laidOut)).not.toContain('\n');
      }),
    );
  });
});

describe('managed fields', () => {
  it.each([
    ['the first member', '{"metadata":{"managedFields":[{"a":"}"}],"name":"n"}}', '{"metadata":{"name":"n"}}'],
    ['the last member', '{"metadata":{"name":"n","managedFields":[]}}', '{"metadata":{"name":"n"}}'],
    ['the only member', '{"metadata":{ "managedFields" : [] }}', '{"metadata":{}}'],
    [
      'of items',
      '{"items":[{"metadata":{"managedFields":[],"name":"n"}},{"metadata":{"name":"m","managedFields":[]}}]}',
      '{"items":[{"metadata":{"name":"n"}},{"metadata":{"name":"m"}}]}',
    ],
    [
      'of rows',
      '{"rows":[{"cells":[1],"object":{"metadata":{"managedFields":[]}}}]}',
      '{"rows":[{"cells":[1],"object":{"metadata":{}}}]}',
    ],
  ])('%s are left out', (_what, json, expected) => {
    expect(lean(json)).toBe(expected);
  });

  it('elsewhere, as a value or in a template, stay', () => {
    const json =
      '{"spec":{"template":{"metadata":{"managedFields":[1]}}},"data":{"managedFields":"x"},"metadata":{"name":"managedFields"}}';
    expect(lean(json)).toBe(json);
  });

  it('of a broken text are an error, and no endless search', () => {
    expect(() => lean('{"metadata":{"managedFields":[')).toThrow('a member has no end');
    expect(() => lean('{"metadata":{"managedFields":["')).toThrow('a string has no end');
  });
});
