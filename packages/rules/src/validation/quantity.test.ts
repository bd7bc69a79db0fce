import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalQuantity, isQuantity, quantityValue } from './quantity.ts';

describe('isQuantity', () => {
  it.each(['0', '1', '+1', '-1', '1.', '.5', '1.5', '1m', '1.5Gi', '1Ki', '1e3', '1E-3', '1E', '100k'])(
    '%s',
    (text) => {
      expect(isQuantity(text)).toBe(true);
    },
  );

  it.each(['', '.', '+', '1.2.3', '1 ', 'Gi', '1ki', '1e', '1Gie3', '--1', '0'.repeat(1025)])('not %s', (text) => {
    expect(isQuantity(text)).toBe(false);
  });
});

describe('quantityValue', () => {
  it.each([
    ['1', '1000m'],
    ['0.1', '100m'],
    ['1Ki', '1024'],
    ['1k', '1000'],
    ['1.5Gi', '1536Mi'],
    ['2e3', '2k'],
    ['1E', '1e18'],
    ['1000u', '1m'],
  ])('%s is as much as %s', (left, right) => {
    expect(quantityValue(left)).toBe(quantityValue(right));
  });

  it.each(['lots', '', '1 Gi', '1.2.3', '9'.repeat(100_000), undefined])('%s is no amount', (text) => {
    expect(quantityValue(text)).toBeNaN();
  });
});

describe('canonicalQuantity', () => {
  it.each([
    [1, '1'],
    [0.5, '500m'],
    ['1', '1'],
    ['1000m', '1'],
    ['0.5', '500m'],
    ['1500m', '1500m'],
    ['100', '100'],
    ['1000', '1k'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['512Ki', '512Ki'],
    ['0.5Ki', '512'],
    ['0.9765625Ki', '1k'],
    ['2048', '2048'],
    ['0', '0'],
    ['-1000m', '-1'],
    ['0.1n', '1n'],
    ['+1', '1'],
    ['1e3', '1e3'],
    ['1e1', '10'],
    ['1e4', '10e3'],
    ['1.5e3', '1500'],
    ['1E3', '1E3'],
    ['1000e0', '1e3'],
    ['.5e1', '5'],
    ['15e-10', '2e-9'],
    ['0e5', '0'],
    ['1e1000000000', '1e1000000000'],
    ['lots', 'lots'],
    ['1.', '1'],
    ['.5', '500m'],
    ['9'.repeat(100_000), '9'.repeat(100_000)],
  ])('of %s is %s', (quantity, expected) => {
    expect(canonicalQuantity(quantity)).toBe(expected);
  });

  it('is as much as before, and the same when it is asked again', () => {
    const suffix = fc.constantFrom('', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), suffix, (digits, unit) => {
        const text = canonicalQuantity(`${digits}${unit}`);
        expect(quantityValue(text)).toBeCloseTo(quantityValue(`${digits}${unit}`), 6);
        expect(canonicalQuantity(text)).toBe(text);
      }),
    );
  });
});
