import { describe, expect, it } from 'vitest';
import { isCostlyDefinition } from './costly-definition.ts';

function definition(schema: object): Buffer {
  return Buffer.from(JSON.stringify({ spec: { versions: [{ schema: { openAPIV3Schema: schema } }] } }));
}

function ruled(...rules: readonly string[]): Buffer {
  return definition({ 'x-kubernetes-validations': rules.map((rule) => ({ rule })) });
}

describe('a definition', () => {
  it('with a few plain rules and patterns is not costly', () => {
    const quantity = '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE])?$';
    expect(isCostlyDefinition(definition({ properties: { a: { type: 'string', pattern: quantity } } }))).toBe(false);
    expect(isCostlyDefinition(ruled('self.a > 1', 'self.list.all(item, item.a == "x\\"y")'))).toBe(false);
    // A field may have the name of a keyword.
    expect(isCostlyDefinition(definition({ properties: { rule: { type: 'string' } } }))).toBe(false);
  });

  it.each([
    ['a rule that compares every pair', ruled('self.l.all(a, self.l.exists(b, a == b))')],
    ['a rule that matches a pattern', ruled("self.a.matches('a+')")],
    ['many rules', ruled(...Array.from({ length: 20 }, (_, index) => `self.a != ${index}`))],
    ['a pattern that repeats', definition({ properties: { a: { pattern: '^(a?){900}$' } } })],
    ['a pattern with escapes', definition({ properties: { a: { pattern: '^("\\\\d{1,500}")$' } } })],
    ['very many fields', definition({ description: 'x'.repeat(70_000) })],
  ])('with %s is costly', (_, bytes) => {
    expect(isCostlyDefinition(bytes)).toBe(true);
  });
});
