import { isRecord, type JsonRecord } from '@listwatch/api/values';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyPatch, covers, type FieldTree, fieldTree, parseFieldTree } from './applied-fields.ts';

/** RFC 7396. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result = new Map(Object.entries(isRecord(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, merged(result.get(name), value));
  }
  return Object.fromEntries(result);
}

/** What a server has after `before` and then `desired` were applied to `current`. */
function applied(current: JsonRecord, desired: JsonRecord, before: JsonRecord = {}): unknown {
  return merged(current, applyPatch(current, desired, fieldTree(before)) ?? {});
}

describe('the patch', () => {
  test('has only what differs', () => {
    const current = { spec: { replicas: 1, paused: false }, data: { a: '1' } };
    expect(applyPatch(current, { spec: { replicas: 2 }, data: { a: '1' } }, {})).toEqual({ spec: { replicas: 2 } });
    expect(applyPatch(current, { spec: { paused: false } }, {})).toBeUndefined();
  });

  test('removes what was applied before and is not any more, and leaves the fields of others', () => {
    const before = { data: { mine: '1', kept: '1' }, labels: { mine: 'a' } };
    const current = { data: { mine: '1', kept: '1', theirs: '2' }, labels: { mine: 'a' } };
    expect(applied(current, { data: { kept: '1' } }, before)).toEqual({ data: { kept: '1', theirs: '2' } });
  });

  test('removes a map when everything in it was applied, and else only that', () => {
    const before = { volume: { emptyDir: {} }, affinity: { a: { b: 1 } }, labels: { a: '1' } };
    const current = { volume: { emptyDir: { sizeLimit: '1' } }, affinity: { a: { b: 1 } }, labels: { a: '1', b: '2' } };
    expect(applyPatch(current, {}, fieldTree(before))).toEqual({ volume: null, affinity: null, labels: { a: null } });
  });

  test('does not remove what is gone already', () => {
    expect(applyPatch({ data: {} }, {}, fieldTree({ data: { a: '1' }, spec: { b: 1 } }))).toBeUndefined();
  });

  test('replaces a list that differs, and leaves one that the server has filled with defaults', () => {
    const wanted = { containers: [{ name: 'c', image: 'a' }] };
    const current = { containers: [{ name: 'c', image: 'a', pull: 'Always' }] };
    expect(applyPatch(current, wanted, fieldTree(wanted))).toBeUndefined();
    expect(applyPatch(current, wanted, {})).toEqual(wanted);
    const changed = { containers: [{ name: 'c', image: 'b', pull: 'Always' }] };
    expect(applyPatch(changed, wanted, fieldTree(wanted))).toEqual(wanted);
    const shorter = { containers: [{ name: 'c' }] };
    expect(applyPatch(current, shorter, fieldTree(wanted))).toEqual(shorter);
  });

  test('treats null as absent', () => {
    const before = { data: { a: '1' } };
    expect(applyPatch(before, { data: { a: null } }, fieldTree(before))).toEqual({ data: { a: null } });
    expect(applyPatch(before, { data: { a: null }, spec: undefined }, {})).toBeUndefined();
  });

  test('a field called __proto__ is a field', () => {
    const desired: unknown = JSON.parse('{"data":{"__proto__":{"a":"1"}}}');
    if (!isRecord(desired)) return expect.unreachable();
    expect(JSON.stringify(applyPatch({ data: {} }, desired, {}))).toBe('{"data":{"__proto__":{"a":"1"}}}');
    expect(JSON.stringify(fieldTree(desired))).toBe('{"data":{"__proto__":{"a":1}}}');
  });
});

describe('the tree of fields', () => {
  test('has no values', () => {
    const text = JSON.stringify(fieldTree({ data: { password: 'hunter2' }, list: ['hunter2'], none: null, empty: {} }));
    expect(text).not.toContain('hunter2');
    expect(parseFieldTree(text)).toEqual({ data: { password: 1 }, list: expect.any(String), empty: 1 });
  });

  test.each([undefined, '', '{', '7', '[]', 'null'])('%j is an empty one', (text) => {
    expect(parseFieldTree(text)).toEqual({});
  });

  test('that is deep does no harm', () => {
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    expect(applyPatch({ a: { a: 1 } }, {}, parseFieldTree(deep))).toEqual({ a: null });
  });
});

const scalar = fc.constantFrom<unknown>('x', 'y', 1, true);
const { object } = fc.letrec<{ value: unknown; object: JsonRecord }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, scalar, fc.array(scalar, { maxLength: 2 }), tie('object')),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 4 }),
}));

test('after any patch everything that is applied is there, and another patch has nothing to do', () => {
  fc.assert(
    fc.property(object, object, object, (start, before, desired) => {
      const current = applied(start, before);
      if (!isRecord(current)) return expect.unreachable();
      const result = applied(current, desired, before);
      expect(covers(result, desired)).toBe(true);
      if (!isRecord(result)) return expect.unreachable();
      expect(applyPatch(result, desired, fieldTree(desired))).toBeUndefined();
      for (const path of leaves(fieldTree(before))) {
        if (!isWithin(path, desired)) expect(at(result, path)).toBeUndefined();
      }
      return undefined;
    }),
    { numRuns: 1000 },
  );
});

function leaves(tree: FieldTree): readonly (readonly string[])[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'object' ? leaves(value).map((path) => [name, ...path]) : [[name]],
  );
}

/** Does the desired object say something about this path, or about one above or below it? */
function isWithin(path: readonly string[], desired: unknown): boolean {
  const [name, ...rest] = path;
  if (name === undefined || !isRecord(desired)) return true;
  return Object.hasOwn(desired, name) && isWithin(rest, desired[name]);
}

function at(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  return isRecord(value) && Object.hasOwn(value, name) ? at(value[name], rest) : undefined;
}
