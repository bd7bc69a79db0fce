/** The quota usage of a Service: its count, its load balancer and its node ports. */

import { numberOf, Quantity, recordOf, recordsOf } from '@listwatch/api/values';
import type { CountedObject } from './counted-object.ts';
import type { Amounts } from './pod-resources.ts';
import { countName, type UsageRule } from './usage-rule.ts';

const COUNT = countName('', 'services');
const NAMES: readonly string[] = [COUNT, 'services', 'services.nodeports', 'services.loadbalancers'];

/** The rule of Services. Updates count too, because the type may change. */
export const serviceUsageRule: UsageRule = {
  counts: ({ subresource }) => subresource === '',
  concerns: (name) => NAMES.includes(name),
  usage,
};

function usage(service: CountedObject): Amounts {
  const spec = recordOf(service['spec']);
  const isBalanced = spec['type'] === 'LoadBalancer';
  return new Map([
    [COUNT, Quantity.of(1)],
    ['services', Quantity.of(1)],
    ['services.loadbalancers', Quantity.of(isBalanced ? 1 : 0)],
    ['services.nodeports', Quantity.of(isBalanced || spec['type'] === 'NodePort' ? nodePorts(spec) : 0)],
  ]);
}

/** The ports that will get a node port. With `allocateLoadBalancerNodePorts: false` only ports that name one do. */
function nodePorts({ type, ports, allocateLoadBalancerNodePorts }: Readonly<Record<string, unknown>>): number {
  const all = recordsOf(ports);
  const asked = type === 'LoadBalancer' && allocateLoadBalancerNodePorts === false;
  return asked ? all.filter(({ nodePort }) => numberOf(nodePort) !== 0).length : all.length;
}
