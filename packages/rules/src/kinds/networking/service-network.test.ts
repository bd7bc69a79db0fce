import { recordOf } from '@listwatch/api/values';
import { describe, expect, it } from 'vitest';
import { service } from '../../strategy/built-in-definitions.fixture.ts';
import { created } from '../../strategy/kind.fixture.ts';
import { parseServiceRange } from './cluster-ip-allocator.ts';
import { type ServiceNetwork, serviceAddresses, withServiceNetwork } from './service-network.ts';

const network: ServiceNetwork = {
  ranges: [parseServiceRange('10.96.0.0/12')],
  families: ['IPv4'],
  isIpInUse: (ip) => ip === '10.96.1.1',
  isNodePortInUse: (port) => port === 30_000,
  random: () => 0,
};

const specOf = (spec: object): unknown => withServiceNetwork(created(service, { spec }), network)['spec'];
const ports = [{ port: 80 }];

describe('withServiceNetwork', () => {
  it('gives a service the next free address', () => {
    expect(specOf({ ports })).toMatchObject({
      clusterIP: '10.96.1.2',
      clusterIPs: ['10.96.1.2'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    });
  });

  it.each([
    [
      'no address',
      { clusterIP: 'None', selector: { a: 'b' } },
      { clusterIP: 'None', ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] },
    ],
    [
      'no address and no pods',
      { clusterIP: 'None' },
      { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6'] },
    ],
    ['its own address', { ports, clusterIP: '10.96.0.77' }, { clusterIP: '10.96.0.77' }],
    [
      'ports on nodes',
      {
        ports: [
          { name: 'a', port: 1 },
          { name: 'b', port: 2 },
        ],
        type: 'NodePort',
      },
      { ports: [{ nodePort: 30_001 }, { nodePort: 30_002 }] },
    ],
    [
      'one port on nodes of its own and any other',
      {
        ports: [
          { name: 'a', port: 1 },
          { name: 'b', port: 2, nodePort: 30_001 },
        ],
        type: 'NodePort',
      },
      { ports: [{ nodePort: 30_002 }, { nodePort: 30_001 }] },
    ],
    [
      'its own port on nodes',
      { ports: [{ port: 1, nodePort: 31_000 }], type: 'NodePort' },
      { ports: [{ nodePort: 31_000 }] },
    ],
  ])('gives a service that wants %s', (_, spec, expected) => {
    expect(specOf(spec)).toMatchObject(expected);
  });

  it.each([
    [
      'an address that is taken',
      { ports, clusterIP: '10.96.1.1' },
      'Service "a" is invalid: spec.clusterIPs: Invalid value: ["10.96.1.1"]: failed to allocate IP 10.96.1.1: provided IP is already allocated',
    ],
    ['an address of elsewhere', { ports, clusterIP: '1.2.3.4' }, 'does not match the current range'],
    [
      'a port that is taken',
      { ports: [{ port: 1, nodePort: 30_000 }], type: 'NodePort' },
      'spec.ports[0].nodePort: Invalid value: 30000: provided port is already allocated',
    ],
    [
      'a port that nodes need',
      { ports: [{ port: 1, nodePort: 22 }], type: 'NodePort' },
      'provided port is not in the valid range. The range of valid ports is 30000-32767',
    ],
  ])('refuses %s', (_, spec, message) => {
    expect(() => specOf(spec)).toThrow(message);
  });

  it('leaves a mere name alone', () => {
    const object = created(service, { spec: { type: 'ExternalName', externalName: 'x' } });
    expect(withServiceNetwork(object, network)).toBe(object);
  });

  it('does not ask again for what a service has', () => {
    const old = created(service, {
      spec: { ports: [{ port: 1, nodePort: 30_000 }], type: 'NodePort', clusterIP: '10.96.1.1' },
    });
    expect(withServiceNetwork(old, network, old)['spec']).toMatchObject({
      clusterIP: '10.96.1.1',
      ports: [{ nodePort: 30_000 }],
    });
  });

  it('says when nothing is left', () => {
    const full = { ...network, isIpInUse: () => true, ranges: [parseServiceRange('10.0.0.0/29')] };
    expect(() => withServiceNetwork(created(service, { spec: { ports } }), full)).toThrow('range is full');
  });
});

describe('a cluster of two IP families', () => {
  const both: ServiceNetwork = {
    ...network,
    ranges: [parseServiceRange('10.96.0.0/12'), parseServiceRange('fd00::/108')],
    families: ['IPv4', 'IPv6'],
  };
  const inBoth = (spec: object, old?: object): Record<string, unknown> => {
    const object = created(service, { spec });
    return recordOf(
      withServiceNetwork(object, both, old === undefined ? undefined : created(service, { spec: old }))['spec'],
    );
  };

  it.each([
    ['SingleStack', undefined, undefined, ['10.96.1.2'], ['IPv4']],
    ['SingleStack', undefined, ['IPv6'], ['fd00::101'], ['IPv6']],
    ['PreferDualStack', undefined, undefined, ['10.96.1.2', 'fd00::101'], ['IPv4', 'IPv6']],
    ['RequireDualStack', undefined, ['IPv6'], ['fd00::101', '10.96.1.2'], ['IPv6', 'IPv4']],
    ['RequireDualStack', ['fd00::9'], undefined, ['fd00::9', '10.96.1.2'], ['IPv6', 'IPv4']],
    ['SingleStack', ['fd00::9'], undefined, ['fd00::9'], ['IPv6']],
  ])('gives a %s Service that names %j and %j its addresses', (policy, ips, families, clusterIPs, ipFamilies) => {
    const named = { ...(ips && { clusterIP: ips[0], clusterIPs: ips }), ...(families && { ipFamilies: families }) };
    const spec = inBoth({ ports, ipFamilyPolicy: policy, ...named });
    expect(spec).toMatchObject({ clusterIP: clusterIPs[0], clusterIPs, ipFamilies, ipFamilyPolicy: policy });
  });

  it('adds and takes away the second address with the policy, and keeps the first', () => {
    const single = inBoth({ ports, ipFamilyPolicy: 'SingleStack' });
    const dual = inBoth({ ...single, ipFamilyPolicy: 'PreferDualStack' }, single);
    expect(dual).toMatchObject({ clusterIPs: ['10.96.1.2', 'fd00::101'], ipFamilies: ['IPv4', 'IPv6'] });
    expect(inBoth({ ...dual, sessionAffinity: 'None' }, dual)).toMatchObject({ clusterIPs: dual['clusterIPs'] });
    const back = inBoth({ ...dual, ipFamilyPolicy: 'SingleStack' }, dual);
    expect(back).toMatchObject({ clusterIP: '10.96.1.2', clusterIPs: ['10.96.1.2'], ipFamilies: ['IPv4'] });
    expect(() => inBoth({ ...dual, clusterIPs: ['10.96.1.2'], ipFamilies: ['IPv4'] }, dual)).toThrow(
      "must be 'SingleStack' to release the secondary cluster IP",
    );
  });

  it('does not upgrade a Service that prefers two stacks when the cluster gets a second one', () => {
    const spec = { ports, ipFamilyPolicy: 'PreferDualStack' };
    const before = recordOf(withServiceNetwork(created(service, { spec }), network)['spec']);
    expect(before).toMatchObject({ clusterIPs: ['10.96.1.2'], ipFamilies: ['IPv4'] });
    expect(inBoth(before, before)).toMatchObject({ clusterIPs: ['10.96.1.2'], ipFamilies: ['IPv4'] });
  });

  it('gives a headless Service with a selector its families, and no address', () => {
    const spec = inBoth({ clusterIP: 'None', selector: { a: 'b' }, ipFamilyPolicy: 'RequireDualStack' });
    expect(spec).toMatchObject({ clusterIPs: ['None'], ipFamilies: ['IPv4', 'IPv6'] });
  });

  it('knows an address in any of its texts', () => {
    const taken = { ...both, isIpInUse: (ip: string) => ip === 'fd00::7' };
    const spec = { ports, clusterIP: 'fd00:0:0::0007', clusterIPs: ['fd00:0:0::0007'] };
    expect(() => withServiceNetwork(created(service, { spec }), taken)).toThrow('provided IP is already allocated');
    expect(serviceAddresses(created(service, { spec })).ips).toEqual(['fd00::7']);
  });
});

describe('a cluster of IPv4 alone', () => {
  it.each([
    [{ ipFamilyPolicy: 'RequireDualStack' }, 'this cluster is not configured for dual-stack services'],
    [{ ipFamilies: ['IPv6'] }, 'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
    [{ clusterIP: 'fd00::1' }, 'IPv6 is not configured on this cluster'],
  ])('refuses %j', (spec, message) => {
    expect(() => specOf({ ports, ...spec })).toThrow(message);
  });
});

describe('serviceAddresses', () => {
  it('lists what a service takes from others', () => {
    const spec = {
      ports: [
        { name: 'a', port: 1, nodePort: 30_005 },
        { name: 'b', port: 2 },
      ],
      type: 'NodePort',
      clusterIP: '10.96.0.3',
    };
    expect(serviceAddresses(created(service, { spec }))).toEqual({ ips: ['10.96.0.3'], nodePorts: [30_005] });
    expect(serviceAddresses(created(service, { spec: { clusterIP: 'None' } }))).toEqual({ ips: [], nodePorts: [] });
  });
});
