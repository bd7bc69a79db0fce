import { describe, expect, it } from 'vitest';
import { applyJsonPatch, JsonPatchError, type JsonPatchOperation } from './json-patch.ts';

const op = (name: string, path: string, value?: unknown, from?: string): JsonPatchOperation => ({
  op: name,
  path,
  value,
  from,
});

describe('a JSON patch', () => {
  it.each<readonly [string, unknown, readonly JsonPatchOperation[], unknown]>([
    ['adds a member', { a: 1 }, [op('add', '/b', 2)], { a: 1, b: 2 }],
    ['adds over a member', { a: 1 }, [op('add', '/a', 2)], { a: 2 }],
    ['adds null when it has no value', {}, [op('add', '/a')], { a: null }],
    ['inserts an item', { a: [1, 3] }, [op('add', '/a/1', 2)], { a: [1, 2, 3] }],
    ['appends an item', { a: [1] }, [op('add', '/a/-', 2), op('add', '/a/2', 3)], { a: [1, 2, 3] }],
    ['counts from the end', { a: [1, 2] }, [op('replace', '/a/-1', 9), op('remove', '/a/-2')], { a: [9] }],
    ['removes', { a: 1, b: [1, 2] }, [op('remove', '/a'), op('remove', '/b/0')], { b: [2] }],
    ['replaces the whole', { a: 1 }, [op('replace', '', { b: 2 })], { b: 2 }],
    ['moves', { a: { b: 1 } }, [op('move', '/c', undefined, '/a/b')], { a: {}, c: 1 }],
    [
      'copies a value of its own',
      { a: { x: 1 } },
      [op('copy', '/b', undefined, '/a'), op('add', '/b/y', 2)],
      { a: { x: 1 }, b: { x: 1, y: 2 } },
    ],
    [
      'tests without regard to the order of members',
      { a: { x: 1, y: [2] } },
      [op('test', '/a', { y: [2], x: 1 })],
      { a: { x: 1, y: [2] } },
    ],
    ['tests the whole', { a: 1 }, [op('test', '', { a: 1 })], { a: 1 }],
    ['reads escapes', { 'a/b': 1, 'm~n': 2 }, [op('remove', '/a~1b'), op('replace', '/m~0n', 3)], { 'm~n': 3 }],
    ['takes no notice of what stands before the first slash', {}, [op('add', 'x/k', 1)], { k: 1 }],
    ['knows the empty name', { '': 1 }, [op('replace', '/', 2)], { '': 2 }],
  ])('%s', (_, document, operations, expected) => {
    const before = JSON.stringify(document);
    expect(applyJsonPatch(document, operations)).toEqual(expected);
    expect(JSON.stringify(document)).toBe(before);
  });

  it.each<readonly [string, readonly JsonPatchOperation[]]>([
    ['an unknown operation', [op('frob', '/a')]],
    ['a member to remove that is not there', [op('remove', '/nope')]],
    ['a member to replace that is not there', [op('replace', '/nope', 1)]],
    ['a way that is not there', [op('add', '/nope/x', 1)]],
    ['a way through a value', [op('add', '/a/x', 1)]],
    ['an index behind the end', [op('add', '/l/3', 1)]],
    ['an index before the beginning', [op('remove', '/l/-3')]],
    ['an index that is no number', [op('add', '/l/1x', 1)]],
    ['an index to append at where there is none', [op('remove', '/l/-')]],
    ['a test that fails', [op('test', '/a', 2)]],
    ['a test of nothing', [op('test', '/nope', null)]],
    ['a pointer without a slash', [op('add', 'a', 1)]],
    ['an empty pointer', [op('add', '', {})]],
    ['a whole that is no object', [op('replace', '', 5)]],
    ['a copy of nothing', [op('copy', '/b', undefined, '/nope')]],
    ['what every object inherits', [op('remove', '/constructor')]],
    ['what every object inherits, on the way', [op('add', '/__proto__/x', 1)]],
  ])('%s does not apply', (_, operations) => {
    expect(() => applyJsonPatch({ a: 1, l: [1, 2] }, operations)).toThrow(JsonPatchError);
  });

  it('copies that nest a document in itself end before nothing can write it down', () => {
    const deeper = Array.from({ length: 20 }, (_, index) =>
      op('copy', `/x${'/n'.repeat(2 ** index)}`, undefined, '/x'),
    );
    expect(() => applyJsonPatch({ x: {} }, deeper)).toThrow(JsonPatchError);
  });

  it('copies that double a document end before it fills the memory', () => {
    const doubling = Array.from({ length: 60 }, (_, index) => op('copy', `/x/${index}`, undefined, '/x'));
    expect(() => applyJsonPatch({ x: { seed: 'v'.repeat(100) } }, doubling)).toThrow(JsonPatchError);
  });

  it('fields with the names of what objects inherit are fields like others', () => {
    const patched = applyJsonPatch({}, [op('add', '/__proto__', 1), op('add', '/constructor', 2)]);
    expect(JSON.stringify(patched)).toBe('{"__proto__":1,"constructor":2}');
  });
});
