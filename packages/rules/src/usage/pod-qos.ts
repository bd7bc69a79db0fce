/** The QoS class of a pod: the order of eviction when its node runs out of a resource. */

import { type JsonRecord, quantityOf, recordOf, recordsOf } from '@listwatch/api/values';

/** The QoS classes; pods of the first are evicted last. */
export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

const COUNTED = ['cpu', 'memory'] as const;

/** The class of a pod: Guaranteed when every request equals its limit, BestEffort when there are neither. */
export function podQosClass(spec: JsonRecord): QosClass {
  const containers = [...recordsOf(spec['containers']), ...recordsOf(spec['initContainers'])];
  const owners = spec['resources'] === undefined ? containers : [spec];
  const amounts = owners.flatMap((owner) => {
    const resources = recordOf(owner['resources']);
    const { requests, limits } = { requests: recordOf(resources['requests']), limits: recordOf(resources['limits']) };
    return COUNTED.map((name) => ({ request: amount(requests[name]), limit: amount(limits[name]) }));
  });
  if (amounts.every(({ request, limit }) => request === 0n && limit === 0n)) return 'BestEffort';
  return amounts.every(({ request, limit }) => limit > 0n && request === limit) ? 'Guaranteed' : 'Burstable';
}

function amount(quantity: unknown): bigint {
  return quantity === undefined ? 0n : quantityOf(quantity).nanos;
}
