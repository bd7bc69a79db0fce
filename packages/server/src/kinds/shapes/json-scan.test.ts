import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanJson } from './json-scan.ts';

describe('a scan of JSON', () => {
  it.each([
    ['{"a":1,"b":2}', []],
    ['{"a":1,"a":2}', ['a']],
    ['{"data":{"x":"1","x":"2","x":"3"}}', ['data.x']],
    ['{"spec":{"list":[{"n":1},{"n":1,"n":2}]}}', ['spec.list[1].n']],
    ['{"a":{"k":1},"b":{"k":1}}', []],
    ['{"a":"a","b":["a","a"]}', []],
    ['{"a":"\\"x\\\\","a":1}', ['a']],
    ['{"a":"{\\"k\\":1,\\"k\\":2}"}', []],
    ['{"\\u0061":1,"a":2}', ['a']],
    ['[{"op":1,"op":2}]', ['[0].op']],
    [' { "a" : 1 , "a" : [ ] } ', ['a']],
    ['{"__proto__":1,"constructor":2}', []],
    ['5', []],
  ])('%s has duplicates %j', (json, duplicates) => {
    expect(scanJson(json).duplicates).toEqual(duplicates);
  });

  it.each([
    ['5', 0],
    ['{}', 1],
    ['[[],[[1]]]', 3],
  ])('%s is %i deep', (json, depth) => expect(scanJson(json).depth).toBe(depth));

  it('what JSON.stringify writes has no duplicates, and its depth is that of the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(scanJson(JSON.stringify(value))).toEqual({ duplicates: [], depth: depthOf(value) });
      }),
    );
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
