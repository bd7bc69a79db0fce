import { describe, expect, it } from 'vitest';
import { parseFieldSelector } from './field-selector.ts';
import { parseLabelSelector } from './label-selector.ts';
import { SharedValues } from './shared-values.ts';

const terms = (count: number): string => Array.from({ length: count }, (_, index) => `key-${index}=value`).join(',');

const plain = (text: string): { readonly text: string } => ({ text });
const trimmed = (text: string): { readonly text: string; readonly from: string } => ({ text: text.trim(), from: text });

function fail(): never {
  throw new TypeError('no');
}

describe('values of equal texts', () => {
  it('are one value when the text is long', () => {
    const shared = new SharedValues<{ readonly id: number; readonly text: string }>();
    let made = 0;
    const make = (text: string): { readonly id: number; readonly text: string } => ({ id: made++, text });
    const first = shared.get('x'.repeat(2000), make);
    expect(shared.get('x'.repeat(2000), make)).toBe(first);
    expect(shared.get('y'.repeat(2000), make)).not.toBe(first);
    expect([made, shared.size]).toEqual([2, 2]);
  });

  it('are made anew when the text is short, and leave nothing behind', () => {
    const shared = new SharedValues<{ readonly text: string }>();
    expect(shared.get('x', plain)).not.toBe(shared.get('x', plain));
    expect(shared.size).toBe(0);
  });

  it('what cannot be made is not kept', () => {
    const shared = new SharedValues<{ readonly text: string }>();
    expect(() => shared.get('x'.repeat(2000), fail)).toThrow('no');
    expect(shared.size).toBe(0);
  });

  it('are made from their canonical text when that is far shorter, and the long one is not kept', () => {
    const shared = new SharedValues<{ readonly text: string; readonly from: string }>();
    expect(shared.get(`${' '.repeat(5000)}x`, trimmed).from).toBe('x');
    expect(shared.size).toBe(0);
    const long = 'x'.repeat(2000);
    expect(shared.get(' '.repeat(5000) + long, trimmed)).toBe(shared.get(long, trimmed));
    expect(shared.size).toBe(1);
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
