import { describe, expect, it } from 'vitest';
import { closed, DepthError, isSame, jsonLength, opened, openMember, requireDepth } from './editable-json.ts';
import { EditableList } from './editable-list.ts';

/** Lists in lists, or objects in objects, `depth` of them. */
const lists = (depth: number): unknown => (depth === 0 ? 1 : [lists(depth - 1)]);
const objects = (depth: number): unknown => (depth === 0 ? 1 : { a: objects(depth - 1) });

/** The same, with every container opened. */
function openedAll(value: unknown): unknown {
  const container = opened(value);
  if (container instanceof Map) for (const key of container.keys()) openedAll(openMember(container, key));
  if (container instanceof EditableList)
    for (let index = 0; index < container.length; index += 1) openedAll(openMember(container, index));
  return container;
}

describe('the depth of JSON', () => {
  it.each([
    ['lists', lists],
    ['objects', objects],
  ])('is counted in %s', (_, make) => {
    for (const depth of [0, 1, 2, 3, 4]) {
      const isTooDeep = depth > 3;
      const plain = make(depth);
      if (isTooDeep) {
        expect(() => requireDepth(plain, 3)).toThrow(DepthError);
        expect(() => jsonLength(plain, 1000, 3)).toThrow(DepthError);
      } else {
        expect(() => requireDepth(plain, 3)).not.toThrow();
        expect(jsonLength(plain, 1000, 3)).toBeGreaterThan(0);
      }
    }
  });

  it('of opened containers is counted, and theirs alone: what is not opened was checked when it came', () => {
    for (const make of [lists, objects]) {
      for (const depth of [1, 2, 3]) expect(closed(openedAll(make(depth)), 3)).toEqual(make(depth));
      expect(() => closed(openedAll(make(4)), 3)).toThrow(DepthError);
      expect(closed(opened(make(9)), 1)).toEqual(make(9));
      expect(() => closed(opened(make(9)), 0)).toThrow(DepthError);
    }
    expect(closed('a', 0)).toBe('a');
  });
});

describe('an opened container', () => {
  it('shares what nobody has opened with the original', () => {
    const document = { a: { b: 1 }, c: [{ d: 2 }] };
    const root = opened(document);
    expect(opened(root)).toBe(root);
    if (!(root instanceof Map)) return expect.unreachable();
    const a = openMember(root, 'a');
    expect(openMember(root, 'a')).toBe(a);
    if (a instanceof Map) a.set('b', 9);
    expect(closed(root, 10)).toEqual({ a: { b: 9 }, c: [{ d: 2 }] });
    expect(document).toEqual({ a: { b: 1 }, c: [{ d: 2 }] });
    expect(openMember(root, 'none')).toBeUndefined();
    expect(root.has('none')).toBe(false);
  });

  it.each([
    ['a text', 'a', 'a', true],
    ['another text', 'a', 'b', false],
    ['a number and its text', 1, '1', false],
    ['null and null', null, null, true],
    ['lists', [1, [2]], [1, [2]], true],
    ['lists of another order', [1, 2], [2, 1], false],
    ['lists that differ in one item', [1, 2], [1, 3], false],
    ['a list that goes on', [1], [1, 2], false],
    ['a list that ends before', [1, 2], [1], false],
    ['a list and an object', [], {}, false],
    ['an object and a list', {}, [], false],
    ['objects of another order', { a: 1, b: { c: 2 } }, { b: { c: 2 }, a: 1 }, true],
    ['another value', { a: 1 }, { a: 2 }, false],
    ['one other value', { a: 1, b: 2 }, { a: 1, b: 3 }, false],
    ['another name', { a: 1 }, { b: 1 }, false],
    ['null and no member', { a: null }, { b: null }, false],
    ['one member more', { a: 1 }, { a: 1, b: 2 }, false],
    ['one member less', { a: 1, b: 2 }, { a: 1 }, false],
  ])('is the same as JSON or not: %s', (_, one, other, expected) => {
    expect([isSame(opened(one), other), isSame(openedAll(one), other)]).toEqual([expected, expected]);
  });
});

describe('the length of JSON', () => {
  it.each([
    ['a short text', 'a', 8],
    ['a long text', 'a'.repeat(20), 22],
    ['a number', 1, 8],
    ['null', null, 8],
    ['an empty list', [], 8],
    ['a list', [1, 2], 8 + 2 * 9],
    ['an object', { ab: 1, c: 2 }, 8 + (2 + 4 + 8) + (1 + 4 + 8)],
    ['what is nested', { a: [1] }, 8 + 5 + (8 + 9)],
  ])('is that of %s', (_, value, length) => {
    expect(jsonLength(value, 1000, 10)).toBe(length);
  });

  it('is counted no further than its limit', () => {
    let reads = 0;
    const items = Array.from({ length: 1000 }, () => 1);
    const list = new Proxy(items, {
      get: (target, key) => {
        if (typeof key === 'string' && /^\d+$/u.test(key)) reads += 1;
        return Reflect.get(target, key);
      },
    });
    expect(jsonLength(list, 26, 10)).toBe(35);
    expect(reads).toBe(3);
    // What the outer container has taken is not there for the inner one.
    reads = 0;
    expect(jsonLength(['long'.repeat(3), list], 40, 10)).toBeGreaterThan(40);
    expect(jsonLength({ a: 'long'.repeat(3), b: list }, 45, 10)).toBeGreaterThan(45);
    expect(reads).toBeLessThan(6);
    expect(jsonLength({ a: 1, b: 2, c: 3 }, 20, 10)).toBe(21);
    expect(jsonLength({ a: 1, b: 2, c: 3 }, 21, 10)).toBe(34);
  });
});
