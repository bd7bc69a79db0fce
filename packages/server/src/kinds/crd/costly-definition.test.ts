import { describe, expect, it } from 'vitest';
import { costlyObjects } from './costly-definition.ts';

function definition(schema: object): Buffer {
  return Buffer.from(JSON.stringify({ spec: { versions: [{ schema: { openAPIV3Schema: schema } }] } }));
}

function ruled(...rules: readonly string[]): Buffer {
  return definition({ 'x-kubernetes-validations': rules.map((rule) => ({ rule })) });
}

const SMALL = 1024;

describe('a definition', () => {
  it('with a few plain rules and patterns is not costly', () => {
    const quantity = '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE])?$';
    expect(costlyObjects(definition({ properties: { a: { type: 'string', pattern: quantity } } }))(SMALL)).toBe(false);
    expect(costlyObjects(ruled('self.a > 1', 'self.list.all(item, item.a == "x\\"y")'))(SMALL)).toBe(false);
    // A field may have the name of a keyword.
    expect(costlyObjects(definition({ properties: { rule: { type: 'string' } } }))(SMALL)).toBe(false);
  });

  it.each([
    ['a rule that compares every pair', ruled('self.l.all(a, self.l.exists(b, a == b))')],
    ['a rule that matches a pattern', ruled("self.a.matches('a+')")],
    ['many rules', ruled(...Array.from({ length: 20 }, (_, index) => `self.a != ${index}`))],
    ['a pattern that repeats', definition({ properties: { a: { pattern: '^(a?){900}$' } } })],
    ['a pattern with escapes', definition({ properties: { a: { pattern: '^("\\\\d{1,500}")$' } } })],
    ['very many fields', definition({ description: 'x'.repeat(70_000) })],
  ])('with %s is costly', (_, bytes) => {
    expect(costlyObjects(bytes)(SMALL)).toBe(true);
  });

  it('with a pattern is costly for objects whose texts take long to match', () => {
    const pattern = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
    const isCostly = costlyObjects(definition({ properties: { a: { type: 'string', pattern } } }));
    expect([1000, 4000, 20_000].map(isCostly)).toEqual([false, false, true]);
  });

  it('whose junctors match a text again is costly for smaller objects', () => {
    const patterns = Array.from({ length: 20 }, (_, index) => ({ pattern: `^(a|b){${index}}` }));
    const isCostly = costlyObjects(definition({ properties: { a: { type: 'string', allOf: patterns } } }));
    expect([10, 1000].map(isCostly)).toEqual([false, true]);
  });

  it('counts the texts that its defaults add', () => {
    const list = { type: 'array', default: ['a'.repeat(40_000)], items: { type: 'string', pattern: '^[a-z0-9]*$' } };
    const other = { ...list, default: [] };
    expect(costlyObjects(definition({ properties: { list } }))(SMALL)).toBe(true);
    expect(costlyObjects(definition({ properties: { list: other } }))(SMALL)).toBe(false);
  });
});
