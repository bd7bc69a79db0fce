import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { yamlOfJson } from './yaml-layout.ts';

const yaml = (json: string) => yamlOfJson(Buffer.from(json)).toString();

it('puts the keys in order and lists at the level of their key', () => {
  expect(yaml('{"kind":"A","apiVersion":"v1","items":[{"b":1,"a":"x"}]}')).toBe(
    'apiVersion: v1\nitems:\n- a: x\n  b: 1\nkind: A\n',
  );
});

it('quotes what another reader would take for something else', () => {
  expect(parse(yaml('{"a":"true","b":"1","c":"null","d":"yes","e":""}'), { version: '1.1' })).toEqual({
    a: 'true',
    b: '1',
    c: 'null',
    d: 'yes',
    e: '',
  });
});

it('keeps every digit of a long integer', () => {
  expect(yaml('{"a":9223372036854775807}')).toBe('a: 9223372036854775807\n');
});

it('says the same as the JSON', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const json = JSON.stringify(value);
      expect(parse(yaml(json), { version: '1.1' })).toEqual(JSON.parse(json));
    }),
  );
});
