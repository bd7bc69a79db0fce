import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../kube-object.ts';
import { service } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const ports = [{ port: 80 }];

function updated(old: KubeObject, spec: object): unknown {
  return service.strategy.prepareForUpdate({ ...old, spec }, old, 0)['spec'];
}

describe('a Service', () => {
  it('that says least gets all defaults and no status', () => {
    const object = created(service, { spec: { ports }, status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } });
    expect(object).toMatchObject({
      spec: {
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
        type: 'ClusterIP',
        sessionAffinity: 'None',
        internalTrafficPolicy: 'Cluster',
      },
      status: { loadBalancer: {} },
    });
    expect(object['spec']).not.toHaveProperty('externalTrafficPolicy');
  });

  it.each([
    [{ type: 'NodePort' }, { externalTrafficPolicy: 'Cluster', internalTrafficPolicy: 'Cluster' }],
    [{ type: 'LoadBalancer' }, { allocateLoadBalancerNodePorts: true, externalTrafficPolicy: 'Cluster' }],
    [{ sessionAffinity: 'ClientIP' }, { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } }],
    [{ clusterIP: '10.96.0.9' }, { clusterIPs: ['10.96.0.9'] }],
    [{ ports: [{ port: 80, targetPort: 'web' }] }, { ports: [{ port: 80, targetPort: 'web' }] }],
  ])('with %j is completed', (spec, expected) => {
    expect(created(service, { spec: { ports, ...spec } })).toMatchObject({ spec: expected });
  });

  it.each([
    ['one port', { ports }, ''],
    ['no ports', {}, 'spec.ports: Required value'],
    ['no ports and no address', { clusterIP: 'None' }, ''],
    [
      'a port of zero',
      { ports: [{ port: 0, targetPort: 1 }] },
      'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
    ],
    [
      'a protocol of its own',
      { ports: [{ port: 1, protocol: 'x' }] },
      'spec.ports[0].protocol: Unsupported value: "x": supported values: "SCTP", "TCP", "UDP"',
    ],
    [
      'two unnamed ports',
      { ports: [{ port: 1 }, { port: 2 }] },
      '[spec.ports[0].name: Required value, spec.ports[1].name: Required value]',
    ],
    [
      'two ports of one name',
      {
        ports: [
          { name: 'a', port: 1 },
          { name: 'a', port: 2 },
        ],
      },
      'spec.ports[1].name: Duplicate value: "a"',
    ],
    [
      'one port twice',
      {
        ports: [
          { name: 'a', port: 1 },
          { name: 'b', port: 1 },
        ],
      },
      'spec.ports[1]: Duplicate value: {"protocol":"TCP","port":1,"targetPort":0}',
    ],
    [
      'a bad target',
      { ports: [{ port: 1, targetPort: '--' }] },
      '[spec.ports[0].targetPort: Invalid value: "--": must contain at least one letter (a-z), spec.ports[0].targetPort: Invalid value: "--": must not contain consecutive hyphens, spec.ports[0].targetPort: Invalid value: "--": must not begin or end with a hyphen]',
    ],
    [
      'an unknown type',
      { ports, type: 'x' },
      'spec.type: Unsupported value: "x": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
    [
      'a port on nodes it does not use',
      { ports: [{ port: 1, nodePort: 30_000 }] },
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    ],
    [
      'an address that is none',
      { ports, clusterIP: 'x' },
      'spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    ['a name without a name', { type: 'ExternalName' }, 'spec.externalName: Required value'],
    ['a name', { type: 'ExternalName', externalName: 'example.com.' }, ''],
    [
      'a name with an unknown policy',
      { type: 'ExternalName', externalName: 'example.com', internalTrafficPolicy: 'Other' },
      'spec.internalTrafficPolicy: Unsupported value: "Other": supported values: "Cluster", "Local"',
    ],
    [
      'a name and an address',
      { type: 'ExternalName', externalName: 'example.com', clusterIP: '10.0.0.1' },
      'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
    ],
    [
      'ports on nodes and no address',
      { type: 'NodePort', ports, clusterIP: 'None' },
      `spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for NodePort services`,
    ],
  ])('with %s is validated', (_, spec, expected) => {
    expect(complaints(service, { spec })).toBe(expected);
  });

  it('keeps what it was given when a client leaves it out', () => {
    const given = {
      clusterIP: '10.96.0.9',
      clusterIPs: ['10.96.0.9'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    };
    const old = created(service, { spec: { ports: [{ port: 80, nodePort: 30_001 }], type: 'NodePort', ...given } });
    expect(updated(old, { ports, type: 'NodePort' })).toMatchObject({ ...given, ports: [{ nodePort: 30_001 }] });
    expect(updated(old, { type: 'ExternalName', externalName: 'x', ...given })).not.toHaveProperty('clusterIP');
    const plain = updated(old, { ports: [{ port: 80, nodePort: 30_001 }], type: 'ClusterIP' });
    expect(plain).toMatchObject({ ports: [{ port: 80 }] });
    expect(JSON.stringify(plain)).not.toContain('nodePort');
  });

  it('keeps its address', () => {
    const old = created(service, { spec: { ports, clusterIP: '10.96.0.9' } });
    expect(changeComplaints(service, old, { spec: { ports, clusterIP: '10.96.0.10' } })).toBe(
      'spec.clusterIPs[0]: Invalid value: ["10.96.0.10"]: may not change once set',
    );
    expect(changeComplaints(service, old, { spec: { ports } })).toBe('');
  });

  it.each([
    ['ClusterIP', {}, '<none>', '80/TCP'],
    ['NodePort', { ports: [{ port: 80, nodePort: 30_001 }], externalIPs: ['1.2.3.4'] }, '1.2.3.4', '80:30001/TCP'],
    ['LoadBalancer', {}, '<pending>', '80/TCP'],
    ['ExternalName', { externalName: 'x.y', ports: [] }, 'x.y', '<none>'],
  ])('of type %s shows how it is reached', (type, spec, external, shownPorts) => {
    const object = created(service, { spec: { ports, type, selector: { a: 'b' }, ...spec } });
    expect(service.columns.cells(object, 0)).toEqual(['a', type, '<none>', external, shownPorts, '<unknown>', 'a=b']);
  });

  it('may have a name that begins with a digit', () => {
    expect(service.strategy.checkName('1a', false)).toEqual([]);
    expect(service.strategy.checkName('A', false)).toHaveLength(1);
  });
});
