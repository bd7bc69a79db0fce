import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cidrText,
  firstOfRange,
  ipBytes,
  ipFamily,
  ipText,
  isMappedIp,
  parseCidr,
  parseIp,
  rangeContains,
  unmappedIp,
} from './ip-address.ts';

/** Texts that are nearly addresses. */
const nearly = fc
  .array(fc.constantFrom('0', '1', '10', '255', '256', '01', 'ffff', '12345', 'g', ':', ':', '::', '.', '.', '/'), {
    maxLength: 17,
  })
  .map((pieces) => pieces.join(''));

describe('addresses', () => {
  it('are those of Node, for any text without a zone', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), nearly, fc.string()), (text) => {
        fc.pre(!text.includes('%'));
        expect(ipFamily(text)).toBe({ 0: undefined, 4: 'IPv4', 6: 'IPv6' }[isIP(text)]);
      }),
      { numRuns: 2000 },
    );
  });

  it('are read back from their text and from their bytes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const address = parseIp(text);
        if (address === undefined) throw new TypeError('no address');
        expect(parseIp(ipText(address))).toEqual(address);
        const bytes = ipBytes(address);
        expect(bytes.length * 8).toBe(address.bits);
        expect(bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)).toBe(address.value);
      }),
    );
  });

  it.each([
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['1:2:3:4:5:6:7:0', '1:2:3:4:5:6:7:0'],
    ['::ffff:1.2.3.4', '::ffff:102:304'],
    ['255.255.255.255', '255.255.255.255'],
  ])('%s is written %s', (text, expected) => {
    const address = parseIp(text);
    expect(address && ipText(address)).toBe(expected);
  });

  it('reads leading zeros only if it is told to', () => {
    expect(parseIp('010.0.0.1')).toBeUndefined();
    expect(parseIp('010.0.0.1', { leadingZeros: true })).toEqual({ bits: 32, value: 0x0a000001n });
    expect(parseCidr('10.0.0.0/08')).toBeUndefined();
    expect(parseCidr('10.0.0.0/08', { leadingZeros: true })?.prefix).toBe(8);
  });

  it('refuses a zone', () => {
    expect(parseIp('fe80::1%eth0')).toBeUndefined();
  });

  it('finds the IPv4 address in IPv6', () => {
    const mapped = parseIp('::ffff:10.0.0.1') ?? { bits: 128, value: 0n };
    expect(isMappedIp(mapped)).toBe(true);
    expect(ipText(unmappedIp(mapped))).toBe('10.0.0.1');
  });
});

describe('ranges', () => {
  it.each([
    ['10.1.2.3/8', '10.0.0.0/8', '10.255.0.1', '11.0.0.1'],
    ['2001:db8::1/32', '2001:db8::/32', '2001:db8:ffff::', '2001:db9::'],
    ['0.0.0.0/0', '0.0.0.0/0', '255.255.255.255', '::'],
    ['10.0.0.1/32', '10.0.0.1/32', '10.0.0.1', '10.0.0.2'],
  ])('%s is the network %s with %s and without %s', (text, network, inside, outside) => {
    const range = parseCidr(text);
    const [within, without] = [parseIp(inside), parseIp(outside)];
    if (range === undefined || within === undefined || without === undefined) throw new TypeError('no range');
    expect(cidrText(range)).toBe(text);
    expect(cidrText({ ...firstOfRange(range), prefix: range.prefix })).toBe(network);
    expect([rangeContains(range, within), rangeContains(range, without)]).toEqual([true, false]);
  });

  it.each(['10.0.0.0', '10.0.0.0/', '10.0.0.0/33', '::/129', '10.0.0.0/8/8', '10.0.0.0/-1', `::/${'0'.repeat(100)}`])(
    '%s is none',
    (text) => {
      expect(parseCidr(text, { leadingZeros: true })).toBeUndefined();
    },
  );
});

it.each([':', '1:', '1.', '0', '::', '/'])('%s a million times takes no time', (piece) => {
  expect(parseIp(piece.repeat(1_000_000))).toBeUndefined();
  expect(parseCidr(piece.repeat(1_000_000))).toBeUndefined();
});
