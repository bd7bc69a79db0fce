import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exactQuantity,
  quantityDifference,
  quantitySum,
  quantityText,
  roundedUp,
  wholeQuantity,
} from './exact-quantity.ts';

describe('an exact quantity', () => {
  it.each([
    ['1Gi', '512Mi', '1536Mi'],
    ['1Gi', '1G', '2073741824'],
    ['100m', '900m', '1'],
    ['0', '1Gi', '1Gi'],
    ['1e3', '1k', '2e3'],
    ['9007199254740993', '1', '9007199254740994'],
    ['0.1', '0.2', '300m'],
    ['1Ki', '-1', '1023'],
    ['.5', '1.', '1500m'],
    ['1023Mi', '1Mi', '1Gi'],
    ['1Gi', '1m', '1073741824001m'],
  ])('%s and %s are %s', (left, right, sum) => {
    expect(quantityText(quantitySum(exactQuantity(left), exactQuantity(right)))).toBe(sum);
  });

  it('is the same after any amount was added and taken away', () => {
    const amount = fc.tuple(fc.nat(), fc.constantFrom('n', 'u', 'm', '', 'k', 'M', 'Ki', 'Mi', 'Gi', 'e3'));
    fc.assert(
      fc.property(amount, amount, (one, other) => {
        const [left, right] = [exactQuantity(one.join('')), exactQuantity(other.join(''))];
        expect(quantityDifference(quantitySum(left, right), right).nanos).toBe(left.nanos);
        expect(exactQuantity(quantityText(left)).nanos).toBe(left.nanos);
      }),
    );
  });

  it.each(['1e1000000000', '1e-1000000000', '9'.repeat(1024), `1e${'9'.repeat(1000)}`])('%s takes no time', (text) => {
    expect(exactQuantity(text).nanos).toBeLessThan(2n ** 94n);
  });

  it.each(['', 'x', '1.2.3', '9'.repeat(2000)])('%s counts as zero', (text) => {
    expect(exactQuantity(text).nanos).toBe(0n);
  });

  it('is rounded up to whole things', () => {
    expect(quantityText(roundedUp(exactQuantity('1500m')))).toBe('2');
    expect(quantityText(roundedUp(exactQuantity('2Gi')))).toBe('2Gi');
    expect(quantityText(wholeQuantity(3000))).toBe('3k');
  });
});
