import { recordOf } from '@listwatch/api/values';
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
    ['sets a member to replace that is not there', { a: 1 }, [op('replace', '/b', 2)], { a: 1, b: 2 }],
    ['copies a missing member as null', { a: 1 }, [op('copy', '/b', undefined, '/nope')], { a: 1, b: null }],
    ['finds null where a member is missing', { a: 1 }, [op('test', '/nope', null), op('test', '/nope')], { a: 1 }],
    ['finds null where a member is null', { a: null }, [op('test', '/a', null)], { a: null }],
    ['finds a member that an operation has set to null', {}, [op('add', '/a'), op('test', '/a')], { a: null }],
    [
      'tests what it has changed',
      { a: [1] },
      [op('add', '/a/0', { b: 0 }), op('test', '/a', [{ b: 0 }, 1])],
      { a: [{ b: 0 }, 1] },
    ],
    [
      'copies what it has changed, and leaves the copy alone',
      { a: { l: [1] } },
      [op('add', '/a/l/-', 2), op('copy', '/b', undefined, '/a'), op('remove', '/a/l/0'), op('add', '/b/x', 1)],
      { a: { l: [2] }, b: { l: [1, 2], x: 1 } },
    ],
    ['knows the empty name', { '': 1 }, [op('replace', '/', 2)], { '': 2 }],
  ])('%s', (_, document, operations, expected) => {
    const before = JSON.stringify(document);
    expect(applyJsonPatch(document, operations)).toEqual(expected);
    expect(JSON.stringify(document)).toBe(before);
  });

  it.each<readonly [string, readonly JsonPatchOperation[]]>([
    ['an unknown operation', [op('frob', '/a')]],
    ['a member to remove that is not there', [op('remove', '/nope')]],
    ['a member to move that is not there', [op('move', '/b', undefined, '/nope')]],
    ['a move into itself', [op('add', '/o', {}), op('move', '/o/x', undefined, '/o')]],
    ['a test of null where something is', [op('test', '/a', null)]],
    ['a test without a value where something is', [op('test', '/a')]],
    ['a test with a member less', [op('add', '/o', { x: 1, y: null }), op('test', '/o', { x: 1 })]],
    ['a test with null for a missing member', [op('add', '/o', { x: 1 }), op('test', '/o', { x: 1, y: null })]],
    ['a test of null behind the end of a list', [op('test', '/l/2', null)]],
    ['an operation without a path', [{ op: 'replace', path: undefined, value: {} }]],
    ['a way that is not there', [op('add', '/nope/x', 1)]],
    ['a way through a value', [op('add', '/a/x', 1)]],
    ['an index behind the end', [op('add', '/l/3', 1)]],
    ['an index before the beginning', [op('remove', '/l/-3')]],
    ['an index that is no number', [op('add', '/l/1x', 1)]],
    ['an index to append at where there is none', [op('remove', '/l/-')]],
    ['a test that fails', [op('test', '/a', 2)]],
    ['a pointer without a slash', [op('add', 'a', 1)]],
    ['an empty pointer', [op('add', '', {})]],
    ['a whole that is no object', [op('replace', '', 5)]],
    ['what every object inherits', [op('remove', '/constructor')]],
    ['what every object inherits, on the way', [op('add', '/__proto__/x', 1)]],
  ])('%s does not apply', (_, operations) => {
    expect(() => applyJsonPatch({ a: 1, l: [1, 2] }, operations)).toThrow(JsonPatchError);
  });

  it.each<readonly [JsonPatchOperation, string]>([
    [op('add', '/nope/x', 1), 'add operation does not apply: doc is missing path: "/nope/x": missing value'],
    [op('remove', '/nope/x'), 'remove operation does not apply: doc is missing path: "/nope/x": missing value'],
    [op('replace', '/nope/x', 1), 'replace operation does not apply: doc is missing path: /nope/x: missing value'],
    [op('test', '/nope/x', 1), 'test operation does not apply: is missing path: /nope/x: missing value'],
    [
      op('copy', '/b', undefined, '/nope/x'),
      'copy operation does not apply: doc is missing from path: /nope/x: missing value',
    ],
    [
      op('move', '/nope/x', undefined, '/a'),
      'move operation does not apply: doc is missing destination path: /nope/x: missing value',
    ],
    [op('remove', '/nope'), "error in remove for path: '/nope': Unable to remove nonexistent key: nope: missing value"],
    [
      op('move', '/b', undefined, '/nope'),
      "error in move for path: '/nope': Unable to remove nonexistent key: nope: missing value",
    ],
    [
      op('replace', '/l/7', 1),
      "error in remove for path: '/l/7': Unable to access invalid index: 7: invalid index referenced",
    ],
    [
      op('copy', '/b', undefined, '/l/x'),
      'error in copy for from: \'/l/x\': strconv.Atoi: parsing "x": invalid syntax',
    ],
    [
      op('add', '/l/9', 1),
      "error in add for path: '/l/9': Unable to access invalid index: 9: invalid index referenced",
    ],
    [op('test', '/a', 2), 'testing value /a failed: test failed'],
    [op('frob', '/a'), 'Unexpected kind: frob'],
  ])('%j fails in the words of Kubernetes', (operation, message) => {
    expect(() => applyJsonPatch({ a: 1, l: [1, 2] }, [operation])).toThrow(message);
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

  it('moves that nest a document 5 000 levels deep do not apply', () => {
    const nesting = Array.from({ length: 5000 }, () => [
      op('add', '/b', {}),
      op('move', '/b/a', undefined, '/a'),
      op('move', '/a', undefined, '/b'),
    ]).flat();
    expect(() => applyJsonPatch({ a: {} }, nesting)).toThrow(JsonPatchError);
    expect(() => applyJsonPatch({ a: {} }, [...nesting, op('copy', '/c', undefined, '/a')])).toThrow(JsonPatchError);
    expect(applyJsonPatch({ a: {} }, [...nesting, op('replace', '/a', 1)])).toEqual({ a: 1 });
  });

  it('values that exceed the depth together do not apply', () => {
    const nested: unknown = JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`);
    const path = `/a${'/0'.repeat(599)}/-`;
    expect(() => applyJsonPatch({ a: nested }, [op('add', path, nested)])).toThrow(JsonPatchError);
  });

  it('10 000 operations on a list of 300 000 items do not move it each time', { timeout: 30_000 }, () => {
    const list = Array.from({ length: 300_000 }, (_, index) => index);
    const inserts = Array.from({ length: 5000 }, (_, index) => op('add', '/l/0', -index));
    const removals = Array.from({ length: 5000 }, () => op('remove', '/l/150000'));
    expect(applyJsonPatch({ l: list }, [...inserts, ...removals])).toEqual({
      l: [...inserts.map(({ value }) => value).toReversed(), ...list.slice(0, 145_000), ...list.slice(150_000)],
    });
  });

  it('10 000 tests of a large object read it once', { timeout: 30_000 }, () => {
    const large = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, { x: index }]));
    const tests = Array.from({ length: 10_000 }, (_, index) => op('test', `/o/k${index}`, { x: index }));
    expect(applyJsonPatch({ o: large }, tests)).toEqual({ o: large });
    expect(() => applyJsonPatch({ o: large }, [...tests, op('test', '/o', {})])).toThrow(JsonPatchError);
  });

  it('what a patch does not touch is not copied', () => {
    const document = { a: { b: 1 }, c: { d: { e: 1 } } };
    const patched = applyJsonPatch(document, [op('replace', '/a/b', 2)]);
    expect(patched).toEqual({ a: { b: 2 }, c: { d: { e: 1 } } });
    expect(recordOf(patched)['c']).toBe(document.c);
    expect(document.a.b).toBe(1);
  });

  it('fields with the names of what objects inherit are fields like others', () => {
    const patched = applyJsonPatch({}, [op('add', '/__proto__', 1), op('add', '/constructor', 2)]);
    expect(JSON.stringify(patched)).toBe('{"__proto__":1,"constructor":2}');
  });
});
