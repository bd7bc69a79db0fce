import { durationNanos, isQuantity, parseCidr, parseIp, Quantity } from '@listwatch/api/values';
import { CelDuration, type CelProgram, type CelResult, kubernetesEnvironment, STRING } from '@listwatch/cel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** The package cel imports no other and reads these values itself: what it answers must be what api/values says. */
const environment = kubernetesEnvironment().extend({ variables: { self: STRING, other: STRING } });

function answers(expression: string): (self: string, other?: string) => CelResult {
  const program: CelProgram = environment.compile(expression);
  return (self, other = '') => program.evaluate({ self, other }, { cost: 1_000_000 }).result;
}

const digits = fc.stringMatching(/^0{0,3}\d{0,4}$/);
const number = fc.oneof(
  digits,
  fc.tuple(digits, digits).map((both) => both.join('.')),
);
const suffix = fc.constantFrom(
  '',
  'n',
  'u',
  'm',
  'k',
  'M',
  'E',
  'Ki',
  'Gi',
  'Ei',
  'e3',
  'E-2',
  'e-12',
  'e',
  'K',
  'x',
  'e19',
);
const quantity = fc.tuple(fc.constantFrom('', '-', '+'), number, suffix).map((parts) => parts.join(''));
const legalQuantity = quantity.filter(isQuantity);

describe('CEL and api/values agree', () => {
  const isCelQuantity = answers('isQuantity(self)');
  const compare = answers('quantity(self).compareTo(quantity(other))');
  const compareSum = answers('quantity(self).add(quantity(self)).compareTo(quantity(other))');

  it('on which texts are quantities', () => {
    fc.assert(
      fc.property(quantity, (text) => {
        expect([text, isCelQuantity(text)]).toEqual([text, isQuantity(text)]);
      }),
    );
  });

  it('on the order of quantities and on their sums', () => {
    fc.assert(
      fc.property(legalQuantity, legalQuantity, (left, right) => {
        const [a, b] = [Quantity.parse(left), Quantity.parse(right)];
        expect(compare(left, right)).toBe(a.compare(b));
        expect(compareSum(left, right)).toBe(a.add(a).compare(b));
      }),
    );
  });

  it('on durations', () => {
    const read = answers('duration(self)');
    const part = fc
      .tuple(number, fc.constantFrom('ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'd', ''))
      .map((both) => both.join(''));
    const text = fc.tuple(
      fc.constantFrom('', '-', '+'),
      fc.array(part, { maxLength: 3 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (parts) => {
        const result = read(parts.join(''));
        expect(result instanceof CelDuration ? result.nanoseconds : undefined).toBe(durationNanos(parts.join('')));
      }),
    );
  });

  it('on addresses and ranges without a zone', () => {
    const [isIp, isCidr] = [answers('isIP(self)'), answers('isCIDR(self)')];
    const piece = fc.constantFrom('0', '1', '10', '255', '256', '01', 'ffff', '12345', 'g', ':', '::', '.');
    const text = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.array(piece, { maxLength: 15 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('/0', '/8', '/32', '/33', '/128', '/08', '/'), (address, prefix) => {
        // Kubernetes' library refuses IPv4 addresses in IPv6.
        fc.pre(!/^::ffff:|\..*:|:.*\./i.test(address) && !/^(?:0+:){5}ffff:/i.test(address));
        expect([address, isIp(address)]).toEqual([address, parseIp(address) !== undefined]);
        expect([address, isCidr(address + prefix)]).toEqual([address, parseCidr(address + prefix) !== undefined]);
      }),
    );
  });
});
