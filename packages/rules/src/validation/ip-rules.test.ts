import { ipText } from '@listwatch/api/values';
import { describe, expect, it } from 'vitest';
import {
  checkAddressRange,
  checkCanonicalIp,
  checkCanonicalRange,
  checkIp,
  isStrictlyWithin,
  legacyIp,
  legacyRange,
} from './ip-rules.ts';

const NO_IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const NO_RANGE = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

describe('an IP address', () => {
  it.each([
    ['10.9.8.7', ''],
    ['2001:DB8::1', ''],
    ['::ffff:1.2.3.4', 'must not be an IPv4-mapped IPv6 address'],
    ['010.0.0.1', 'must not have leading 0s'],
    ['::1.2.3.04', 'must not have leading 0s'],
    ['10.0.0.256', NO_IP],
    ['10.0.0', NO_IP],
    ['', NO_IP],
    ['fe80::1%eth0', NO_IP],
    ['1'.repeat(100_000), NO_IP],
  ])('%s is validated', (text, expected) => {
    expect(checkIp(text).join()).toBe(expected);
  });

  it.each([
    ['2001:db8::1', ''],
    ['::', ''],
    ['2001:DB8::1', 'must be in canonical form ("2001:db8::1")'],
    ['2001:db8:0:0:1:0:0:1', 'must be in canonical form ("2001:db8::1:0:0:1")'],
    ['2001:0db8::0001', 'must be in canonical form ("2001:db8::1")'],
    ['1:2:3:4:5:6:7:8', ''],
  ])('%s must be canonical in newer fields', (text, expected) => {
    expect(checkCanonicalIp(text).join()).toBe(expected);
  });

  it.each(['0.0.0.0', '255.255.255.255', '::1', '1::', '::', '1:0:1::', '2001:db8::ff00:42:8329'])(
    '%s is read and written alike',
    (text) => {
      const address = legacyIp(text);
      expect(address === undefined ? undefined : ipText(address)).toBe(text);
    },
  );
});

describe('a range of addresses', () => {
  it.each([
    ['10.0.0.0/8', ''],
    ['0.0.0.0/0', ''],
    ['2001:DB8::/32', ''],
    ['10.0.0.1/8', 'must not have bits set beyond the prefix length'],
    ['2001:db8::1/32', 'must not have bits set beyond the prefix length'],
    ['10.0.0.0/08', 'must not have leading 0s in IP or prefix length'],
    ['010.0.0.0/8', 'must not have leading 0s in IP or prefix length'],
    ['::ffff:1.2.3.4/120', 'must not have an IPv4-mapped IPv6 address'],
    ['10.0.0.0/33', NO_RANGE],
    ['10.0.0.0', NO_RANGE],
    ['10.0.0.0/8/8', NO_RANGE],
    ['x', NO_RANGE],
  ])('%s is validated', (text, expected) => {
    expect(checkAddressRange(text).join()).toBe(expected);
  });

  it('must be canonical in newer fields', () => {
    expect(checkCanonicalRange('2001:DB8::/32')).toEqual(['must be in canonical form ("2001:db8::/32")']);
    expect(checkCanonicalRange('10.0.0.0/24')).toEqual([]);
  });

  it.each([
    ['10.1.0.0/16', '10.0.0.0/8', true],
    ['10.0.0.0/8', '10.0.0.0/8', false],
    ['11.0.0.0/16', '10.0.0.0/8', false],
    ['2001:db8::/32', '10.0.0.0/8', false],
  ])('%s is strictly within %s: %s', (inner, outer, expected) => {
    const [one, other] = [legacyRange(inner), legacyRange(outer)];
    expect(one !== undefined && other !== undefined && isStrictlyWithin(one, other)).toBe(expected);
  });
});
