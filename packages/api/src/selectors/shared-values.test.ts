import { describe, expect, it } from 'vitest';
import { parseFieldSelector } from './field-selector.ts';
import { parseLabelSelector } from './label-selector.ts';
import { SharedValues } from './shared-values.ts';

const terms = (count: number): string => Array.from({ length: count }, (_, index) => `key-${index}=value`).join(',');

function fail(): never {
  throw new TypeError('no');
}

describe('values of equal texts', () => {
  it('are one value when the text is long', () => {
    const shared = new SharedValues<{ readonly id: number }>();
    let made = 0;
    const make = (): { readonly id: number } => ({ id: made++ });
    const first = shared.get('x'.repeat(2000), make);
    expect(shared.get('x'.repeat(2000), make)).toBe(first);
    expect(shared.get('y'.repeat(2000), make)).not.toBe(first);
    expect([made, shared.size]).toEqual([2, 2]);
  });

  it('are made anew when the text is short, and leave nothing behind', () => {
    const shared = new SharedValues<object>();
    expect(shared.get('x', () => ({}))).not.toBe(shared.get('x', () => ({})));
    expect(shared.size).toBe(0);
  });

  it('what cannot be made is not kept', () => {
    const shared = new SharedValues<object>();
    expect(() => shared.get('x'.repeat(2000), fail)).toThrow('no');
    expect(shared.size).toBe(0);
  });
});

describe.each([
  ['label selectors', parseLabelSelector],
  ['field selectors', parseFieldSelector],
])('long %s', (_, parse: (text: string) => { readonly text: string }) => {
  it('of equal text are one object: a thousand watches may have the same', () => {
    expect(parse(terms(500))).toBe(parse(terms(500)));
  });

  it('have at most 1 000 requirements', () => {
    expect(parse(terms(1000)).text).toContain('key-999=value');
    expect(() => parse(terms(1001))).toThrow('the selector has more than 1000 requirements');
  });
});
