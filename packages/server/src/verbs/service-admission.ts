/** Gives Services their addresses: what no other Service has, as far as the cache knows. */

import { parseObject } from '../cache/cached-object.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { DEFAULT_SERVICE_RANGE, parseServiceRange } from '../resources/cluster-ip-allocator.ts';
import { service } from '../resources/kinds/service.ts';
import { serviceAddresses, withServiceNetwork } from '../resources/service-network.ts';
import type { VerbContext } from './verb.ts';

/** The admission of Services; other kinds stay as they are. */
export function serviceAdmission(cache: ResourceCache): NonNullable<VerbContext['admit']> {
  const range = parseServiceRange(DEFAULT_SERVICE_RANGE);
  return (definition, object, old) => {
    if (definition !== service) return object;
    const taken = [...cache.snapshot().walk()].map(({ bytes }) => serviceAddresses(parseObject(bytes)));
    const ips = new Set(taken.flatMap((one) => one.ips));
    const nodePorts = new Set(taken.flatMap((one) => one.nodePorts));
    return withServiceNetwork(
      object,
      { range, isIpInUse: (ip) => ips.has(ip), isNodePortInUse: (port) => nodePorts.has(port) },
      old,
    );
  };
}
