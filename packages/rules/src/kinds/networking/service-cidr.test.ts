import { describe, expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const serviceCidr = builtInKind('networking/v1.ServiceCIDR');

describe('a ServiceCIDR', () => {
  it.each([
    [['10.5.0.0/24'], ''],
    [['10.5.0.0/24', '2001:db8::/64'], ''],
    [[], 'spec.cidrs: Required value: at least one CIDR required'],
    [
      ['10.5.0.0/24', '10.6.0.0/24', '10.7.0.0/24'],
      'spec.cidrs: Invalid value: {"CIDRs":["10.5.0.0/24","10.6.0.0/24","10.7.0.0/24"]}: may only hold up to 2 values',
    ],
    [
      ['10.5.0.0/24', '10.6.0.0/24'],
      'spec.cidrs: Invalid value: ["10.5.0.0/24","10.6.0.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
    ],
    [['2001:DB8::/64'], 'spec.cidrs[0]: Invalid value: "2001:DB8::/64": must be in canonical form ("2001:db8::/64")'],
  ])('of %j is validated', (cidrs, expected) => {
    expect(complaints(serviceCidr, { spec: { cidrs } })).toBe(expected);
  });

  it('may get a range of the other family, and no other change', () => {
    const old = created(serviceCidr, { spec: { cidrs: ['10.5.0.0/24'] } });
    const change = (...cidrs: readonly string[]): string => changeComplaints(serviceCidr, old, { spec: { cidrs } });
    expect(change('10.5.0.0/24', '2001:db8::/64')).toBe('');
    expect(change('10.6.0.0/24')).toBe('spec.cidrs[0]: Invalid value: "10.6.0.0/24": field is immutable');
    expect(change()).toBe('spec.cidrs: Invalid value: []: field is immutable');
    expect(change('10.5.0.0/24', 'x')).toMatch(/^spec\.cidrs\[1\]: Invalid value: "x": must be a valid CIDR value/);
  });

  it('shows its ranges', () => {
    const object = created(serviceCidr, { spec: { cidrs: ['10.5.0.0/24', '2001:db8::/64'] } });
    expect(serviceCidr.columns.cells(object, 0)).toEqual(['a', '10.5.0.0/24,2001:db8::/64', '<unknown>']);
  });
});
