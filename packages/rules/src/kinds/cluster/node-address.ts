/** The address of the kubelet of a node. */

import { numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';

/** The order of preference of kube-apiserver's `--kubelet-preferred-address-types`. */
const PREFERRED = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];
const KUBELET_PORT = 10_250;

/** `host:port`; undefined when the node has no address. */
export function kubeletAddress(node: KubeObject): string | undefined {
  const status = recordOf(node['status']);
  const addresses = recordsOf(status['addresses']);
  const found = PREFERRED.map((type) => addresses.find((one) => one['type'] === type)).find((one) => one !== undefined);
  if (found === undefined) return undefined;
  const host = textOf(found['address']);
  const port = numberOf(recordOf(recordOf(status['daemonEndpoints'])['kubeletEndpoint'])['Port']) || KUBELET_PORT;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
