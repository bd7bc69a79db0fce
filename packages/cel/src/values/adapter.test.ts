import { expect, test } from 'vitest';
import {
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listType,
  mapType,
  objectType,
  STRING,
  TIMESTAMP,
  UINT,
  wrapperType,
} from '../types/cel-type.ts';
import { adapter, adaptJson } from './adapter.ts';
import { CelList } from './cel-list.ts';
import { CelMap } from './cel-map.ts';
import { CelDouble, CelDuration, CelTimestamp, CelUint } from './cel-value.ts';

test('a number is what its type says', () => {
  expect(adapter(INT)(1)).toBe(1);
  expect(adapter(DOUBLE)(1)).toEqual(new CelDouble(1));
  expect(adapter(UINT)(1)).toEqual(new CelUint(1n));
  expect(adapter(wrapperType(DOUBLE))(null)).toBeNull();
});

test('ints are exact beyond the safe integers', () => {
  expect(adapter(INT)(9_223_372_036_854_775_807n)).toBe(9_223_372_036_854_775_807n);
  expect(adapter(INT)(5n)).toBe(5);
});

test('texts of bytes, timestamps and durations are read', () => {
  expect(adapter(BYTES)('aGk=')).toEqual(Uint8Array.of(0x68, 0x69));
  expect(adapter(TIMESTAMP)('1970-01-01T00:00:01.5Z')).toEqual(new CelTimestamp(1, 500_000_000));
  expect(adapter(DURATION)('1m')).toEqual(new CelDuration(60_000_000_000n));
});

test('what does not fit its type keeps the type that it has', () => {
  expect(adapter(TIMESTAMP)('soon')).toBe('soon');
  expect(adapter(listType(INT))('no list')).toBe('no list');
  expect(adapter(DOUBLE)('1')).toBe('1');
  expect(adaptJson(1.5)).toEqual(new CelDouble(1.5));
  expect(adaptJson(-0)).toBe(0);
});

test('objects show their declared fields, and may contain themselves', () => {
  const fields = new Map([
    ['name', STRING],
    ['children', listType(objectType('Node'))],
    ['weights', mapType(STRING, DOUBLE)],
  ]);
  const objectTypes = { fields: (name: string) => (name === 'Node' ? fields : undefined) };
  const node = adapter(
    objectType('Node'),
    objectTypes,
  )({
    name: 'a',
    hidden: 1,
    weights: { x: 1 },
    children: [{ name: 'b', children: [] }],
  });
  if (!(node instanceof CelMap)) throw new TypeError('no object');
  expect(node.typeName).toBe('Node');
  expect(node.keys()).toEqual(['name', 'weights', 'children']);
  expect(node.find('hidden')).toBeUndefined();
  const weights = node.find('weights');
  expect(weights instanceof CelMap ? weights.find('x') : undefined).toEqual(new CelDouble(1));
  const children = node.find('children');
  const child = children instanceof CelList ? children.at(0) : undefined;
  expect(child instanceof CelMap ? child.find('name') : undefined).toBe('b');
});
