import { describe, expect, it } from 'vitest';
import { isUnspecified, servingNames } from './serving-names.ts';

const machine = { hostname: 'Box.lan', addresses: ['127.0.0.1', '10.0.0.5', '2001:db8::5'] };

describe('the names of a server', () => {
  it('are those of the loopback, of kube-apiserver in a cluster, and the address it listens on', () => {
    expect(servingNames('10.0.0.5', machine)).toEqual({
      dnsNames: [
        'localhost',
        'kubernetes',
        'kubernetes.default',
        'kubernetes.default.svc',
        'kubernetes.default.svc.cluster.local',
      ],
      ipAddresses: ['127.0.0.1', '::1', '10.0.0.5'],
    });
  });

  it.each(['0.0.0.0', '::'])("on %s are all of the machine's, each once", (address) => {
    const { dnsNames, ipAddresses } = servingNames(address, machine);
    expect(dnsNames).toContain('box.lan');
    expect(ipAddresses).toEqual(['127.0.0.1', '::1', '10.0.0.5', '2001:db8::5']);
  });

  it('leave out a host name that no certificate can say', () => {
    expect(servingNames('::', { ...machine, hostname: 'my_laptop' }).dnsNames).not.toContain('my_laptop');
  });

  it('on this machine are found', () => {
    expect(servingNames('0.0.0.0').ipAddresses).toContain('127.0.0.1');
  });

  it.each([
    ['0.0.0.0', true],
    ['::', true],
    ['0:0:0:0:0:0:0:0', true],
    ['::1', false],
    ['10.0.0.0', false],
  ])('%s stands for all addresses: %s', (address, expected) => {
    expect(isUnspecified(address)).toBe(expected);
  });
});
