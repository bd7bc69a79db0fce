import { recordOf } from '@listwatch/api/values';
import { describe, expect, it } from 'vitest';
import { service } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created } from '../../strategy/kind.fixture.ts';

const spec = { clusterIP: 'None', clusterIPs: ['None'], ports: [{ port: 80 }] };

describe('the traffic of a Service', () => {
  it.each([
    ['no wishes', {}, ''],
    [
      'an affinity without end',
      { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } },
      'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400',
    ],
    [
      'unknown families',
      { ipFamilies: ['X'], ipFamilyPolicy: 'Y' },
      '[spec.ipFamilies[0]: Unsupported value: "X": supported values: "IPv4", "IPv6", ' +
        'spec.ipFamilyPolicy: Unsupported value: "Y": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"]',
    ],
    [
      'a policy for traffic that cannot come',
      { externalTrafficPolicy: 'Local' },
      'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
    ],
    [
      'an unknown policy',
      { internalTrafficPolicy: 'X' },
      'spec.internalTrafficPolicy: Unsupported value: "X": supported values: "Cluster", "Local"',
    ],
    [
      'a class of balancers and none',
      { loadBalancerClass: 'a' },
      "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
    ],
    [
      'a port for checks that nobody does',
      { healthCheckNodePort: 30000 },
      "spec.healthCheckNodePort: Invalid value: 30000: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    ],
    [
      'an unknown distribution',
      { trafficDistribution: 'X' },
      'spec.trafficDistribution: Unsupported value: "X": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
    ],
  ])('with %s is validated', (_, fields, expected) => {
    expect(complaints(service, { spec: { ...spec, ...fields } })).toBe(expected);
  });

  it('keeps the class of its load balancer', () => {
    const balanced = { type: 'LoadBalancer', loadBalancerClass: 'a.b/c', ports: [{ port: 80 }] };
    const old = created(service, { spec: balanced });
    expect(changeComplaints(service, old, { spec: { ...Object(old['spec']), loadBalancerClass: 'a.b/d' } })).toBe(
      'spec.loadBalancerClass: Invalid value: "a.b/d": may not change once set',
    );
  });

  it('is forgotten with the type that had it', () => {
    const old = created(service, { spec: { type: 'LoadBalancer', loadBalancerClass: 'a.b/c', ports: [{ port: 80 }] } });
    const to = (type: string) => {
      const changed = { ...old, spec: { ...recordOf(old['spec']), type } };
      return service.strategy.prepareForUpdate(changed, old, 0)['spec'];
    };
    expect(to('NodePort')).toMatchObject({ externalTrafficPolicy: 'Cluster', internalTrafficPolicy: 'Cluster' });
    expect(to('NodePort')).not.toHaveProperty('loadBalancerClass');
    expect(to('NodePort')).not.toHaveProperty('allocateLoadBalancerNodePorts');
    expect(to('ClusterIP')).not.toHaveProperty('externalTrafficPolicy');
    expect(to('ExternalName')).not.toHaveProperty('internalTrafficPolicy');
  });
});
