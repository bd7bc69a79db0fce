import { describe, expect, it } from 'vitest';
import { ipAddressBytes } from './address-bytes.ts';

describe('the bytes of an IP address', () => {
  it.each([
    ['127.0.0.1', '7f000001'],
    ['255.255.255.0', 'ffffff00'],
    ['::', '00000000000000000000000000000000'],
    ['::1', '00000000000000000000000000000001'],
    ['2001:db8::ff00:42:8329', '20010db8000000000000ff0000428329'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
    ['fe80::', 'fe800000000000000000000000000000'],
    ['fe80::1%eth0', 'fe800000000000000000000000000001'],
    ['::ffff:10.0.0.1', '00000000000000000000ffff0a000001'],
  ])('of %s', (text, expected) => {
    expect(Buffer.from(ipAddressBytes(text)).toString('hex')).toBe(expected);
  });

  it.each(['localhost', '1.2.3', ''])('%j has none', (text) => {
    expect(() => ipAddressBytes(text)).toThrow(TypeError);
  });
});
