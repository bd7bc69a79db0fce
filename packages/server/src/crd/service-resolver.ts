/** Finds the address of a Service, for webhooks with a `service` reference. */

import { quote } from '@listwatch/api';
import { isRecord, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject, ObjectReader } from '@listwatch/rules/internal';
import type { ResolveService, ServiceAddress } from './webhook-call.ts';

const SERVICE_LABEL = 'kubernetes.io/service-name';

/**
 * Resolves from the caches: a ready endpoint, or else the cluster IP. A random one: the replicas of a webhook share its calls, and
 * one that has died without becoming unready fails some of them, not all. `random`: from 0 to below 1.
 */
export function serviceResolver(
  services: ObjectReader,
  slices: ObjectReader,
  random: () => number = Math.random,
): ResolveService {
  return (namespace, name, port) => {
    const service = services.get(namespace, name);
    if (service === undefined) throw new Error(`service ${quote(name)} not found`);
    const spec = recordOf(service['spec']);
    if (spec['type'] === 'ExternalName') return { host: textOf(spec['externalName']), port };
    const found = recordsOf(spec['ports']).find((one) => numberOf(one['port']) === port);
    if (found === undefined) throw new Error(`no service port ${port} found for service ${quote(name)}`);
    const own = slices.list(namespace).filter(({ metadata }) => metadata.labels?.[SERVICE_LABEL] === name);
    const endpoints = own.flatMap((slice) => endpointsOf(slice, textOf(found['name'])));
    const endpoint = endpoints[Math.floor(random() * endpoints.length)];
    if (endpoint !== undefined) return endpoint;
    const host = textOf(spec['clusterIP']);
    if (host === '' || host === 'None') throw new Error(`no endpoints available for service ${quote(name)}`);
    return { host, port };
  };
}

function endpointsOf(slice: KubeObject, portName: string): readonly ServiceAddress[] {
  const port = recordsOf(slice['ports']).find((one) => textOf(one['name']) === portName);
  if (port === undefined || numberOf(port['port']) === 0) return [];
  return recordsOf(slice['endpoints'])
    .filter(({ conditions }) => !isRecord(conditions) || conditions['ready'] !== false)
    .flatMap(({ addresses }) => (Array.isArray(addresses) ? addresses.slice(0, 1) : []))
    .map((host) => ({ host: textOf(host), port: numberOf(port['port']) }));
}
