import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, isOwnAddress, isSpecialAddress } from './allowed-address.ts';

/** 127.0.0.1 in every form that Node connects to. */
const LOOPBACKS = [
  '127.0.0.1',
  '127.9.9.9',
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '::1%lo',
  '::ffff:127.0.0.1',
  '::FFFF:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:127.0.0.1',
  '0:0:0:0:0:ffff:7f00:0001',
  '::ffff:127.0.0.1%eth0',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
];

/** Of the link, of groups, and of no host. */
const OTHER_SPECIAL = [
  '0.0.0.0',
  '0.1.2.3',
  '::',
  '0:0:0:0:0:0:0:0',
  '::ffff:0.0.0.0',
  '::ffff:0:0',
  '::127.0.0.1',
  '169.254.169.254',
  '::ffff:a9fe:a9fe',
  '0:0:0:0:0:FFFF:A9FE:A9FE',
  '64:ff9b::a9fe:a9fe',
  'fe80::1',
  'FE80:0:0:0::1%eth0',
  'febf::1',
  '224.0.0.1',
  '::ffff:e000:1',
  '239.255.255.255',
  '255.255.255.255',
  'ff02::1',
];

const ORDINARY = [
  '10.0.0.1',
  '192.168.1.1',
  '128.0.0.1',
  '169.253.1.1',
  '223.255.255.255',
  '::ffff:a00:1',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  'fd00::1',
  'fec0::1',
  '2001:db8::7f00:1',
  '2001:db8::1%eth0',
];

describe('the address of a target', () => {
  it.each([...LOOPBACKS, ...OTHER_SPECIAL])('%s is special', (address) => {
    expect(isSpecialAddress(address)).toBe(true);
  });

  it.each(ORDINARY)('%s is that of another host', (address) => {
    expect([isSpecialAddress(address), isLoopbackAddress(address), isOwnAddress(address)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it.each(LOOPBACKS)('%s is loopback, and of this machine', (address) => {
    expect([isLoopbackAddress(address), isOwnAddress(address)]).toEqual([true, true]);
  });

  it.each(['0.0.0.0', '::', '0:0:0:0:0:0:0:0', '::ffff:0:0', '::%lo'])('%s connects to this machine', (address) => {
    expect([isLoopbackAddress(address), isOwnAddress(address)]).toEqual([false, true]);
  });

  it('is of this machine by each address of its interfaces, also when IPv4 is written as IPv6', () => {
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const texts = own.flatMap(({ address, family }) => {
      if (family === 'IPv6') return [address, address.toUpperCase()];
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
      const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16));
      return [address, `::ffff:${address}`, `::ffff:${groups.join(':')}`, `0:0:0:0:0:ffff:${address}`];
    });
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => !isOwnAddress(text))).toEqual([]);
  });

  it.each(['', 'localhost', '127.1', '0x7f.0.0.1', '010.0.0.1', '1::2::3'])(
    '%j, which is no address, is refused',
    (text) => {
      expect([isSpecialAddress(text), isLoopbackAddress(text)]).toEqual([true, false]);
    },
  );
});
