import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allocateClusterIp,
  clusterIpProblem,
  DEFAULT_SERVICE_RANGE,
  firstServiceIp,
  parseServiceRange,
} from './cluster-ip-allocator.ts';

const range = parseServiceRange(DEFAULT_SERVICE_RANGE);
const small = parseServiceRange('10.0.0.0/27');
const free = (): boolean => false;

describe('a range of services', () => {
  it('begins behind the address of its network', () => {
    expect(firstServiceIp(range)).toBe('10.96.0.1');
    expect(range.size).toBe(2 ** 20 - 2);
  });

  it.each([
    '',
    '10.0.0.0',
    '10.0.0.1/24',
    '10.0.0.0/31',
    '10.0.0.0/x',
    '10.0.0/24',
    '2001:db8::/128',
    '2001:db8::1/64',
  ])('is not %s', (cidr) => {
    expect(() => parseServiceRange(cidr)).toThrow(TypeError);
  });
});

describe('a range of IPv6', () => {
  it('has all addresses but that of its network', () => {
    const pair = parseServiceRange('fd00::/126');
    expect([pair.family, pair.size, firstServiceIp(pair)]).toEqual(['IPv6', 3, 'fd00::1']);
    expect(clusterIpProblem(pair, 'fd00::3', free)).toBeUndefined();
    for (const ip of ['fd00::', 'fd00::4', '10.0.0.1']) {
      expect(clusterIpProblem(pair, ip, free)).toContain('does not match the current range');
    }
  });

  it('may be larger than a number can count', () => {
    const wide = parseServiceRange('fd00:1234::/48');
    expect(allocateClusterIp(wide, free, () => 0)).toBe('fd00:1234::101');
    expect(allocateClusterIp(wide, free, () => 0.999_999_999_999)).toMatch(/^fd00:1234::1f:/u);
    expect(clusterIpProblem(wide, 'fd00:1234:0:ffff::9', free)).toBeUndefined();
  });
});

describe('allocateClusterIp', () => {
  it('leaves the lower part of a range to authors', () => {
    expect(allocateClusterIp(range, free, () => 0)).toBe('10.96.1.1');
    expect(allocateClusterIp(range, free, () => 0.999_999_99)).toBe('10.111.255.254');
  });

  it('gives every address once, also the lower ones, and then none', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 7 }), (dice) => {
        const taken = new Set<string>();
        const next = (): number => dice[taken.size % dice.length] ?? 0;
        for (let count = 0; count < small.size; count++) {
          const ip = allocateClusterIp(small, (known) => taken.has(known), next);
          expect(clusterIpProblem(small, ip ?? '', (known) => taken.has(known))).toBeUndefined();
          taken.add(ip ?? '');
        }
        expect(taken.size).toBe(30);
        expect(allocateClusterIp(small, (known) => taken.has(known), next)).toBeUndefined();
      }),
    );
  });
});

describe('clusterIpProblem', () => {
  it.each([
    ['10.96.0.5', undefined],
    ['10.96.0.0', 'does not match the current range'],
    ['10.111.255.255', 'does not match the current range'],
    ['10.112.0.1', 'does not match the current range'],
    ['192.168.0.1', 'does not match the current range'],
    ['10.96.0.9', 'failed to allocate IP 10.96.0.9: provided IP is already allocated'],
  ])('of %s is %s', (ip, expected) => {
    const problem = clusterIpProblem(range, ip, (known) => known === '10.96.0.9');
    expect(problem).toEqual(expected === undefined ? undefined : expect.stringContaining(expected));
  });
});
