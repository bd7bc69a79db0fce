import { describe, expect, test } from 'vitest';
import {
  CelError,
  type CelProgram,
  type CelResult,
  COST_LIMIT_EXCEEDED,
  kubernetesEnvironment,
  STRING,
} from '../src/index.ts';

const environment = kubernetesEnvironment().extend({ variables: { self: STRING } });
const LONG = `${'a'.repeat(3_000_000)}!`;
/** Nested 40 times with itself: 2^40 values that take next to no memory. */
const SHARED = `[[1]]${'.map(x, [x, x])'.repeat(40)}`;

function evaluate(expression: string, self = ''): CelResult {
  const program: CelProgram = environment.compile(expression);
  return program.evaluate({ self }, { cost: 1_000_000 }).result;
}

describe('hostile expressions end, most of them at the cost limit', () => {
  test.each([
    ['self.replace("a", self).size()'],
    ['self.replace("", self).size()'],
    ['self.split("").join(self).size()'],
    ['[self, self, self, self].join(self).size()'],
    ['self.matches("([ab]{0,30}){0,30}[cd]")'],
    ['self.find("([ab]{0,30}){0,30}[cd]")'],
    ['lists.range(9223372036854775807).size()'],
    ['lists.range(100000).map(x, lists.range(1000)).size()'],
    ['lists.range(2000).sort().size()'],
    ['lists.range(2000).distinct().size()'],
    ['sets.contains(lists.range(5000), lists.range(5000))'],
    [`[${SHARED}].indexOf(${SHARED})`],
    [`${SHARED}.flatten(100).size()`],
    [`"%s".format([${SHARED}]).size()`],
    [`${SHARED} == ${SHARED}`],
  ])('%s', (expression) => {
    expect(evaluate(expression, LONG)).toBe(COST_LIMIT_EXCEEDED);
  });

  test.each([
    ['self.trim().size() > 0', `${' '.repeat(1_000_000)}a${' '.repeat(1_000_000)}`, true],
    ['isQuantity(self)', '1'.repeat(3_000_000), false],
    ['isQuantity(self)', `${'1'.repeat(3_000_000)}!`, false],
    ['isQuantity(self)', `${'0'.repeat(3_000_000)}1.${'1'.repeat(300_000)}!`, false],
    ['isQuantity(self)', '.Ei', false],
    ['isQuantity(self)', '1e1000000000', false],
    ['isSemver(self)', `1.2.3-${'1.'.repeat(100_000)}1`, true],
    ['isIP(self)', ':'.repeat(3_000_000), false],
    ['isCIDR(self)', '1/'.repeat(1_000_000), false],
    ['isURL(self)', `https://a/${'%20'.repeat(500_000)}`, true],
    ['url(self).getQuery().size()', `https://a/?${'a=b&'.repeat(400_000)}`, 0],
    ['format.qualifiedName().validate(self).hasValue()', 'a.'.repeat(1_000), true],
    ['self.upperAscii().size()', LONG, 3_000_001],
    ['"%.999f".format([1e300]).size() > 1000', '', true],
  ])('%s of a long text', (expression, self, expected) => {
    expect(evaluate(expression, self)).toEqual(expected);
  });

  test('a format with too many digits is no number', () => {
    expect(evaluate('"%.1000000f".format([1.5])')).toBe('%!(NOVERB)');
  });

  test('an error of a library is the result, not thrown', () => {
    expect(evaluate('quantity(self)', 'x')).toBeInstanceOf(CelError);
  });
});
