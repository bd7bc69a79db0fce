import fc from 'fast-check';
import { expect, it } from 'vitest';
import { indentedListPieces, indentJson } from './json-layout.ts';

it('lays JSON out as JSON.stringify does, whatever its spacing was', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const value: unknown = JSON.parse(json);
      const pretty = JSON.stringify(value, null, 2);
      expect(indentJson(Buffer.from(JSON.stringify(value))).toString()).toBe(pretty);
      expect(indentJson(Buffer.from(pretty)).toString()).toBe(pretty);
    }),
  );
});

it('keeps every digit of a number and every escape of a string', () => {
  const json = '{"a":12345678901234567890,"b":"\\u0000\\"}{[,:","c":{},"d":[ ]}\n';
  expect(indentJson(Buffer.from(json)).toString()).toBe(
    '{\n  "a": 12345678901234567890,\n  "b": "\\u0000\\"}{[,:",\n  "c": {},\n  "d": []\n}',
  );
});

it('lays a list out in pieces as the whole would be', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), (items) => {
      const head = '{"kind":"L","metadata":{"a":"1"},"items":[';
      const pieces = indentedListPieces(
        head,
        items.map((item) => Buffer.from(JSON.stringify(item))),
        ']}\n',
      );
      const whole = `${head}${items.map((item) => JSON.stringify(item)).join(',')}]}`;
      expect(Buffer.concat([...pieces]).toString()).toBe(JSON.stringify(JSON.parse(whole), null, 2));
    }),
  );
});
