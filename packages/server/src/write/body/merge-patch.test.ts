import { recordOf } from '@listwatch/api/values';
import { describe, expect, it } from 'vitest';
import { applyMergePatch } from './merge-patch.ts';

describe('a merge patch', () => {
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ a: 'text' }, { a: { b: 1 } }, { a: { b: 1 } }],
  ])('%j and %j are %j', (document, patch, expected) => expect(applyMergePatch(document, patch)).toEqual(expected));

  it('a field with the name of something inherited is a field like others', () => {
    const patch: unknown = JSON.parse('{"__proto__":{"x":1},"constructor":{"y":null}}');
    const result = applyMergePatch({}, recordOf(patch));
    expect(JSON.stringify(result)).toBe('{"__proto__":{"x":1},"constructor":{}}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  it('neither the document nor the patch is changed', () => {
    const document = Object.freeze({ a: Object.freeze({ b: 1 }) });
    applyMergePatch(document, Object.freeze({ a: Object.freeze({ c: 2 }) }));
    expect(document).toEqual({ a: { b: 1 } });
  });
});
