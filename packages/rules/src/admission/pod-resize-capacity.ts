/** PodResizeValidator: refuses to resize a Pod beyond the capacity of its node. */

import { failure, forbidden, quote } from '@listwatch/api';
import { Quantity, recordOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import { amountMap, podAmounts } from '../usage/pod-resources.ts';
import type { AdmissionPlugin, AdmissionRequest, ObjectLookup } from './admission-plugin.ts';

const OS = 'kubernetes.io/os';

/** The plugin, with the Nodes that it reads. */
export function podResizeCapacity(node: ObjectLookup): AdmissionPlugin {
  return {
    name: 'PodResizeValidator',
    types: ['core/v1.Pod'],
    subresources: ['resize'],
    validate(request) {
      const { object, old, subresource } = request;
      const name = textOf(recordOf(object['spec'])['nodeName']);
      const isUnchanged = object.metadata.generation === old?.metadata.generation;
      if (subresource !== 'resize' || old === undefined || name === '' || isUnchanged) return;
      const found = node('', name);
      if (found === undefined) throw refusal(request, `node ${quote(name)} not found`);
      const os = found.metadata.labels?.[OS] ?? 'linux';
      if (os !== 'linux') {
        const why = `pod resize is only supported on linux nodes, node ${quote(name)} is ${quote(os)}`;
        throw refusal(request, why, 'UnsupportedPlatform');
      }
      const lacking = lackingOn(found, object);
      if (lacking.length === 0) return;
      const why = `node didn't have enough allocatable resources: ${lacking.join('; ')}`;
      throw refusal(request, why, 'NodeCapacity');
    },
  };
}

function refusal({ resource, object }: AdmissionRequest, why: string, reason?: string): Error {
  const refused = forbidden(resource, object.metadata.name ?? '', why);
  if (reason === undefined) return refused;
  const { message = '', details } = refused.status;
  return failure({ code: 403, reason: 'Forbidden', message, details: { ...details, causes: [{ reason }] } });
}

function lackingOn(node: KubeObject, pod: KubeObject): readonly string[] {
  const allocatable = amountMap(recordOf(node['status'])['allocatable']);
  const requests = podAmounts(recordOf(pod['spec']), 'requests');
  return [
    { name: 'cpu', power: -3 },
    { name: 'memory', power: 0 },
  ].flatMap(({ name, power }) => {
    const [asked, there] = [requests.get(name) ?? Quantity.ZERO, allocatable.get(name) ?? Quantity.ZERO];
    if (asked.compare(there) <= 0) return [];
    return [`${name}, requested: ${asked.value(power)}, allocatable: ${there.value(power)}`];
  });
}
