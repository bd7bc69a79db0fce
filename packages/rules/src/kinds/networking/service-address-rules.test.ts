import { fieldErrorsText } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../kube-object.ts';
import { validateServiceAddresses } from './service-address-rules.ts';

const RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';

function service(spec: object, annotations: Readonly<Record<string, string>> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a', annotations }, spec };
}

describe('the addresses of a Service', () => {
  it.each<readonly [object, string]>([
    [{ externalIPs: ['1.2.3.4'] }, ''],
    [
      { externalIPs: ['x'] },
      'spec.externalIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    [
      { externalIPs: ['127.0.0.1'] },
      'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
    [{ type: 'LoadBalancer', loadBalancerSourceRanges: [' 10.0.0.0/8 '] }, ''],
    [
      { type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.1/8'] },
      'spec.LoadBalancerSourceRanges[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
    ],
    [
      { type: 'LoadBalancer', loadBalancerClass: '-' },
      expect.stringContaining('spec.loadBalancerClass: Invalid value: "-"'),
    ],
  ])('%j', (spec, text) => {
    expect(fieldErrorsText(validateServiceAddresses(service(spec)))).toEqual(text);
  });

  it('are read from an annotation, too, where there is a load balancer', () => {
    expect(fieldErrorsText(validateServiceAddresses(service({}, { [RANGES]: '10.0.0.0/8' })))).toBe(
      `metadata.annotations[${RANGES}]: Forbidden: may only be used when \`type\` is 'LoadBalancer'`,
    );
    expect(
      fieldErrorsText(validateServiceAddresses(service({ type: 'LoadBalancer' }, { [RANGES]: '10.0.0.0/8,x' }))),
    ).toMatch('Invalid value: "x"');
  });

  it('that an older server has taken may stay', () => {
    const wrong = service({ externalIPs: ['x'] });
    expect(validateServiceAddresses(wrong, wrong)).toEqual([]);
    expect(validateServiceAddresses(service({ externalIPs: ['y'] }), wrong)).toHaveLength(1);
  });
});
