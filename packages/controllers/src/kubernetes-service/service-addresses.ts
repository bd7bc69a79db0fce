/** How the addresses of servers look as Endpoints and EndpointSlices. Pure functions. */

import { isRecord } from '@listwatch/api/values';
import type { EndpointSlice, Endpoints, ServicePort } from './service-resources.ts';

/** Where one server is reached. */
export interface ServerAddress {
  readonly ip: string;
  readonly port: number;
}

/** The Service, and all that belongs to it, in the namespace `default`. */
export const SERVICE_KEY = { namespace: 'default', name: 'kubernetes' } as const;

/** The label that ties a slice to its Service. */
export const SERVICE_LABEL = 'kubernetes.io/service-name';

/** Its slices are made here: nothing else must mirror the Endpoints into slices. */
const SKIP_MIRROR = 'endpointslice.kubernetes.io/skip-mirror';

const HTTPS = { name: 'https', protocol: 'TCP' } as const;

/** The ports of the Service for a server that listens on this port. */
export function servicePorts(port: number): readonly ServicePort[] {
  return [{ ...HTTPS, port: 443, targetPort: port }];
}

/** One subset for each port: servers on one machine differ in their ports only. */
export function endpointsOf(addresses: readonly ServerAddress[]): Pick<Endpoints, 'metadata' | 'subsets'> {
  return {
    metadata: { ...SERVICE_KEY, labels: { [SKIP_MIRROR]: 'true' } },
    subsets: byPort(addresses).map(({ port, ips }) => ({
      addresses: ips.map((ip) => ({ ip })),
      ports: [{ name: HTTPS.name, port, protocol: HTTPS.protocol }],
    })),
  };
}

/** One slice for each port and family. The first has the name of the Service, as in Kubernetes. */
export function slicesOf(
  addresses: readonly ServerAddress[],
): readonly Pick<EndpointSlice, 'addressType' | 'endpoints' | 'metadata' | 'ports'>[] {
  const groups = byPort(addresses).flatMap(({ port, ips }) => {
    const families = [
      { addressType: 'IPv4', ips: ips.filter((ip) => !ip.includes(':')) },
      { addressType: 'IPv6', ips: ips.filter((ip) => ip.includes(':')) },
    ];
    return families.filter((family) => family.ips.length > 0).map((family) => ({ port, ...family }));
  });
  return groups.map(({ port, addressType, ips }, index) => {
    const { namespace, name: service } = SERVICE_KEY;
    const name = index === 0 ? service : `${service}-${addressType.toLowerCase()}-${port}`;
    return {
      metadata: { namespace, name, labels: { [SERVICE_LABEL]: service } },
      addressType,
      endpoints: ips.map((ip) => ({ addresses: [ip], conditions: { ready: true } })),
      ports: [{ name: HTTPS.name, protocol: HTTPS.protocol, port }],
    };
  });
}

function byPort(addresses: readonly ServerAddress[]): readonly { readonly port: number; readonly ips: string[] }[] {
  const ports = [...new Set(addresses.map(({ port }) => port))].toSorted((one, other) => one - other);
  return ports.map((port) => {
    const ips = addresses.filter((address) => address.port === port).map(({ ip }) => ip);
    return { port, ips: [...new Set(ips)].toSorted() };
  });
}

/** Do two objects say the same, whatever the order of their fields? Both are small. */
export function hasSameFields(one: unknown, other: unknown): boolean {
  return sortedJson(one) === sortedJson(other);
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isRecord(member) ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}
