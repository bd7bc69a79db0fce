import { describe, expect, it } from 'vitest';
import { advertisedAddress } from './advertised-address.ts';

const face = (address: string, internal = false) => ({
  address,
  internal,
  family: address.includes(':') ? ('IPv6' as const) : ('IPv4' as const),
  netmask: '',
  mac: '',
  cidr: null,
  scopeid: 0,
});
const MACHINE = { lo: [face('127.0.0.1', true)], eth0: [face('fe80::1'), face('fd00::5'), face('10.0.0.5')] };

describe('the advertised address', () => {
  it.each([
    ['10.1.1.1', '127.0.0.1', '10.1.1.1'],
    [undefined, '10.2.2.2', '10.2.2.2'],
    [undefined, '0.0.0.0', '10.0.0.5'],
    [undefined, '::', '10.0.0.5'],
    [undefined, '127.0.0.1', '10.0.0.5'],
  ])('of %s and a server on %s is %s', (advertiseAddress, bindAddress, expected) => {
    expect(advertisedAddress({ advertiseAddress, bindAddress }, MACHINE)).toBe(expected);
  });

  it('is unknown on a machine without interfaces', () => {
    const choice = { advertiseAddress: undefined, bindAddress: '127.0.0.1' };
    expect(advertisedAddress(choice, { lo: MACHINE.lo })).toBeUndefined();
  });
});
