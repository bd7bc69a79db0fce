import { describe, expect, it } from 'vitest';
import { FieldSet, fieldPath, managedFieldPathText } from './field-set.ts';
import { readFields } from './fields-v1.ts';
import { TextCache } from './text-cache.ts';

function nested(depth: number): unknown {
  let fields: unknown = {};
  for (let level = 0; level < depth; level += 1) fields = { 'f:a': fields };
  return fields;
}

describe('FieldsV1', () => {
  it('is read and printed in the order of Kubernetes', () => {
    const fields = {
      'v:true': {},
      'v:"a"': {},
      'v:10': {},
      'v:2': {},
      'k:{"b":1,"a":2}': {},
      'f:b': {},
      'f:a': { '.': {}, 'f:c': {} },
    };
    expect(JSON.stringify(readFields(fields)?.print())).toBe(
      '{"f:a":{".":{},"f:c":{}},"f:b":{},"k:{\\"a\\":2,\\"b\\":1}":{},"v:2":{},"v:10":{},"v:\\"a\\"":{},"v:true":{}}',
    );
  });

  it('orders plain keys by their texts as it orders parsed ones', () => {
    const plain = [
      'k:{"a":"x","b":"y"}',
      'k:{"a":"x"}',
      'k:{"a":"x-1"}',
      'k:{"a":"x.1","b":"."}',
      'k:{"aa":""}',
      'v:""',
    ];
    plain.push('v:"a/b"', 'v:"a"', 'v:"a-b"', 'v:"a.b"', 'v:"ab"', 'v:"A"', 'v:"_"', 'v:"0"');
    const parsedToo = readFields(Object.fromEntries([...plain, 'v:7'].map((key) => [key, {}])));
    const printed = readFields(Object.fromEntries(plain.toReversed().map((key) => [key, {}])));
    expect(printed?.sortedElements()).toEqual(parsedToo?.sortedElements().filter((key) => key !== 'v:7'));
  });

  it('prints a large set in the same order', () => {
    const items = Array.from({ length: 3000 }, (_, index) => [
      `k:{"name":"n${index}"}`,
      { 'f:name': {}, 'f:b': { 'f:c': {} } },
    ]);
    const set = readFields({ 'f:list': Object.fromEntries(items), 'f:z': {} });
    expect(JSON.stringify(set?.print())).toBe(JSON.stringify(readFields(set?.print())?.print()));
    const list: object = Object(set?.print()['f:list']);
    expect(Object.keys(list)).toEqual(items.map((_, index) => `k:{"name":"n${index}"}`).toSorted());
    expect(Object.values(list).at(-1)).toEqual({ 'f:name': {}, 'f:b': { 'f:c': {} } });
  });

  it('has one node for two spellings of a key, with what is below either', () => {
    const both = readFields({ 'k:{"a":1}': { 'f:b': {} }, 'k:{ "a": 1 }': { '.': {} } });
    expect(both?.print()).toEqual({ 'k:{"a":1}': { '.': {}, 'f:b': {} } });
    const later = readFields({ 'k:{"a":1}': { 'f:b': {} }, 'k:{ "a": 1 }': { 'f:c': {} } });
    expect(later?.print()).toEqual({ 'k:{"a":1}': { 'f:c': {} } });
  });

  it.each(['i:x', 'i:', 'i:1.5', 'i:99999999999999999999', 'v:', 'v:{', 'k:1', 'f'])(
    'cannot be read with the key %j',
    (key) => {
      expect(readFields({ 'f:a': {}, [key]: {} })).toBeUndefined();
    },
  );

  it('is empty when it is null, and cannot be anything but an object', () => {
    expect(readFields(null)).toBe(FieldSet.EMPTY);
    expect([[], 'x', 1].map(readFields)).toEqual([undefined, undefined, undefined]);
  });

  it('cannot be read when it nests too deep, and does not exhaust the stack', () => {
    expect(readFields(nested(900))?.isEmpty).toBe(false);
    expect(readFields(nested(100_000))).toBeUndefined();
  });

  it('keeps integers that a double cannot hold, and escapes what Go escapes', () => {
    const fields = { 'v:9007199254740993': {}, 'v:"<&>"': {} };
    expect(Object.keys(readFields(fields)?.print() ?? {})).toEqual(['v:9007199254740993', 'v:"\\u003c\\u0026\\u003e"']);
  });

  it('is read once while it is the same', () => {
    expect(readFields({ 'f:once': {} })).toBe(readFields({ 'f:once': {} }));
  });
});

describe('paths in messages', () => {
  it('show keys and values as Go does', () => {
    const path = [...fieldPath('spec'), 'k:{"name":"a","port":8443000}', 'v:"b"', 'i:3'];
    expect(managedFieldPathText(path)).toBe('.spec[name="a",port=8.443e+06][="b"][3]');
  });
});

describe('TextCache', () => {
  it('forgets what was not used for the longest time, and never keeps more than its limit', () => {
    const cache = new TextCache<number>({ characters: 10, longest: 6 });
    for (const [index, text] of ['aaaa', 'bbbb'].entries()) cache.set(text, index);
    expect(cache.get('aaaa')).toBe(0);
    cache.set('cccc', 2);
    expect([cache.get('aaaa'), cache.get('bbbb'), cache.get('cccc')]).toEqual([0, undefined, 2]);
    cache.set('too long', 3);
    expect(cache.get('too long')).toBeUndefined();
    for (let index = 0; index < 1000; index += 1) cache.set(`k${index}`, index);
    expect(cache.characters).toBeLessThanOrEqual(10);
  });
});
