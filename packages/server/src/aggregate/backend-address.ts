/** Where the Service of an APIService is reached, or why it is not. Pure. */

import { isRecord, listOf, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import type { ServiceReference } from './api-service-view.ts';

/** A name or an IP address, and a port. */
export interface BackendAddress {
  readonly host: string;
  readonly port: number;
  /** The name of an ExternalName Service: it may be a name of this machine, which an endpoint may not be. */
  readonly isExternal: boolean;
}

/** What is wrong, as the condition `Available` says it. */
export interface BackendProblem {
  readonly reason: 'EndpointsNotFound' | 'MissingEndpoints' | 'ServiceNotFound' | 'ServicePortError';
  readonly message: string;
}

export type BackendPlace =
  | { readonly type: 'addresses'; readonly addresses: readonly BackendAddress[] }
  | { readonly type: 'problem'; readonly problem: BackendProblem };

/**
 * The ready endpoints of a Service, or the name of an ExternalName one. `slices` are those of the Service. There are no cluster IPs
 * to connect to: kube-apiserver does the same with `--enable-aggregator-routing`.
 */
export function backendPlace(
  reference: ServiceReference,
  service: KubeObject | undefined,
  slices: readonly KubeObject[],
): BackendPlace {
  const { namespace, name, port } = reference;
  const place = `service/${name} in ${JSON.stringify(namespace)}`;
  if (service === undefined) return problem('ServiceNotFound', `${place} is not present`);
  const spec = recordOf(service['spec']);
  if (spec['type'] === 'ExternalName') {
    return { type: 'addresses', addresses: [{ host: textOf(spec['externalName']), port, isExternal: true }] };
  }
  const found = recordsOf(spec['ports']).find((one) => numberOf(one['port']) === port);
  if (found === undefined) return problem('ServicePortError', `${place} is not listening on port ${port}`);
  if (slices.length === 0) return problem('EndpointsNotFound', `cannot find endpointslices for ${place}`);
  const portName = textOf(found['name']);
  // The primary family of the Service, as kube-apiserver. Slices without a family are of IPv4, and names are nobody's addresses.
  const family = listOf(spec['ipFamilies'])[0] === 'IPv6' ? 'IPv6' : 'IPv4';
  const addresses = slices
    .filter(({ addressType }) => (textOf(addressType) || 'IPv4') === family)
    .flatMap((slice) => readyAddresses(slice, portName));
  if (addresses.length > 0) return { type: 'addresses', addresses };
  return problem(
    'MissingEndpoints',
    `endpointslices for ${place} have no addresses with port name ${JSON.stringify(portName)}`,
  );
}

/** A random one: backends share the load, and one that is dead is not asked for ever. */
export function anyAddress(addresses: readonly BackendAddress[]): BackendAddress | undefined {
  return addresses[Math.floor(Math.random() * addresses.length)];
}

/** As kube-apiserver asks. */
const CHECKS = 5;

/** The addresses of one check: random ones, so that a Service with many dead endpoints and a good one passes before long. */
export function checkedAddresses(addresses: readonly BackendAddress[]): readonly BackendAddress[] {
  const left = [...addresses];
  const chosen: BackendAddress[] = [];
  while (chosen.length < CHECKS && left.length > 0) {
    chosen.push(...left.splice(Math.floor(Math.random() * left.length), 1));
  }
  // Fewer are asked several times: one good answer is enough.
  return Array.from({ length: CHECKS }, (_, index) => chosen[index % chosen.length]).filter((one) => one !== undefined);
}

function readyAddresses(slice: KubeObject, portName: string): readonly BackendAddress[] {
  const found = recordsOf(slice['ports']).find((one) => textOf(one['name']) === portName);
  const port = numberOf(found?.['port']);
  if (port === 0) return [];
  return recordsOf(slice['endpoints'])
    .filter(({ conditions }) => !isRecord(conditions) || conditions['ready'] !== false)
    .flatMap(({ addresses }) => listOf(addresses).slice(0, 1))
    .map((host) => ({ host: textOf(host), port, isExternal: false }));
}

function problem(reason: BackendProblem['reason'], message: string): BackendPlace {
  return { type: 'problem', problem: { reason, message } };
}
