import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalQuantity, compareQuantities, isQuantity, Quantity, quantitySign } from './quantity.ts';

const amount = fc
  .tuple(
    fc.integer(),
    fc.constantFrom('n', 'u', 'm', '', 'k', 'M', 'E', 'Ki', 'Mi', 'Gi', 'e3', 'E-2', '.25', '.0001Gi'),
  )
  .map(([digits, suffix]) => Quantity.parse(`${digits}${suffix}`));

describe('Quantity', () => {
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
    ['9223372036854775807', '1', '9223372036854775808'],
  ])('%s and %s are %s', (left, right, sum) => {
    expect(Quantity.parse(left).add(Quantity.parse(right)).toString()).toBe(sum);
  });

  it('is the same after any amount was added and taken away', () => {
    fc.assert(
      fc.property(amount, amount, (left, right) => {
        expect(left.add(right).subtract(right).nanos).toBe(left.nanos);
        expect(left.add(right).nanos).toBe(right.add(left).nanos);
      }),
    );
  });

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(amount, (quantity) => {
        expect(Quantity.parse(quantity.toString()).nanos).toBe(quantity.nanos);
        expect(JSON.stringify({ quantity })).toBe(JSON.stringify({ quantity: String(quantity) }));
      }),
    );
  });

  it('orders amounts as their numbers', () => {
    fc.assert(
      fc.property(amount, amount, (left, right) => {
        expect(left.compare(right)).toBe(left.nanos === right.nanos ? 0 : left.nanos < right.nanos ? -1 : 1);
        expect(right.compare(left) + left.compare(right)).toBe(0);
      }),
    );
  });

  it.each([
    ['1500m', 2n, 1500n],
    ['-1500m', -2n, -1500n],
    ['1n', 1n, 1n],
    ['2Ki', 2048n, 2_048_000n],
    ['1e3', 1000n, 1_000_000n],
  ])('%s is %s, and %s thousandths', (text, whole, thousandths) => {
    expect(Quantity.parse(text).value()).toBe(whole);
    expect(Quantity.parse(text).value(-3)).toBe(thousandths);
  });

  it.each([
    ['100m', 0.1],
    ['1.5Gi', 1.5 * 2 ** 30],
    ['1e400', Number.POSITIVE_INFINITY],
    ['9007199254740993', 9007199254740992],
  ])('%s is nearly the number %d', (text, number) => {
    expect(Quantity.parse(text).toNumber()).toBe(number);
  });

  it('counts things', () => {
    expect(Quantity.of(3000).toString()).toBe('3k');
    expect(Quantity.ZERO.sign).toBe(0);
  });

  it('throws an error with a code and the words of Kubernetes', () => {
    expect(() => Quantity.parse('1K')).toThrow(
      expect.objectContaining({ code: 'QUANTITY', message: "unable to parse quantity's suffix" }),
    );
  });

  it('takes members of objects: numbers and strings', () => {
    expect(
      [1.5, '1500m', 10n, true, null, undefined, {}, 'x'].map((value) => Quantity.from(value)?.toString()),
    ).toEqual(['1500m', '1500m', '10', ...Array.from({ length: 5 }, () => undefined)]);
    expect(compareQuantities('1Gi', 2 ** 30)).toBe(0);
    expect(compareQuantities('1Gi', undefined)).toBeNaN();
    expect([quantitySign('-1n'), quantitySign('x')]).toEqual([-1, Number.NaN]);
  });
});

describe('canonicalQuantity', () => {
  it.each([
    ['1000m', '1'],
    ['0.5', '500m'],
    ['1500m', '1500m'],
    ['1000', '1k'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['0.9765625Ki', '1k'],
    ['0.1n', '1n'],
    ['1e1', '10'],
    ['1e4', '10e3'],
    ['15e-10', '2e-9'],
    ['1e1000000000', '10e999999999'],
    ['1E3', '1E3'],
    ['+050Ki', '+050Ki'],
    ['1.', '1.'],
    ['lots', 'lots'],
    ['8000Ei', '9223372036854775807'],
  ])('of %s is %s', (text, expected) => {
    expect(canonicalQuantity(text)).toBe(expected);
  });
});

describe('texts of an attacker', () => {
  const huge = Quantity.parse('1e1001');

  it.each([
    '1e999999999',
    '1e-999999999',
    '1e2147483647',
    `0.${'0'.repeat(1000)}1`,
    '9'.repeat(1024),
    `${'9'.repeat(1000)}Ei`,
    `${'9'.repeat(1000)}e999999999`,
  ])('%s takes no time and no memory', (text) => {
    const quantity = Quantity.parse(text);
    expect(quantity.add(huge).subtract(huge).nanos).toBe(quantity.nanos);
    expect(quantity.nanos).toBeLessThan(10n ** 2100n);
    expect(String(quantity).length).toBeLessThan(1100);
    expect(isQuantity(canonicalQuantity(text))).toBe(true);
  });

  it.each(['9'.repeat(1025), `1e${'9'.repeat(1000)}`, `1${'0'.repeat(100_000)}!`, '0'.repeat(2_900_000)])(
    'refuses what is too long',
    (text) => {
      expect(isQuantity(text)).toBe(false);
      expect(canonicalQuantity(text)).toBe(text);
    },
  );
});
